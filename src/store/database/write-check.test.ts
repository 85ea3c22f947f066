import { randomBytes, randomUUID } from "node:crypto";
import { Kysely, sql } from "kysely";
import { afterAll, describe, expect, it } from "vitest";
import { query, testDatabase } from "../../../test/support/postgres.ts";
import { createStore } from "../index.ts";
import { keysFromText } from "../secrets/key-source.ts";
import { createKeyring } from "../secrets/vault.ts";
import { guardedDialect } from "./guarded-dialect.ts";
import type { Database } from "./schema.ts";
import { openSqlite } from "./sqlite.ts";
import { createWriteCheck } from "./write-check.ts";

describe("write check", () => {
  /** A database in memory whose writes can be made to fail, on a clock of its own. */
  async function setUp() {
    const engine = openSqlite(":memory:");
    const database = new Kysely<Database>({ dialect: guardedDialect(engine) });
    await sql`create table write_checks (id integer primary key, checked_at bigint not null)`.execute(database);
    const state = { seconds: 0, writes: 0, full: false, logged: [] as string[] };
    const check = createWriteCheck({
      database,
      withRelaxedDurability(connection, work) {
        state.writes += 1;
        return state.full ? Promise.reject(new Error("database or disk is full")) : work(connection);
      },
      log: {
        info: (message) => void state.logged.push(message),
        warn: (_, message) => void state.logged.push(message),
      },
      clock: () => state.seconds * 1000,
    });
    return { check, state };
  }
  const outcome = (check: { ping(): Promise<void> }) =>
    check.ping().then(
      () => "ok",
      (error: Error) => error.message,
    );

  it("many health checks make one write in five seconds", async () => {
    const { check, state } = await setUp();
    await Promise.all(Array.from({ length: 50 }, () => check.ping()));
    state.seconds = 4;
    await check.ping();
    expect(state.writes).toBe(1);
    state.seconds = 5;
    await check.ping();
    expect(state.writes).toBe(2);
  });

  it("a full disk is noticed with the next write and over a second after it is over, and both are logged once", async () => {
    const { check, state } = await setUp();
    expect(await outcome(check)).toBe("ok");
    state.full = true;
    state.seconds = 5;
    for (let n = 0; n < 3; n += 1) expect(await outcome(check)).toBe("database or disk is full");
    expect(state.writes).toBe(2);
    state.full = false;
    expect(await outcome(check)).toBe("database or disk is full");
    state.seconds = 6;
    expect(await outcome(check)).toBe("ok");
    await check.ping();
    expect(state.logged).toEqual([
      "the database can be read but not written to: is its disk full?",
      "the database can be written to again",
    ]);
  });

  it("a failed write of any other kind counts for ten seconds, even if the check's own small write succeeds", async () => {
    const { check, state } = await setUp();
    check.failed(new Error("database or disk is full"));
    state.seconds = 9;
    expect(await outcome(check)).toBe("The database cannot be written to");
    state.seconds = 10;
    expect(await outcome(check)).toBe("ok");
  });
});

const database = await testDatabase();
afterAll(() => database?.drop());

describe.skipIf(!database)("a full disk under Postgres", () => {
  const keyring = createKeyring(keysFromText(randomBytes(32).toString("base64")));
  /** Makes writes to a table fail with the error that Postgres reports for a full disk. */
  const fillDisk = (table: string) =>
    query(
      database!.url,
      `create or replace function full_disk() returns trigger language plpgsql as $$
        begin raise exception 'could not extend file' using errcode = '53100'; end $$;
      create trigger full_disk before insert on ${table} execute function full_disk();`,
    );

  it("a ping fails after a write failed because the disk is full, while reads still work", async () => {
    const store = await createStore({ url: database!.url, keyring });
    await store.ping();
    await fillDisk("workspaces");
    const workspace = { id: "ws_1", name: "Acme", client_id: randomUUID(), redirect_uris: [] };
    await expect(store.workspaces.create(workspace)).rejects.toMatchObject({ kind: "store_unavailable" });
    expect(await store.workspaces.list()).toEqual([]);
    await expect(store.ping()).rejects.toMatchObject({ kind: "store_unavailable" });
    await store.close();
  });

  it("a ping fails if nothing but its own write was tried, and the disk is full", async () => {
    const store = await createStore({ url: database!.url, keyring });
    await fillDisk("write_checks");
    await expect(store.ping()).rejects.toMatchObject({ kind: "store_unavailable" });
    expect(await store.workspaces.list()).toEqual([]);
    await store.close();
  });
});
