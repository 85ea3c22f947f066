import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Kysely, sql } from "kysely";
import { afterAll, describe, expect, it } from "vitest";
import { Fault } from "../../contracts/fault.ts";
import { createWriter, type Work } from "./group-commit.ts";
import type { Database } from "./schema.ts";
import { openSqlite } from "./sqlite.ts";

describe("group commit", () => {
  const folder = mkdtempSync(join(tmpdir(), "plugboard-group-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  async function setUp(name: string) {
    const file = join(folder, `${name}.db`);
    const statements: string[] = [];
    const database = new Kysely<Database>({
      dialect: openSqlite(file).dialect,
      log: ({ query }) => void statements.push(query.sql),
    });
    await sql`create table notes (text text primary key)`.execute(database);
    const outside = new DatabaseSync(file);
    const insert =
      (text: string): Work<string> =>
      async (transaction) => {
        await sql`insert into notes values (${text})`.execute(transaction);
        return text;
      };
    return {
      ...createWriter(database, true),
      insert,
      commits: () => statements.filter((text) => text === "commit").length,
      /** What another process reads. */
      notes: () =>
        outside
          .prepare("select text from notes order by text")
          .all()
          .map(({ text }) => text),
      async close() {
        outside.close();
        await database.destroy();
      },
    };
  }

  it("writes that are ready together are committed together, and each caller gets its own result", async () => {
    const { write, writeOne, insert, commits, notes, close } = await setUp("together");
    expect(await Promise.all([write(insert("a")), writeOne(insert("b")), write(insert("c"))])).toEqual(["a", "b", "c"]);
    expect(commits()).toBe(1);
    expect(notes()).toEqual(["a", "b", "c"]);
    expect(await write(insert("d"))).toBe("d");
    await close();
  });

  it("no caller gets its result before the commit", async () => {
    const { write, insert, notes, close } = await setUp("after");
    const seen = await Promise.all(["a", "b"].map((text) => write(insert(text)).then(notes)));
    expect(seen).toEqual([
      ["a", "b"],
      ["a", "b"],
    ]);
    await close();
  });

  it("a write that fails is rolled back alone, and the others of its group are committed", async () => {
    const { write, insert, notes, close } = await setUp("alone");
    const failing: Work<string> = async (transaction) => {
      await insert("half")(transaction);
      throw new Error("lost");
    };
    const results = await Promise.allSettled([write(insert("a")), write(failing), write(insert("b"))]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(results[1]).toMatchObject({ reason: { message: "lost" } });
    expect(notes()).toEqual(["a", "b"]);
    await close();
  });

  it("all writes of a group fail if the database is unavailable, and none is tried again", async () => {
    const { write, insert, notes, close } = await setUp("unavailable");
    let calls = 0;
    const unavailable: Work<string> = async () => {
      calls += 1;
      throw new Fault("store_unavailable", "The database is unavailable");
    };
    const results = await Promise.allSettled([write(insert("a")), write(unavailable)]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(calls).toBe(1);
    expect(notes()).toEqual([]);
    await close();
  });

  it("a write that takes long is committed without waiting for those after it", async () => {
    const { write, insert, commits, close } = await setUp("long");
    const long: Work<string> = (transaction) => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
      return insert("long")(transaction);
    };
    await Promise.all([write(long), write(insert("a")), write(insert("b"))]);
    expect(commits()).toBe(2);
    await close();
  });

  it("writes fail after the database was closed", async () => {
    const { write, insert, close } = await setUp("closed");
    await close();
    const results = await Promise.allSettled([write(insert("a")), write(insert("b"))]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });
});
