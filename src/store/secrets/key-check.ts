import type { Kysely } from "kysely";
import type { Database } from "../database/schema.ts";
import { now } from "../database/time.ts";
import { keptColumns, withEncryptedTables } from "./encrypted-columns.ts";
import { type Keyring, keyIdOf, keyPrefix, type SecretLocation } from "./vault.ts";

/** The configured keys are not those of the database. The message names keys by their ids. */
export class KeyMismatchError extends Error {}

const CHECK_TEXT = "plugboard";
/** How many damaged values may be older than the first intact one. */
const MAX_OLDEST = 100;

const checkLocation = (id: string): SecretLocation => ({ table: "encryption_keys", id, column: "check_value" });

/**
 * Makes sure that the configured keys are those of the database, before anything is encrypted with a wrong one. The
 * table `encryption_keys` has a check value for each key that secrets may be encrypted with:
 * - At least one configured key must be known, and each known one must decrypt its check value. Other configured keys
 *   are taken for new ones, as in a rotation.
 * - A known key that is not configured must not be needed any more.
 * A database without check values is checked against its oldest secret.
 *
 * Must run in the exclusive transaction of the migrations: of two processes that start with different keys on an empty
 * database, one is refused.
 */
export async function verifyKeys(database: Kysely<Database>, keyring: Keyring): Promise<void> {
  const { added, unneeded } = await compareKeys(database, keyring);
  for (const id of unneeded) await database.deleteFrom("encryption_keys").where("id", "=", id).execute();
  if (added.length === 0) return;
  const rows = added.map((id) => ({
    id,
    check_value: keyring.encrypt(CHECK_TEXT, checkLocation(id), id),
    created_at: now(),
  }));
  await database
    .insertInto("encryption_keys")
    .values(rows)
    // A key may be given twice.
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}

/** The part of it that only reads. Returns the new keys, and those that are not needed any more. */
export async function compareKeys(
  database: Kysely<Database>,
  keyring: Keyring,
): Promise<{ added: string[]; unneeded: string[] }> {
  const configured = keyring.ids();
  const known = await database.selectFrom("encryption_keys").select(["id", "check_value"]).execute();
  const matching = known.filter(({ id }) => configured.includes(id));
  if (known.length === 0) await verifyOldestSecret(database, keyring, configured);
  else if (matching.length === 0 || !matching.every(({ id, check_value }) => isIntact(keyring, id, check_value)))
    throw mismatch(
      known.map(({ id }) => id),
      configured,
    );

  const unneeded = known.map(({ id }) => id).filter((id) => !configured.includes(id));
  for (const id of unneeded)
    if (await isNeeded(database, id))
      throw new KeyMismatchError(
        `the database still has secrets that are encrypted with key ${id}, which is not configured. Add it after the current key, and run "plugboard keys rotate-encryption" before you remove it`,
      );
  return { added: configured.filter((id) => !known.some((key) => key.id === id)), unneeded };
}

function isIntact(keyring: Keyring, id: string, checkValue: string): boolean {
  try {
    return keyring.decrypt(checkValue, checkLocation(id)) === CHECK_TEXT;
  } catch {
    return false;
  }
}

/** The oldest secret decides: a wrong key that an earlier version accepted has only written newer ones. */
async function verifyOldestSecret(database: Kysely<Database>, keyring: Keyring, configured: string[]): Promise<void> {
  const tables = withEncryptedTables(database);
  const oldest: { value: string; created_at: number; location: SecretLocation }[] = [];
  for (const [table, column] of keptColumns) {
    const rows = await tables
      .selectFrom(table)
      .select(["id", `${column} as value`, "created_at"])
      .where(column, "is not", null)
      .orderBy("created_at")
      .limit(MAX_OLDEST)
      .execute();
    for (const { id, value, created_at } of rows)
      oldest.push({ value: value as string, created_at, location: { table, id, column } });
  }
  oldest.sort((one, other) => one.created_at - other.created_at);
  for (const { value, location } of oldest) {
    const id = keyIdOf(value);
    if (id === undefined) continue;
    if (!configured.includes(id)) throw mismatch([id], configured);
    try {
      keyring.decrypt(value, location);
      return;
    } catch {
      // This value is damaged; the next one decides.
    }
  }
}

async function isNeeded(database: Kysely<Database>, id: string): Promise<boolean> {
  const tables = withEncryptedTables(database);
  for (const [table, column] of keptColumns) {
    const row = await tables
      .selectFrom(table)
      .select("id")
      .where(column, "like", `${keyPrefix(id)}%`)
      .limit(1)
      .executeTakeFirst();
    if (row) return true;
  }
  return false;
}

const mismatch = (known: string[], configured: string[]) =>
  new KeyMismatchError(
    `the database's secrets are encrypted with key ${known.join(" or ")}, but the configured key is ${configured.join(", ")}. Configure the key that was used before`,
  );
