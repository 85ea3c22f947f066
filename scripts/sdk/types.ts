// TypeScript types from JSON schemas.

import { isObject, type JsonSchema } from "./schema.ts";

export const comment = (text: string | undefined, indent = "") =>
  text ? `${indent}/** ${text.replaceAll("*/", "* /").replaceAll(/\s+/g, " ")} */\n` : "";

const quoted = (name: string) => (/^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name));

/** The members of an object type, one per line. */
export const members = ({ properties = {}, required = [] }: JsonSchema, indent: string): string =>
  Object.entries(properties)
    .map(([name, schema]) => {
      const mark = required.includes(name) ? "" : "?";
      return `${comment(schema.description, indent)}${indent}${quoted(name)}${mark}: ${typeOf(schema, indent)};\n`;
    })
    .join("");

function objectType(schema: JsonSchema, indent: string): string {
  if (schema.properties && Object.keys(schema.properties).length > 0)
    return `{\n${members(schema, `${indent}  `)}${indent}}`;
  const { additionalProperties } = schema;
  const values = typeof additionalProperties === "object" ? typeOf(additionalProperties, indent) : "unknown";
  return `Record<string, ${values}>`;
}

/** The type of a value. A schema with a title has a type of that name. */
export function typeOf(schema: JsonSchema, indent = ""): string {
  if (schema.$ref) return schema.$ref.split("/").at(-1)!;
  if (schema.title && isObject(schema)) return schema.title;
  return unnamedType(schema, indent);
}

function unnamedType(schema: JsonSchema, indent: string): string {
  const { type, anyOf, items = {} } = schema;
  if (schema.enum) {
    const nullable = Array.isArray(type) && type.includes("null") && !schema.enum.includes(null);
    return [...schema.enum, ...(nullable ? [null] : [])].map((value) => JSON.stringify(value)).join(" | ");
  }
  if ("const" in schema) return JSON.stringify(schema.const);
  if (anyOf) return anyOf.map((one) => typeOf(one, indent)).join(" | ");
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one }, indent)).join(" | ");
  if (type === "array") {
    const item = typeOf(items, indent);
    return /[ |{]/.test(item) ? `Array<${item}>` : `${item}[]`;
  }
  if (type === "object") return objectType(schema, indent);
  if (type === "integer") return "number";
  return ["string", "number", "boolean", "null"].includes(type ?? "") ? type! : "unknown";
}

/** Declares a type for an object schema. A body that must not be empty has at least one of its fields. */
export function declareType(name: string, schema: JsonSchema): string {
  const about = comment(schema.description);
  if (!schema.properties) return `${about}export type ${name} = ${unnamedType(schema, "")};\n`;
  if (schema.minProperties) return `${about}export type ${name} = AtLeastOne<{\n${members(schema, "  ")}}>;\n`;
  return `${about}export interface ${name} {\n${members(schema, "  ")}}\n`;
}

/** Methods by their place, such as `["git", "issues", "list"]`, as a nested object literal. */
export function objectLiteral(methods: { place: string[]; about: string; code: string }[], depth = 1): string {
  const indent = "  ".repeat(depth);
  const names = [...new Set(methods.map(({ place }) => place[0]!))];
  return names
    .map((name) => {
      const inside = methods.filter(({ place }) => place[0] === name);
      const own = inside.find(({ place }) => place.length === 1);
      if (own && inside.length > 1) throw new Error(`SDK: ${inside.length} operations would be named "${name}"`);
      if (own) return `${comment(own.about, indent)}${indent}${name}: ${own.code},\n`;
      const inner = inside.map((method) => ({ ...method, place: method.place.slice(1) }));
      return `${indent}${name}: {\n${objectLiteral(inner, depth + 1)}${indent}},\n`;
    })
    .join("");
}
