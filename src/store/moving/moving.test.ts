import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabases } from "../../../test/support/databases.ts";
import { newConnection, newIntegration } from "../../../test/support/entities.ts";
import type { NewAuditEntry } from "../../contracts/audit.ts";
import type { MovedRows, WriteOptions } from "../../contracts/moving.ts";
import type { Store } from "../../contracts/store.ts";
import { createStore } from "../index.ts";
import { keysFromText } from "../secrets/key-source.ts";
import { createKeyring } from "../secrets/vault.ts";

const entry = (workspace_id: string): NewAuditEntry => ({
  workspace_id,
  actor: { kind: "command", id: "root", name: "test" },
  action: "workspace.import",
  target: { kind: "workspace", id: workspace_id },
  outcome: "success",
  request_id: null,
  ip: null,
  changes: null,
});
const refuse: WriteOptions = { different: "refuse", entry };

async function readAll(store: Store, ids: string[]): Promise<MovedRows[]> {
  const read: MovedRows[] = [];
  await store.moving.read(ids, async (rows) => void read.push(rows));
  return read;
}

const databases = await testDatabases();
const pairs = databases.flatMap((from) => databases.filter((to) => to !== from).map((to) => [from, to] as const));
const names = pairs.map(([from, to]) => [`${from.name} to ${to.name}`, from, to] as const);

const keys = new Map<string, string>();
function keyOf(url: string): string {
  const key = keys.get(url) ?? randomBytes(32).toString("base64");
  keys.set(url, key);
  return key;
}

/** More than are read and written together. */
const CONNECTIONS = 503;

describe.each(names)("moving from %s", (_, from, to) => {
  let source: Store;
  let target: Store;
  const id = `ws_${randomBytes(6).toString("hex")}`;

  beforeAll(async () => {
    const open = (url: string) => createStore({ url, keyring: createKeyring(keysFromText(keyOf(url))) });
    [source, target] = await Promise.all([open(from.url), open(to.url)]);
    await source.workspaces.create({ id, name: id, client_id: id, redirect_uris: ["https://a.example"] });
    const integration = await source.integrations.create(newIntegration({ workspace_id: id, client_secret: "s" }));
    for (let number = 0; number < CONNECTIONS; number += 1)
      await source.connections.create(
        newConnection({ workspace_id: id, integration_id: integration.id, external_id: `\u2028 ${number}` }),
      );
  });
  afterAll(() => Promise.all([source.close(), target.close()]));

  it("a stream that breaks off leaves nothing behind", async () => {
    const rows = await readAll(source, [id]);
    async function* broken() {
      yield* rows.slice(0, 3);
      throw new Error("broken off");
    }
    await expect(target.moving.write(broken(), refuse)).rejects.toThrow("broken off");
    expect(await target.workspaces.get(id)).toBeUndefined();
    expect(await target.audit.list(id, { limit: 5 }, {})).toEqual([]);
  });

  it("everything arrives once, with an audit entry, however often it is written", async () => {
    const rows = await readAll(source, [id]);
    const first = await target.moving.write(rows, refuse);
    expect(first.conflicts).toEqual([]);
    expect(first.counts.get("connections")).toEqual({ new: CONNECTIONS, same: 0, different: 0 });
    expect(await readAll(target, [id])).toEqual(rows);
    const second = await target.moving.write(rows, refuse);
    expect(second.counts.get("connections")).toEqual({ new: 0, same: CONNECTIONS, different: 0 });
    expect((await target.audit.list(id, { limit: 5 }, {})).map(({ action }) => action)).toEqual(["workspace.import"]);
    expect((await target.audit.verify(id)).problems).toEqual([]);
  });

  it("a row with another content refuses everything, or stays as it is", async () => {
    const rows = await readAll(source, [id]);
    const connections = rows.find(({ table }) => table === "connections")!;
    const [changed, removed] = connections.rows.map(({ id }) => id as string);
    await target.connections.update(changed!, { external_id: "changed here" });
    await target.connections.delete(id, removed!);
    const refused = await target.moving.write(rows, refuse);
    expect(refused.conflicts).toEqual([`connections ${changed}: exists with another content`]);
    expect(await target.connections.get(id, removed!)).toBeUndefined();
    const kept = await target.moving.write(rows, { ...refuse, different: "keep" });
    expect(kept.counts.get("connections")).toMatchObject({ new: 1, different: 1 });
    expect(await target.connections.get(id, removed!)).toBeDefined();
    expect((await target.connections.get(id, changed!))?.external_id).toBe("changed here");
  });

  it("an id that another workspace has is a conflict in any case", async () => {
    const [row] = (await readAll(source, [id])).find(({ table }) => table === "connections")!.rows;
    const moved = [{ table: "connections", rows: [{ ...row!, workspace_id: "ws_other" }] }];
    const { conflicts } = await target.moving.write(moved, { ...refuse, different: "keep" });
    expect(conflicts).toHaveLength(1);
  });

  it("a second integration under the same name is a conflict that names the columns, and no value", async () => {
    const rows = await readAll(source, [id]);
    const {
      rows: [row],
    } = rows.find(({ table }) => table === "integrations")!;
    const { conflicts } = await target.moving.write(
      [{ table: "integrations", rows: [{ ...row!, id: "int_second" }] }],
      refuse,
    );
    expect(conflicts).toEqual([expect.stringMatching(/^integrations: .*constraint/i)]);
    expect(conflicts[0]).not.toContain(id);
  });

  it("rows of an export that an earlier version made have fewer columns", async () => {
    const other = `${id}_old`;
    const row = { id: other, name: other, client_id: other, redirect_uris: "[]", created_at: 1, updated_at: 1 };
    const rows = [{ table: "workspaces", rows: [row] }];
    expect((await target.moving.write(rows, refuse)).conflicts).toEqual([]);
    expect(await target.workspaces.get(other)).toMatchObject({ mcp_tool_pack_id: null });
    expect((await target.moving.write(rows, refuse)).counts.get("workspaces")).toMatchObject({ same: 1 });
  });

  it("a position in the event log of the source is valid in that of the target", async () => {
    while ((await source.events.publish(CONNECTIONS)) > 0);
    const position = await source.events.newest(id);
    const [row] = (await readAll(target, [id])).find(({ table }) => table === "connections")!.rows;
    await target.connections.delete(id, row!.id as string);
    while ((await target.events.publish(CONNECTIONS)) > 0);
    const { events } = await target.events.list(id, { after: position, limit: 10 }, {});
    expect(events.at(-1)).toMatchObject({ type: "connection.deleted", connection_id: row!.id });
  });
});

afterAll(() => Promise.all(databases.map((database) => database.drop())));
