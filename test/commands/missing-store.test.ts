import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { callCommand } from "../support/command.ts";
import { query, testDatabase } from "../support/postgres.ts";
import { newDataDir } from "../support/process.ts";

const folder = newDataDir();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const needStore = [
  "keys list",
  "keys revoke key_1",
  "keys rotate-encryption",
  "audit list",
  "audit verify",
  "dashboard",
  "apply --export",
  "backup /nowhere/backup.db",
  "export /nowhere/export.bin",
  "import --from nango --workspace a",
];
it.each(needStore)("plugboard %s refuses a folder without a store, and creates nothing there", async (command) => {
  const DATA_DIR = join(folder, "typo");
  const env = { DATA_DIR, EXPORT_PASSPHRASE: "a long passphrase" };
  const { code, stdout, stderr } = await callCommand(command.split(" "), env);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^plugboard: DATA_DIR: .+\n$/);
  expect(stderr).toContain(`there is no store in ${DATA_DIR}. Correct it, or create`);
  expect(existsSync(DATA_DIR)).toBe(false);
});

it("a relative DATA_DIR without a store is named with the absolute path, and with what it is relative to", async () => {
  const { stderr } = await callCommand(["keys", "list"], { DATA_DIR: "./typo" });
  expect(stderr).toContain(
    `no store in ${join(process.cwd(), "typo")}, which is ./typo in the folder in which the command runs. `,
  );
});

it("an empty Postgres database is refused where a store is needed, gets no tables, and is named without the password", async ({
  skip,
}) => {
  const empty = await testDatabase();
  if (!empty) return skip("no Postgres");
  const url = new URL(empty.url);
  url.password = "hunter2";
  try {
    const env = { DATABASE_URL: url.href, ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64") };
    const { code, stderr } = await callCommand(["audit", "verify"], env);
    expect([code, stderr]).toEqual([
      1,
      `plugboard: DATABASE_URL: the database ${url.host}${url.pathname} has no store of Plugboard. Correct it, or create a store there first: plugboard start, or plugboard keys create\n`,
    ]);
    expect(await query(empty.url, "select 1 from pg_tables where schemaname = current_schema()")).toEqual([]);
  } finally {
    await empty.drop();
  }
});
