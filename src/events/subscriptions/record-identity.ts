import { hash } from "node:crypto";
import type { TSchema } from "typebox";

/** Longer ids are replaced by a hash. An index entry in Postgres is limited to 2,700 bytes. */
const MAX_ID_LENGTH = 500;
const HASH_BYTES = 12;

interface RecordSchema {
  properties?: Record<string, RecordSchema>;
  items?: RecordSchema;
}

/** An id that the provider did not send, converted to text. */
const NO_IDS = ["null", "undefined", "NaN"];

/** What records are tracked by: their id, or their name or commit if the schema has none. */
const identityField = (schema: TSchema): string =>
  ["id", "name", "sha"].find((field) => field in ((schema as RecordSchema).properties ?? {})) ?? "id";

/** Undefined for a record without an id: it cannot be distinguished from others. */
export function trackedId(schema: TSchema, record: unknown): string | undefined {
  const field = identityField(schema);
  const key = String((record as Record<string, unknown>)[field] ?? "");
  if (key === "" || (field === "id" && NO_IDS.includes(key))) return undefined;
  return key.length > MAX_ID_LENGTH || key.includes("\0") ? `sha256:${hash("sha256", key)}` : key;
}

/** The record of a `deleted` event: only the field that it was tracked by is known. */
export const deletedRecord = (schema: TSchema, id: string): Record<string, string> => ({ [identityField(schema)]: id });

/** Only the fields of the schema, in its order: what Unified returns, and the same for equal records. */
export function normalize(schema: TSchema, record: unknown): Record<string, unknown> {
  return select(schema as RecordSchema, record) as Record<string, unknown>;
}

function select({ properties, items }: RecordSchema, value: unknown): unknown {
  if (Array.isArray(value)) return items ? value.map((item) => select(items, item)) : value;
  if (!properties || typeof value !== "object" || value === null) return value;
  const fields = value as Record<string, unknown>;
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, select(schema, fields[name])]));
}

/**
 * Differs if anything in the record does. A custom field without a value does not count: declaring one changes no record
 * that has none.
 */
export function recordHash({ custom, ...record }: Record<string, unknown>): string {
  const filled = Object.entries((custom as object | undefined) ?? {}).filter(([, value]) => value !== null);
  const hashed = filled.length > 0 ? { ...record, custom: Object.fromEntries(filled) } : record;
  return hash("sha256", JSON.stringify(hashed), "buffer").toString("base64url", 0, HASH_BYTES);
}
