import { hash } from "node:crypto";
import type { TSchema } from "typebox";
import { recordKey } from "../../engine/index.ts";

/** Longer ids are replaced by a hash. An index entry in Postgres is limited to 2,700 bytes. */
const MAX_ID_LENGTH = 500;
const HASH_BYTES = 12;

interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
}

/** What a record is tracked by: its id, or for records without one its name or commit. */
export function trackedId(record: unknown): string {
  const key = recordKey(record);
  return key.length > MAX_ID_LENGTH || key.includes("\0") ? `sha256:${hash("sha256", key)}` : key;
}

/** What is known of a record that is gone: the field that it was tracked by. */
export function remains(schema: TSchema, id: string): Record<string, string> {
  const { properties = {} } = schema as Schema;
  return { [["id", "name", "sha"].find((field) => field in properties) ?? "id"]: id };
}

/** Only the fields of the schema, in its order: what Unified returns, and the same for equal records. */
export function normalize(schema: TSchema, record: unknown): Record<string, unknown> {
  return select(schema as Schema, record) as Record<string, unknown>;
}

function select({ properties, items }: Schema, value: unknown): unknown {
  if (Array.isArray(value)) return items ? value.map((item) => select(items, item)) : value;
  if (!properties || typeof value !== "object" || value === null) return value;
  const fields = value as Record<string, unknown>;
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, select(schema, fields[name])]));
}

/** Differs if anything in the record does. */
export const recordHash = (normalized: unknown): string =>
  hash("sha256", JSON.stringify(normalized), "buffer").toString("base64url", 0, HASH_BYTES);
