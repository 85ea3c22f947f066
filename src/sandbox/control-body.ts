import type { Static, TSchema } from "typebox";

/** Parses the bodies of one control route, or returns everything that is wrong with them. */
export function controlBody<Schema extends TSchema>(
  schema: Schema,
): (body: unknown) => Promise<Static<Schema> | { problems: string[] }> {
  const load = async () => (await import("typebox/compile")).Compile(schema);
  let loading: ReturnType<typeof load> | undefined;
  return async (body) => {
    // Loaded with the first body, because most processes never need it.
    loading ??= load();
    const validator = await loading;
    if (validator.Check(body)) return body as Static<Schema>;
    const problems = [...validator.Errors(body)].flatMap((error) => {
      const field = error.instancePath.slice(1).replaceAll("/", ".");
      if (error.keyword === "boolean") return [`${field} is not a known field`];
      if (error.keyword === "additionalProperties") return [];
      return [`${field || "the body"} ${error.message}`];
    });
    return { problems };
  };
}
