import type { Kysely } from "kysely";
import type { Context } from "./context.ts";
import type { Place } from "./vault.ts";

/** Small, so that the service can work in between. */
const BATCH = 100;
/** Another process may go on with the old key for a moment: what it wrote is found by the next pass. */
const PASSES = 5;

const sealedColumns = [
  ["connections", "credentials"],
  ["integrations", "client_secret"],
  ["connect_sessions", "code_verifier"],
] as const;

/**
 * Re-encrypts what is not under the current key. A value is replaced only where it is still the one that was read, so
 * that credentials renewed in between are never overwritten. What cannot be read is left as it is and named at the end.
 */
export async function reencrypt({ database, keyring }: Context, progress?: (done: number) => void): Promise<number> {
  const anyTable = database as unknown as Kysely<any>;
  const unreadable = new Map<string, string>();
  let done = 0;

  async function renew(place: Place, value: string): Promise<boolean> {
    let renewed: string;
    try {
      renewed = keyring.encrypt(keyring.decrypt(value, place), place);
    } catch (error) {
      unreadable.set(`${place.table} ${place.id}`, (error as Error).message);
      return false;
    }
    const { numUpdatedRows } = await anyTable
      .updateTable(place.table)
      .set({ [place.column]: renewed })
      .where("id", "=", place.id)
      .where(place.column, "=", value)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  /** Goes once through a column; returns how many values it found that are not under the current key. */
  async function pass(table: string, column: string): Promise<number> {
    let found = 0;
    let after = "";
    for (;;) {
      const rows = await anyTable
        .selectFrom(table)
        .select(["id", `${column} as value`])
        .where("id", ">", after)
        .where(column, "not like", `${keyring.currentPrefix()}%`)
        .orderBy("id")
        .limit(BATCH)
        .execute();
      for (const { id, value } of rows) {
        if (unreadable.has(`${table} ${id}`)) continue;
        found += 1;
        if (await renew({ table, id, column }, value)) done += 1;
      }
      if (rows.length > 0) progress?.(done);
      if (rows.length < BATCH) return found;
      after = rows.at(-1)!.id;
    }
  }

  for (const [table, column] of sealedColumns) {
    for (let passes = 0; passes < PASSES && (await pass(table, column)) > 0; passes += 1);
  }
  if (unreadable.size > 0) {
    const reasons = [...unreadable.values()].join("; ");
    throw new Error(`${done} values were re-encrypted, but ${unreadable.size} cannot be read: ${reasons}`);
  }
  return done;
}
