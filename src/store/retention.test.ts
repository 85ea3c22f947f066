// Old data is deleted little by little: whatever else is written waits for one small batch at most.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { describeDatabases } from "../../test/support/databases.ts";
import { recordStatements } from "../../test/support/recorded-statements.ts";
import { sweepEvents } from "../events/retention.ts";
import { deleteInBatches } from "../runtime/delete-in-batches.ts";

const ROWS = 1_010;
const counted = `(with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${ROWS}) select i from numbers) as counted`;

/** Each statement that deleted rows: of which table, how many, and in which turn of the event loop. */
let deleted: { table: string; rows: number; turn: number }[] = [];
let turn = 0;
let isTurning = true;

beforeEach(() => {
  deleted = [];
  recordStatements(({ text, changed: rows }) => {
    const [, table] = /^delete from "(\w+)"/.exec(text) ?? [];
    if (table !== undefined && rows > 0) deleted.push({ table, rows, turn });
  });
  isTurning = true;
  const next = () => {
    turn += 1;
    if (isTurning) setImmediate(next);
  };
  next();
});
afterEach(() => {
  isTurning = false;
  vi.restoreAllMocks();
});

/** The rows of each statement, which all ran in another turn of the event loop. */
function batchesOf(table: string): number[] {
  const own = deleted.filter((one) => one.table === table);
  expect(new Set(own.map((one) => one.turn)).size).toBe(own.length);
  return own.map(({ rows }) => rows);
}

await describeDatabases("retention", (database) => {
  it("old batches of the request log, events and entries of the audit log are deleted in small batches", async () => {
    const store = await database.open();
    const workspace = await store.workspaces.create({ id: "ws_1", name: "a", client_id: "c", redirect_uris: [] });
    await database.run(
      `insert into log_batches (id, workspace_id, first_at, last_at, size, terms, entries) select 'log_' || i, 'ws_1', i, i, 1, '', '' from ${counted}`,
    );
    await database.run(
      `insert into events (id, workspace_id, type, payload, position, created_at) select 'evt_' || i, 'ws_1', 'a', '', i, i from ${counted}`,
    );
    await database.run(
      `insert into deliveries (id, workspace_id, webhook_id, event_id, state, tries, created_at) select 'dlv_' || i, 'ws_1', 'wh_1', 'evt_' || i, 'delivered', 1, i from ${counted}`,
    );
    await database.run(
      `insert into audit_log (id, workspace_id, position, at, actor_kind, action, target_kind, outcome, previous_hash, hash) select 'aud_' || i, 'ws_1', i, i, 'key', 'a', 'a', 'success', '', '' from ${counted}`,
    );
    await database.run(`insert into audit_chains values ('ws_1', ${ROWS}, '', 0)`);

    const before = "2020-01-01T00:00:00Z";
    await store.requestLog.trim(before, 1_000_000);
    await sweepEvents(store, 7);
    expect(await store.audit.withOlder(before)).toEqual([workspace.id]);
    await deleteInBatches((limit) => store.audit.sweep(workspace.id, before, limit), 200);

    const expected = (size: number) => [...Array(Math.floor(ROWS / size)).fill(size), ROWS % size];
    expect(batchesOf("log_batches")).toEqual(expected(20));
    expect(batchesOf("events")).toEqual(expected(200));
    expect(batchesOf("audit_log")).toEqual(expected(200));
    for (const table of ["log_batches", "events", "deliveries", "audit_log"])
      expect(await database.run(`select * from ${table}`)).toEqual([]);
  });

  it("the request log is cut to its newest entries in small batches", async () => {
    const store = await database.open();
    await database.run(
      `insert into log_batches (id, workspace_id, first_at, last_at, size, terms, entries) select 'log_' || i, 'ws_1', i, i, 10, '', '' from ${counted}`,
    );
    await store.requestLog.trim("1960-01-01T00:00:00Z", 95);
    expect(Math.max(...batchesOf("log_batches"))).toBe(20);
    const kept = await database.run("select id from log_batches order by last_at");
    expect(kept.map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_, index) => `log_${ROWS - 9 + index}`));
  });
});
