import { Ajv } from "ajv";

interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: unknown;
  maxProperties?: number;
  anyOf?: unknown;
}

/** Whether a schema names all that its documents may contain: what it does not name is left out of a response. */
function namesEverything({ type, properties = {}, items, additionalProperties, anyOf }: Schema): boolean {
  if (anyOf !== undefined) return false;
  const types = [type].flat();
  if (types.includes("object") && additionalProperties !== false) return false;
  if (types.includes("array") && !items) return false;
  return [...Object.values(properties), ...(items ? [items] : [])].every(namesEverything);
}

/** Where all properties are required, counting them is faster than looking for one that is not named. */
const countProperties = (schema: Schema): Schema =>
  schema?.additionalProperties === false && schema.required?.length === Object.keys(schema.properties ?? {}).length
    ? { ...schema, additionalProperties: true, maxProperties: schema.required.length }
    : schema;

let ajv: Ajv | undefined;

/**
 * A test whether a body is exactly what its schema says, so that `JSON.stringify` writes the same as the serializer of the
 * schema, and much faster; undefined if the schema leaves something open.
 */
export function exactCheck(schema: object): ((body: unknown) => boolean) | undefined {
  if (!namesEverything(schema as Schema)) return undefined;
  // A text stays as it is whatever its format.
  ajv ??= new Ajv({ strict: false, validateFormats: false });
  return ajv.compile(JSON.parse(JSON.stringify(schema), (_, part) => countProperties(part)));
}
