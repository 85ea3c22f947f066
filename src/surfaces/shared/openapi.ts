import type { TProperties } from "typebox";

/** `/v1/things/:id` in the words of OpenAPI. */
export const templatePath = (route: string): string => route.replace(/:(\w+)/g, "{$1}");

export function parametersIn(place: "header" | "path" | "query", schemas: TProperties = {}): object[] {
  return Object.entries(schemas).map(([name, schema]) => {
    const { description, example, ...rest } = JSON.parse(JSON.stringify(schema));
    return {
      name,
      in: place,
      // The mark of an optional schema is not part of the schema.
      required: !("~optional" in schema),
      ...(description ? { description } : {}),
      ...(example ? { example } : {}),
      schema: rest,
    };
  });
}

export const jsonContent = (schema: object) => ({ "application/json": { schema } });

/**
 * Moves every schema that has a title to `components`, once, and refers to it by name: readers see names, and tools
 * that make types from the document find them.
 */
export function componentsByTitle(document: object): object {
  const schemas: Record<string, unknown> = {};

  function walk(value: unknown): unknown {
    if (value === null || typeof value !== "object") return value;
    if (Array.isArray(value)) return value.map(walk);
    const { title, ...rest } = value as Record<string, unknown>;
    const copy = Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, walk(inner)]));
    // `info` has a title, too: a schema also has a type.
    if (typeof title !== "string" || !("type" in copy)) return title === undefined ? copy : { title, ...copy };
    schemas[title] = copy;
    return { $ref: `#/components/schemas/${title}` };
  }

  const walked = walk(document) as { components?: Record<string, unknown> };
  return { ...walked, components: { ...walked.components, schemas } };
}
