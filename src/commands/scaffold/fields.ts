// The fields of a record as the scaffold of a provider writes them: types, mapper and made-up values.

/** The part of a record's JSON schema that the scaffold reads. */
export interface FieldSchema {
  type: string | string[];
  format?: string;
  enum?: string[];
  properties?: Record<string, FieldSchema>;
  items?: FieldSchema;
}

const typesOf = ({ type }: FieldSchema) => [type].flat().filter((one) => one !== "null");
const isNullable = ({ type }: FieldSchema) => type.includes("null");
const isTime = ({ format }: FieldSchema) => format === "date-time";

/** The TypeScript type of a field that the made-up API sends just like the record has it. */
export function fieldType(schema: FieldSchema): string {
  const types = typesOf(schema).map((type) => {
    if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
    if (type === "integer") return "number";
    if (type === "array") return `(${fieldType(schema.items!)})[]`.replace(/^\((\w+)\)/, "$1");
    if (type !== "object") return type;
    const fields = Object.entries(schema.properties ?? {}).map(([name, inner]) => `${name}: ${fieldType(inner)}`);
    return `{ ${fields.join("; ")} }`;
  });
  return [...types, ...(isNullable(schema) ? ["null"] : [])].join(" | ");
}

/** How the mapper fills a field. */
export function mappedField(name: string, schema: FieldSchema): string {
  if (!isTime(schema)) return `item.${name}`;
  return isNullable(schema) ? `isoTime(item.${name})` : `firstTime(item.${name})`;
}

/** The value of a field of the emulator's item number `index` with its `text`. Nullable fields are null now and then. */
export function madeUpValue(name: string, schema: FieldSchema, items: string): string {
  const value = presentValue(name, schema, items);
  return isNullable(schema) ? `index % 3 === 2 ? null : ${value}` : value;
}

function presentValue(name: string, schema: FieldSchema, items: string): string {
  const [type] = typesOf(schema);
  if (schema.enum) return `${JSON.stringify(schema.enum).replaceAll(",", ", ")}[index % ${schema.enum.length}]!`;
  if (type === "array") return "[]";
  if (type === "boolean") return "index % 2 === 0";
  if (type === "number" || type === "integer") return "index + 1";
  if (type === "object") return madeUpObject(schema, items);
  if (isTime(schema)) return "hour(index).toISOString()";
  if (name === "id") return "String(index + 1)";
  if (name.endsWith("_id")) return "String((index % 4) + 1)";
  if (name.endsWith("email")) return `\`user-\${index + 1}@example.com\``;
  if (name.endsWith("url") || name === "website") return `\`https://example.com/${items}/\${index + 1}\``;
  return "text";
}

/** A person or another record, of which there are few. */
const FEW: Record<string, string> = { id: "String((index % 2) + 1)", email: '"zoe@example.com"' };
const madeUpObject = ({ properties = {} }: FieldSchema, items: string) =>
  `{ ${Object.entries(properties)
    .map(([name, inner]) => `${name}: ${FEW[name] ?? presentValue(name, inner, items)}`)
    .join(", ")} }`;
