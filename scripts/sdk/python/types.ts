// Python types from JSON schemas: objects are typed dictionaries, which are plain JSON at runtime.
import { singular } from "../../../src/categories/event-types.ts";
import { isObject, type JsonSchema, pascalCase, refName } from "../schema.ts";

const KEYWORDS = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if
  import in is lambda nonlocal not or pass raise return try while with yield`.split(/\s+/),
);

/** A name that Python accepts. */
export const safeName = (name: string) => (KEYWORDS.has(name) ? `${name}_` : name);

const literal = (value: unknown) => (value === null ? "None" : pythonValue(value));

/** A JSON value as Python writes it. */
export const pythonValue = (value: unknown) =>
  typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value);

/** A docstring: text of the table may contain what would end it. */
export const docstring = (text: string | undefined, indent = "    ") => {
  const escaped = text?.replaceAll("\\", "\\\\").replaceAll('"""', "'''").trim();
  const ended = escaped?.endsWith('"') ? `${escaped} ` : escaped;
  return ended ? `${indent}"""${ended}"""\n` : "";
};

export const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Whether values are sent or received: what is sent may be any sequence, what arrives is a list. */
export type Direction = "sent" | "received";

const union = (types: string[]) => {
  const unique = [...new Set(types)];
  return [...unique.filter((type) => type !== "None"), ...unique.filter((type) => type === "None")].join(" | ");
};

/** Collects the named types that others need. */
export class TypeWriter {
  /** By name, in the order in which they have to be declared. */
  readonly #declared = new Map<string, { code: string; schema: string }>();

  /** The type of a value. `name` is what an object in it is called, unless its schema says that itself. */
  typeOf(schema: JsonSchema, name: string, direction: Direction): string {
    const own = refName(schema) ?? (isObject(schema) ? schema.title : undefined);
    if (own) return union([own, ...(schema.type?.includes("null") && Array.isArray(schema.type) ? ["None"] : [])]);
    const { type, anyOf } = schema;
    if (schema.enum) return this.#enumType(schema);
    if ("const" in schema) return `Literal[${literal(schema.const)}]`;
    if (anyOf) return union(anyOf.map((one) => this.typeOf(one, name, direction)));
    if (Array.isArray(type)) return union(type.map((one) => this.typeOf({ ...schema, type: one }, name, direction)));
    if (type === "array") {
      const items = this.typeOf(schema.items ?? {}, pascalCase(singular(name)), direction);
      return direction === "sent" ? `Sequence[${items}]` : `list[${items}]`;
    }
    if (type === "object") return this.#objectType(schema, name, direction);
    // JSON has one type for both. What counts or identifies something is whole.
    if (type === "number") return /(Id|Number|Size)$/.test(name) ? "int" : "float";
    const plain: Record<string, string> = { string: "str", integer: "int", boolean: "bool", null: "None" };
    return plain[type ?? ""] ?? "Any";
  }

  #enumType({ type, enum: values = [] }: JsonSchema): string {
    // As text in a query, as a boolean in Python.
    if (values.length === 2 && values.every((value) => value === "true" || value === "false")) return "bool";
    const nullable = values.includes(null) || (Array.isArray(type) && type.includes("null"));
    const others = values.filter((value) => value !== null).map(literal);
    return union([`Literal[${others.join(", ")}]`, ...(nullable ? ["None"] : [])]);
  }

  #objectType(schema: JsonSchema, name: string, direction: Direction): string {
    if (Object.keys(schema.properties ?? {}).length > 0) return this.#nested(schema, name, direction);
    const { additionalProperties } = schema;
    const values =
      typeof additionalProperties === "object"
        ? this.typeOf(additionalProperties, pascalCase(singular(name)), direction)
        : "Any";
    return direction === "sent" ? `Mapping[str, ${values}]` : `dict[str, ${values}]`;
  }

  /** A change has the same parts as what it changes. */
  #nested(schema: JsonSchema, name: string, direction: Direction): string {
    const shared = name.replace("Change", "");
    const known = this.#declared.get(shared);
    if (known?.schema === JSON.stringify(schema)) return shared;
    return this.declare(name, schema, direction);
  }

  /** Declares a type of this name, after those of its parts. */
  declare(name: string, schema: JsonSchema, direction: Direction): string {
    const text = JSON.stringify(schema);
    const known = this.#declared.get(name);
    if (known && known.schema !== text) throw new Error(`Python SDK: two different types would be named ${name}`);
    if (!known) this.#declared.set(name, { code: this.#declaration(name, schema, direction), schema: text });
    return name;
  }

  #declaration(name: string, schema: JsonSchema, direction: Direction): string {
    const { properties = {}, required = [] } = schema;
    if (Object.keys(properties).length === 0) return `${name} = ${this.#objectType(schema, name, direction)}\n`;
    const fields = Object.entries(properties).map(([field, one]) => ({
      field,
      type: this.typeOf(one, name + pascalCase(field), direction),
      about: one.description,
      isRequired: required.includes(field),
    }));
    const always = fields.filter(({ isRequired }) => isRequired);
    const sometimes = fields.filter(({ isRequired }) => !isRequired);
    const classOf = (own: string, base: string, members: typeof fields) => {
      if (members.some(({ field }) => KEYWORDS.has(field))) {
        const entries = members.map(({ field, type }) => `${JSON.stringify(field)}: ${JSON.stringify(type)}`);
        return `${own} = TypedDict(${JSON.stringify(own)}, {${entries.join(", ")}}${base.includes("total") ? ", total=False" : ""})\n`;
      }
      const lines = members.map(({ field, type, about }) => `    ${field}: ${type}\n${docstring(about)}`);
      return `class ${own}(${base}):\n${docstring(own === name ? schema.description : undefined)}${lines.join("")}`;
    };
    if (sometimes.length === 0) return classOf(name, "TypedDict", always);
    if (always.length === 0) return classOf(name, "TypedDict, total=False", sometimes);
    // `NotRequired` is in Python 3.11 and later.
    return `${classOf(`_${name}Required`, "TypedDict", always)}\n${classOf(name, `_${name}Required, total=False`, sometimes)}`;
  }

  code(): string {
    return [...this.#declared.values()].map(({ code }) => code).join("\n");
  }
}
