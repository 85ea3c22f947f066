// Checks a value against a schema of an API description: OpenAPI 3, Swagger 2 or Google's discovery format.
import { Ajv, type ValidateFunction } from "ajv";

export type Schema = Record<string, any>;

const DROP = new Set([
  "example",
  "examples",
  "xml",
  "externalDocs",
  "discriminator",
  "deprecated",
  "title",
  "description",
  // The name of a schema in a discovery document.
  "id",
]);

/** Slack's description writes a union as a list of `items` on a schema that is not an array. */
const isUnion = (node: Schema): boolean => Array.isArray(node.items) && node.type !== "array";

/** A reference into another document, which is not available: the value is not checked. */
const isExternal = ({ $ref }: Schema): boolean => typeof $ref === "string" && /^https?:/.test($ref);

/**
 * Microsoft's descriptions say of every type that further properties are objects. It is said of the parts of a type,
 * too, which would then exclude each other's properties, so it is not taken into account.
 */
const isOpenType = ({ additionalProperties, properties, title }: Schema): boolean =>
  additionalProperties?.type === "object" &&
  Object.keys(additionalProperties).length === 1 &&
  (properties !== undefined || title !== undefined);

/** Rewrites a description's schemas into JSON Schema: `nullable`, references, unions. */
function toJsonSchema(node: any, refPrefix: (ref: string) => string, inProperties = false): any {
  if (Array.isArray(node)) return node.map((one) => toJsonSchema(one, refPrefix));
  if (node === null || typeof node !== "object") return node;
  if (!inProperties && isExternal(node)) return {};
  const isOpen = !inProperties && isOpenType(node);
  const out: Schema = {};
  for (const [key, value] of Object.entries(node)) {
    if (isOpen && key === "additionalProperties") continue;
    // Discovery documents say so of a value that may be anything.
    if (!inProperties && key === "type" && value === "any") continue;
    if (!inProperties && DROP.has(key) && typeof value !== "object") continue;
    if (!inProperties && (DROP.has(key) || key.startsWith("x-"))) continue;
    if (!inProperties && (key === "exclusiveMinimum" || key === "exclusiveMaximum") && typeof value === "boolean")
      continue;
    // A part of its own in some descriptions, where JSON Schema validators expect a type next to it.
    if (!inProperties && key === "nullable" && typeof value === "boolean") continue;
    if (!inProperties && key === "$ref" && typeof value === "string") out.$ref = refPrefix(value);
    else if (!inProperties && (key === "enum" || key === "default" || key === "const")) out[key] = value;
    else
      out[key] = toJsonSchema(value, refPrefix, !inProperties && (key === "properties" || key === "patternProperties"));
  }
  if (inProperties) return out;
  // Discovery and old descriptions mark required properties one by one.
  if (typeof out.required === "boolean") delete out.required;
  if (Array.isArray(out.items)) {
    const { items, ...rest } = out;
    return isUnion(node) ? { ...rest, anyOf: items } : { ...rest, items: { anyOf: items } };
  }
  return node.nullable === true || node["x-nullable"] === true ? { anyOf: [out, { type: "null" }] } : out;
}

export interface SchemaReader {
  /** One text per error. */
  check(schema: Schema, value: unknown): string[];
  /** Properties that the description does not mention. */
  unknown(schema: Schema, value: unknown): string[];
}

export function createSchemaReader(document: Schema, discovery = false): SchemaReader {
  // Descriptions have patterns with escapes that are only valid without the flag `u`.
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    validateFormats: false,
    inlineRefs: false,
    unicodeRegExp: false,
    // Each schema is used a few times, so shorter code would not pay.
    code: { optimize: false },
  });
  const find = (ref: string): Schema | undefined =>
    (discovery ? ["schemas", ref] : ref.slice(2).split("/")).reduce(
      (node: any, part) => node?.[decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~")],
      document,
    );

  const names = new Map<string, string>();
  /** The name of a schema that is referred to. Only those are rewritten: descriptions have thousands. */
  function refs(ref: string): string {
    const known = names.get(ref);
    if (known !== undefined) return known;
    const name = `schema-${names.size}`;
    names.set(ref, name);
    ajv.addSchema(toJsonSchema(find(ref), refs), name);
    return name;
  }
  const compiled = new WeakMap<Schema, ValidateFunction>();

  const resolve = (schema: Schema): Schema => {
    let at: Schema | undefined = schema;
    while (at?.$ref) {
      if (isExternal(at)) return {};
      at = find(at.$ref);
    }
    return at ?? {};
  };

  /**
   * If a value shares properties with only one of several alternatives, that one. An error among them often requires
   * nothing, so that any answer would match it.
   */
  function closestAlternative(schema: Schema, value: unknown): Schema {
    const { oneOf } = resolve(schema);
    if (!oneOf || value === null || typeof value !== "object") return schema;
    const near = oneOf.filter((part: Schema) =>
      Object.keys(resolve(part).properties ?? {}).some((name) => Object.hasOwn(value, name)),
    );
    return near.length === 1 ? near[0] : schema;
  }

  const known = new WeakMap<Schema, Schema[]>();
  /** A schema and every schema that it refers to or is composed of. */
  function parts(schema: Schema): Schema[] {
    const found = known.get(schema) ?? addParts(schema, []);
    known.set(schema, found);
    return found;
  }

  function addParts(schema: Schema, found: Schema[]): Schema[] {
    const own = resolve(schema);
    if (found.includes(own)) return found;
    found.push(own);
    const union = isUnion(own) ? own.items : [];
    for (const part of [...(own.allOf ?? []), ...(own.anyOf ?? []), ...(own.oneOf ?? []), ...union])
      addParts(part, found);
    return found;
  }

  function collect(schemas: Schema[], value: unknown, at: string, out: Set<string>): void {
    const all = schemas.flatMap((schema) => parts(schema));
    if (Array.isArray(value)) {
      const items = all.flatMap((part) => (part.items && !isUnion(part) ? [part.items as Schema].flat() : []));
      if (items.length > 0) for (const item of value) collect(items, item, `${at}/*`, out);
      return;
    }
    if (value === null || typeof value !== "object") return;
    const declared = all.filter((part) => part.properties);
    const further = all.filter((part) => !isOpenType(part));
    const open = further.some(
      (part) => part.patternProperties || (part.additionalProperties && part.additionalProperties !== false),
    );
    // Schemas of the properties that are not named.
    const others = further.map((part) => part.additionalProperties).filter((one) => typeof one === "object");
    if (declared.length === 0 && others.length === 0) return;
    for (const [key, child] of Object.entries(value)) {
      const found = declared.flatMap((part) => (Object.hasOwn(part.properties, key) ? [part.properties[key]] : []));
      if (found.length > 0) collect(found, child, `${at}/${key}`, out);
      else if (others.length > 0) collect(others, child, `${at}/*`, out);
      else if (!open) out.add(`${at}/${key} is not described`);
    }
  }

  return {
    check(described, value) {
      const schema = closestAlternative(described, value);
      let validate = compiled.get(schema);
      if (!validate) {
        validate = ajv.compile(toJsonSchema(schema, refs));
        compiled.set(schema, validate);
      }
      if (validate(value)) return [];
      const texts = (validate.errors ?? []).map(
        (error) => `${error.instancePath.replace(/\/\d+/g, "/*")} ${error.message ?? error.keyword}`,
      );
      return [...new Set(texts)];
    },
    unknown(schema, value) {
      const out = new Set<string>();
      collect([schema], value, "", out);
      return [...out];
    },
  };
}
