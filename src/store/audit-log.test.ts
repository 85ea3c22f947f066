import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { describeDatabases } from "../../test/support/databases.ts";
import type { NewAuditEntry } from "../contracts/audit.ts";
import type { Store } from "../contracts/store.ts";

await describeDatabases("audit log", (database) => {
  let store: Store;
  let workspace_id: string;
  beforeAll(async () => {
    store = await database.open();
  });
  beforeEach(() => {
    workspace_id = `ws_${randomUUID()}`;
  });

  const entry = (change: Partial<NewAuditEntry> = {}): NewAuditEntry => ({
    workspace_id,
    actor: { kind: "key", id: "key_1", name: "ci" },
    action: "connection.delete",
    target: { kind: "connection", id: "conn_1" },
    outcome: "success",
    request_id: "req_1",
    ip: "127.0.0.1",
    changes: ["external_id"],
    ...change,
  });
  const append = async (count: number) => {
    for (let number = 1; number <= count; number++)
      await store.audit.append(entry({ target: { kind: "connection", id: `conn_${number}` } }));
  };
  const targets = async (page: Partial<Parameters<Store["audit"]["list"]>[1]> = {}, filter = {}) =>
    (await store.audit.list(workspace_id, { limit: 100, ...page }, filter)).map(({ target }) => target.id);
  const problems = async () =>
    (await store.audit.verify(workspace_id)).problems.map(({ position, problem }) => [position, problem]);

  it("an entry is returned as it was written, with the hash of the one before", async () => {
    await append(2);
    const [second, first] = await store.audit.list(workspace_id, { limit: 10 }, {});
    expect(first).toEqual({
      ...entry(),
      id: expect.stringMatching(/^aud_/),
      at: expect.stringMatching(/Z$/),
      hash: expect.stringMatching(/^[\da-f]{64}$/),
      previous_hash: "",
    });
    expect(second!.previous_hash).toBe(first!.hash);
    expect(await store.audit.verify(workspace_id)).toEqual({ entries: 2, problems: [] });
    expect(await store.audit.verify("ws_none")).toEqual({ entries: 0, problems: [] });
  });

  it("a change that fails leaves neither the change nor an entry, and one that changes nothing no entry", async () => {
    const name = randomUUID();
    const create = (id: string) => ({ id, name, client_id: id, redirect_uris: [] });
    const failing = store.change(
      workspace_id,
      async ({ workspaces }) => {
        await workspaces.create(create(workspace_id));
        throw new Error("in between");
      },
      entry(),
    );
    await expect(failing).rejects.toThrow("in between");
    expect(await store.workspaces.byName(name)).toBeUndefined();
    for (const nothing of [undefined, null, false])
      expect(await store.change(workspace_id, async () => nothing, entry())).toBe(nothing);
    expect(await targets()).toEqual([]);
    const made = await store.change(
      workspace_id,
      ({ workspaces }) => workspaces.create(create(workspace_id)),
      ({ id }) => entry({ target: { kind: "workspace", id } }),
    );
    expect(made.name).toBe(name);
    expect(await targets()).toEqual([workspace_id]);
  });

  it("changes at the same time are in one chain without gaps", async () => {
    const other = await database.open();
    await Promise.all(
      Array.from({ length: 40 }, (_, number) =>
        (number % 2 ? store : other).audit.append(entry({ ip: String(number) })),
      ),
    );
    expect(await store.audit.verify(workspace_id)).toEqual({ entries: 40, problems: [] });
  });

  it("pages by entry and by time, in both directions", async () => {
    await append(5);
    const entries = await store.audit.list(workspace_id, { limit: 100 }, {});
    const [, fourth, third] = entries;
    expect(await targets({ limit: 2 })).toEqual(["conn_5", "conn_4"]);
    expect(await targets({ limit: 2, before: fourth!.id })).toEqual(["conn_3", "conn_2"]);
    expect(await targets({ limit: 1, after: third!.id })).toEqual(["conn_4"]);
    expect(await targets({ after: entries.at(-1)!.id, before: fourth!.id })).toEqual(["conn_3", "conn_2"]);
    expect(await targets({ after: "2020-01-01T00:00:00Z" })).toHaveLength(5);
    expect((await targets({ after: "2020-01-01T00:00:00Z" }))[0]).toBe("conn_1");
    expect(await targets({ after: "2999-01-01T00:00:00Z" })).toEqual([]);
    expect(await targets({ before: "2020-01-01T00:00:00Z" })).toEqual([]);
    expect(await targets({ before: "2999-01-01T00:00:00Z" })).toHaveLength(5);
    await expect(targets({ before: "aud_none" })).rejects.toThrow("before: Unknown id");
  });

  it("is filtered by actor, action, kind and target, and separated by workspace", async () => {
    await store.audit.append(entry());
    await store.audit.append(entry({ actor: { kind: "person", id: "ann", name: "Ann" }, action: "connection.update" }));
    await store.audit.append(entry({ action: "key.create", target: { kind: "key", id: "key_2" } }));
    await store.audit.append({ ...entry(), workspace_id: null });
    expect(await targets({}, { actor: "ann" })).toEqual(["conn_1"]);
    expect(await targets({}, { action: "key.create" })).toEqual(["key_2"]);
    expect(await targets({}, { action: "connection.*" })).toHaveLength(2);
    expect(await targets({}, { target: "key_2", action: "key.*", actor: "key_1" })).toEqual(["key_2"]);
    expect(await targets({}, { target: "key_2", actor: "ann" })).toEqual([]);
    expect(await store.audit.list("ws_none", { limit: 10 }, {})).toEqual([]);
    expect((await store.audit.list(null, { limit: 10 }, {}))[0]).toMatchObject({ workspace_id: null });
  });

  const at = (position: number) => `where workspace_id = '${workspace_id}' and position = ${position}`;

  it.each([
    ["actor_id", "'key_2'"],
    ["action", "'connection.update'"],
    ["target_id", "'conn_9'"],
    ["outcome", "'refused'"],
    ["at", "at + 1"],
    ["ip", "null"],
    ["changes", "null"],
    ["previous_hash", "''"],
    ["hash", "'00'"],
  ])("an entry whose %s was changed by hand is found", async (column, value) => {
    await append(4);
    await database.run(`update audit_log set ${column} = ${value} ${at(3)}`);
    expect(await problems()).toContainEqual(
      column === "hash" ? [4, "it does not follow the one before it"] : [3, "it was changed"],
    );
  });

  it("entries that were removed by hand are found: in the middle, at the beginning and at the end", async () => {
    await append(6);
    await database.run(`delete from audit_log ${at(3)}`);
    expect(await problems()).toEqual([[4, "1 before it is missing"]]);
    await database.run(`delete from audit_log ${at(1)}`);
    await database.run(`delete from audit_log ${at(6)}`);
    expect(await problems()).toEqual([
      [2, "1 before it is missing"],
      [4, "1 before it is missing"],
      [5, "the newest entries are missing or were changed"],
    ]);
  });

  it("old entries are deleted from the oldest on, and the rest stays intact", async () => {
    await append(5);
    await database.run(`update audit_log set at = 1 ${at(1)}`);
    await database.run(`update audit_log set at = 1 ${at(2)}`);
    await database.run(`update audit_log set at = 1 ${at(4)}`);
    expect(await store.audit.withOlder("2020-01-01T00:00:00Z")).toContain(workspace_id);
    expect(await store.audit.sweep(workspace_id, "2020-01-01T00:00:00Z", 100)).toBe(2);
    // The fourth is not older than the third, whatever it says.
    expect(await targets()).toEqual(["conn_5", "conn_4", "conn_3"]);
    expect(await problems()).toEqual([[4, "it was changed"]]);
    expect(await store.audit.sweep(workspace_id, "2020-01-01T00:00:00Z", 100)).toBe(0);
    await append(1);
    expect((await store.audit.verify(workspace_id)).entries).toBe(4);
  });

  it("a chain of which every entry has expired is intact, and one whose entries were removed by hand is not", async () => {
    await append(3);
    await database.run(`update audit_log set at = 1 where workspace_id = '${workspace_id}'`);
    expect(await store.audit.sweep(workspace_id, "2020-01-01T00:00:00Z", 100)).toBe(3);
    expect(await store.audit.verify(workspace_id)).toEqual({ entries: 0, problems: [] });
    await append(1);
    expect(await store.audit.verify(workspace_id)).toEqual({ entries: 1, problems: [] });
    await database.run(`delete from audit_log where workspace_id = '${workspace_id}'`);
    expect(await problems()).toEqual([[3, "the newest entries are missing or were changed"]]);
  });
});
