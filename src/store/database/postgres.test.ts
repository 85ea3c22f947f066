import { Kysely, sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { testDatabase } from "../../../test/support/postgres.ts";
import { openPostgres } from "./postgres.ts";

const database = await testDatabase();

describe.skipIf(!database)("a connection to Postgres", () => {
  it("does not compile queries", async () => {
    onTestFinished(database!.drop);
    const { dialect } = await openPostgres(database!.url, "serving");
    const opened = new Kysely({ dialect });
    onTestFinished(() => opened.destroy());
    expect((await sql`show jit`.execute(opened)).rows).toEqual([{ jit: "off" }]);
  });
});
