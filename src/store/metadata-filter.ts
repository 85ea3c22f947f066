import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import type { Database } from "./database/schema.ts";

/** Values that `metadata` has at its top level, as text. */
export type MetadataFilter = Readonly<Record<string, string>>;

/** Whether a number or a boolean could be stored as this text. */
function isBare(text: string): boolean {
  return text === "true" || text === "false" || (Number.isFinite(Number(text)) && String(Number(text)) === text);
}

/**
 * Selects every row that could match, without parsing anything: metadata is stored as `JSON.stringify` writes it, so a
 * field that matches occurs as this text. The functions for JSON differ between the databases, and Postgres' fail on
 * some escapes that clients may store.
 */
export function mayMatch(
  { eb, fn, ref, val, or, and }: ExpressionBuilder<Database, "connections">,
  filter: MetadataFilter,
): Expression<SqlBool> {
  const contains = (text: string) => eb(fn("replace", ["metadata", val(text), val("")]), "<>", ref("metadata"));
  return and(
    Object.entries(filter).map(([key, text]) => {
      const name = `${JSON.stringify(key)}:`;
      const asString = contains(name + JSON.stringify(text));
      return isBare(text) ? or([asString, contains(name + text)]) : asString;
    }),
  );
}

/** Whether the metadata has all the values. A number or a boolean matches the text that JSON writes for it. */
export const matches = (metadata: Readonly<Record<string, unknown>> | null, filter: MetadataFilter): boolean =>
  Object.entries(filter).every(([key, text]) => {
    const value = metadata && Object.hasOwn(metadata, key) ? metadata[key] : undefined;
    return typeof value === "string" ? value === text : isScalar(value) && JSON.stringify(value) === text;
  });

const isScalar = (value: unknown) => typeof value === "number" || typeof value === "boolean";
