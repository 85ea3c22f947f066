import type { StoreContext } from "../database/context.ts";
import { encryptedColumns, withEncryptedTables } from "./encrypted-columns.ts";
import type { SecretLocation } from "./vault.ts";

/** Small, so that other work is not delayed for long. */
const BATCH_SIZE = 100;
/** Another process may use the old key a little longer: the next pass finds what it wrote. */
const MAX_PASSES = 5;

/**
 * Re-encrypts every value that is not encrypted with the current key. A value is replaced only if it is still the one
 * that was read, so newer credentials are never overwritten. Values that cannot be decrypted are left unchanged and
 * listed in the error at the end.
 */
export async function reencrypt(
  { database, keyring }: Pick<StoreContext, "database" | "keyring">,
  progress?: (done: number) => void,
): Promise<number> {
  const tables = withEncryptedTables(database);
  const unreadable = new Map<string, string>();
  let done = 0;

  async function replace(location: SecretLocation, value: string): Promise<boolean> {
    let replacement: string;
    try {
      replacement = keyring.encrypt(keyring.decrypt(value, location), location);
    } catch (error) {
      unreadable.set(`${location.table} ${location.id}`, (error as Error).message);
      return false;
    }
    const { numUpdatedRows } = await tables
      .updateTable(location.table)
      .set({ [location.column]: replacement })
      .where("id", "=", location.id)
      .where(location.column, "=", value)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  /** Goes through a column once; returns how many values were not encrypted with the current key. */
  async function pass(table: string, column: string): Promise<number> {
    let found = 0;
    let after = "";
    for (;;) {
      const rows = await tables
        .selectFrom(table)
        .select(["id", `${column} as value`])
        .where("id", ">", after)
        .where(column, "not like", `${keyring.currentPrefix()}%`)
        .orderBy("id")
        .limit(BATCH_SIZE)
        .execute();
      for (const { id, value } of rows) {
        if (unreadable.has(`${table} ${id}`)) continue;
        found += 1;
        if (await replace({ table, id, column }, value as string)) done += 1;
      }
      if (rows.length > 0) progress?.(done);
      if (rows.length < BATCH_SIZE) return found;
      after = rows.at(-1)!.id;
    }
  }

  for (const [table, column] of encryptedColumns) {
    for (let passes = 0; passes < MAX_PASSES && (await pass(table, column)) > 0; passes += 1);
  }
  if (unreadable.size > 0) {
    const reasons = [...unreadable.values()].join("; ");
    throw new Error(`${done} values were re-encrypted, but ${unreadable.size} cannot be decrypted: ${reasons}`);
  }
  return done;
}
