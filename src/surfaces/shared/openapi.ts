import type { TProperties } from "typebox";

/** Turns `/v1/things/:id` into `/v1/things/{id}`. */
export const templatePath = (route: string): string => route.replace(/:(\w+)/g, "{$1}");

export function parametersIn(location: "header" | "path" | "query", schemas: TProperties = {}): object[] {
  return Object.entries(schemas).map(([name, schema]) => {
    const { description, ...rest } = JSON.parse(JSON.stringify(schema));
    return {
      name,
      in: location,
      // TypeBox marks optional schemas with a property that JSON.stringify leaves out.
      required: !("~optional" in schema),
      ...(description ? { description } : {}),
      // `filter[key]=value`; the default would be `key=value`.
      ...(rest.type === "object" ? { style: "deepObject", explode: true } : {}),
      schema: rest,
    };
  });
}

export const jsonContent = (schema: object, example?: object) => ({
  "application/json": { schema, ...(example === undefined ? {} : { example }) },
});

/**
 * Moves every schema that has a title to `components` and references it by name, for readers and for tools that
 * generate types from the document.
 */
export function componentsByTitle(document: object): object {
  const schemas: Record<string, unknown> = {};

  function walk(value: unknown): unknown {
    if (value === null || typeof value !== "object") return value;
    if (Array.isArray(value)) return value.map(walk);
    const { title, ...rest } = value as Record<string, unknown>;
    // An example is data: its `title` and `type` do not make it a schema.
    const copy = Object.fromEntries(
      Object.entries(rest).map(([name, inner]) => [name, name === "example" ? inner : walk(inner)]),
    );
    // `info` also has a title, but only a schema has a type.
    if (typeof title !== "string" || !("type" in copy)) return title === undefined ? copy : { title, ...copy };
    schemas[title] = copy;
    return { $ref: `#/components/schemas/${title}` };
  }

  const walked = walk(document) as { components?: Record<string, unknown> };
  return { ...walked, components: { ...walked.components, schemas } };
}
