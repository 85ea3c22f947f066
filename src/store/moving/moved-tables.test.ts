import { expect, it } from "vitest";
import { describeDatabases } from "../../../test/support/databases.ts";
import { encryptedColumns } from "../secrets/encrypted-columns.ts";
import { leftOut, movedTables } from "./moved-tables.ts";

/** Tables that only earlier versions used, and those of migrations. */
const NOT_USED = ["request_log", "request_batches", "schema_version", "deferred_steps"];

await describeDatabases("an export", (database) => {
  async function columnsByTable(): Promise<Map<string, string[]>> {
    await database.open();
    const rows = await database.run(
      database.name === "SQLite"
        ? "select m.name as name, c.name as column_name from sqlite_schema m join pragma_table_info(m.name) c where m.type = 'table'"
        : "select table_name as name, column_name from information_schema.columns where table_schema = current_schema()",
    );
    return Map.groupBy(rows, ({ name }) => name) as unknown as Map<string, string[]>;
  }

  it("has every table of the database, or says why it has not", async () => {
    const found = [...(await columnsByTable()).keys()].filter((name) => !NOT_USED.includes(name));
    expect(found.toSorted()).toEqual([...movedTables.map(({ table }) => table), ...Object.keys(leftOut)].toSorted());
  });

  it("has every column of its tables", async () => {
    const found = await columnsByTable();
    for (const { table, columns } of movedTables) {
      const names = (found.get(table) as unknown as { column_name: string }[]).map(({ column_name }) => column_name);
      expect(columns.map(([name]) => name).toSorted(), table).toEqual(names.toSorted());
    }
  });
});

it("an export decrypts exactly the encrypted columns of its tables", () => {
  const moved = movedTables.map(({ table }) => table);
  const secrets = movedTables.flatMap(({ table, columns }) =>
    columns.filter(([, use]) => use === "secret").map(([name]) => `${table}.${name}`),
  );
  const encrypted = encryptedColumns.filter(([table]) => moved.includes(table)).map((place) => place.join("."));
  expect(secrets.toSorted()).toEqual(encrypted.toSorted());
});
