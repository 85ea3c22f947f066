import type { FastifyInstance } from "fastify";

/** What is data in a schema, and so is not converted. */
const DATA = ["const", "default", "enum", "example", "required"];

/** A schema of OpenAPI 3.1 in the words of 3.0, which knows neither `const` nor `propertyNames` nor several types. */
function toSchema30({ type, const: only, propertyNames: _, ...rest }: Record<string, unknown>): object {
  const schema = only === undefined ? rest : { ...rest, enum: [only] };
  if (!Array.isArray(type)) return type === undefined ? schema : { type, ...schema };
  const types = type.filter((one) => one !== "null");
  const nullable = types.length < type.length ? { nullable: true } : {};
  if (types.length > 1) return { ...schema, anyOf: types.map((one) => ({ type: one, ...nullable })) };
  const values = nullable.nullable && Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {};
  return { type: types[0], ...nullable, ...schema, ...values };
}

/** `named` is an object whose keys are names of somebody's choice, such as `type`. */
function convert(value: unknown, named = false): unknown {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((one) => convert(one));
  const copy = Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      !named && DATA.includes(name) ? inner : convert(inner, !named && name === "properties"),
    ]),
  );
  return named ? copy : toSchema30(copy);
}

/** The same document in OpenAPI 3.0, for generators that do not read 3.1. */
export const toOpenApi30 = (document: object): object => ({ ...(convert(document) as object), openapi: "3.0.3" });

/** Serves a document in both versions, as `openapi.json` and `openapi-3.0.json`. It is made when it is first read. */
export function serveDocument(app: FastifyInstance, create: () => object, path = ""): void {
  let document: object | undefined;
  let older: object | undefined;
  const current = () => {
    document ??= create();
    return document;
  };
  const config = { access: "public" as const };
  app.get(`${path}/openapi.json`, { config }, async () => current());
  app.get(`${path}/openapi-3.0.json`, { config }, async () => {
    older ??= toOpenApi30(current());
    return older;
  });
}
