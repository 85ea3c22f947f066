import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, expect, it } from "vitest";
import { describeDatabases } from "../../test/support/databases.ts";
import type { Store } from "../contracts/store.ts";
import { keysFromText } from "./secrets/key-source.ts";
import { createKeyring } from "./secrets/vault.ts";

const LONG = { leaseMs: 60_000, keepMs: 60_000 };

await describeDatabases("idempotent writes", ({ open }) => {
  let store: Store;
  /** The same database, as another process sees it. */
  let other: Store;
  let workspace_id: string;
  beforeAll(async () => {
    [store, other] = [await open(), await open()];
    const { id } = await store.workspaces.create({
      id: `ws_${randomUUID()}`,
      name: "Acme",
      client_id: randomUUID(),
      redirect_uris: [],
    });
    workspace_id = id;
  });

  const write = (id: string = randomUUID(), fingerprint = "body", owner: string = randomUUID()) => ({
    id,
    workspace_id,
    fingerprint,
    owner,
  });

  it("of many processes that begin the same write, exactly one may make it", async () => {
    const id = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? store : other).idempotentWrites.begin(write(id), LONG)),
    );
    expect(answers.map(({ state }) => state).sort()).toEqual(["begun", ...Array(19).fill("running")]);
  });

  it("a finished write returns its answer in every process, encrypted at rest", async () => {
    const one = write();
    await store.idempotentWrites.begin(one, LONG);
    expect(await store.idempotentWrites.markSent(one.id, one.owner, 60_000)).toBe(true);
    await store.idempotentWrites.finish(one.id, one.owner, '{"name":"Zoë"}');
    const again = await other.idempotentWrites.begin(write(one.id, "another body"), LONG);
    expect(again).toEqual({ state: "done", fingerprint: "body", answer: '{"name":"Zoë"}' });
    // Nobody without the key can read it.
    const otherKey = createKeyring(keysFromText(randomBytes(32).toString("base64")));
    await expect(open({ keyring: otherKey })).rejects.toThrow(/key/i);
  });

  it("a process that stopped before it sent anything leaves the write to the next", async () => {
    const stopped = write();
    await store.idempotentWrites.begin(stopped, { leaseMs: 1, keepMs: 60_000 });
    await wait(20);
    // Only with the same body: another one is told which body the key belongs to.
    const reused = await other.idempotentWrites.begin(write(stopped.id, "another body"), LONG);
    expect(reused).toEqual({ state: "unknown", fingerprint: stopped.fingerprint });
    const next = write(stopped.id);
    expect(await other.idempotentWrites.begin(next, LONG)).toEqual({ state: "begun" });
    // The first one was only slow: it must not send any more.
    expect(await store.idempotentWrites.markSent(stopped.id, stopped.owner, 60_000)).toBe(false);
    await store.idempotentWrites.finish(stopped.id, stopped.owner, "late");
    await store.idempotentWrites.release(stopped.id, stopped.owner);
    expect((await store.idempotentWrites.begin(write(stopped.id), LONG)).state).toBe("running");
  });

  it("a process that stopped after it had sent leaves the outcome unknown, until it reports after all", async () => {
    const stopped = write();
    await store.idempotentWrites.begin(stopped, LONG);
    await store.idempotentWrites.markSent(stopped.id, stopped.owner, 1);
    await wait(20);
    for (const process of [store, other])
      expect((await process.idempotentWrites.begin(write(stopped.id), LONG)).state).toBe("unknown");
    await store.idempotentWrites.finish(stopped.id, stopped.owner, "after all");
    expect(await other.idempotentWrites.begin(write(stopped.id), LONG)).toMatchObject({ state: "done" });
  });

  it("a write that is still running keeps its lease", async () => {
    const slow = write();
    await store.idempotentWrites.begin(slow, { leaseMs: 1, keepMs: 60_000 });
    await store.idempotentWrites.renew(slow.id, slow.owner, 60_000);
    await wait(20);
    expect((await other.idempotentWrites.begin(write(slow.id), LONG)).state).toBe("running");
  });

  it("a released key can be used again, and one marked unknown cannot", async () => {
    const refused = write();
    await store.idempotentWrites.begin(refused, LONG);
    await store.idempotentWrites.release(refused.id, refused.owner);
    expect(await other.idempotentWrites.begin(write(refused.id), LONG)).toEqual({ state: "begun" });
    const lost = write();
    await store.idempotentWrites.begin(lost, LONG);
    await store.idempotentWrites.markUnknown(lost.id, lost.owner);
    expect((await other.idempotentWrites.begin(write(lost.id), LONG)).state).toBe("unknown");
  });

  it("a key can be used again with any body after its time, and is swept", async () => {
    const old = write();
    await store.idempotentWrites.begin(old, { leaseMs: 1, keepMs: 1 });
    await store.idempotentWrites.finish(old.id, old.owner, "old");
    await wait(20);
    expect(await other.idempotentWrites.begin(write(old.id, "another body"), LONG)).toEqual({ state: "begun" });
    const swept = write();
    await store.idempotentWrites.begin(swept, { leaseMs: 1, keepMs: 1 });
    await wait(20);
    await store.idempotentWrites.sweep();
    expect(await store.idempotentWrites.markSent(swept.id, swept.owner, 1)).toBe(false);
    expect((await store.idempotentWrites.begin(write(old.id, "another body"), LONG)).state).toBe("running");
  });
});
