import { isDeepStrictEqual } from "node:util";
import type { TProperties } from "typebox";
import { errorSourceHeader } from "./error-source.ts";
import { warningHeader } from "./unknown-parameters.ts";

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

/** Response headers by name. */
export type Headers = Record<string, { description: string; schema: object }>;

export const textHeader = (description: string, schema: object = {}) => ({
  description,
  schema: { type: "string", ...schema },
});
export const countHeader = (description: string) => ({ description, schema: { type: "integer", minimum: 0 } });

export const REQUEST_ID: Headers = {
  "X-Request-Id": textHeader("Finds the request in the logs; the client's own `X-Request-Id`, if it sent one"),
};
export const RETRY_AFTER: Headers = { "Retry-After": textHeader("Seconds to wait before the next attempt") };
/** Of every response of an API that names unknown query parameters. */
export const headersOfAll = (headerPrefix: string): Headers => ({
  ...REQUEST_ID,
  [warningHeader(headerPrefix)]: textHeader(
    "Query parameters that have no effect, if any, and what was probably meant",
  ),
});
const CHALLENGE: Headers = { "WWW-Authenticate": textHeader("`Bearer`, and what the key lacks if it lacks something") };

export interface ErrorResponse {
  /** Its name in the document. */
  name: string;
  description: string;
  headers?: Headers;
  /** Instead of the error's JSON. */
  content?: object;
}

type ErrorResponses = Record<string, ErrorResponse>;

/** A response's headers, as references to the document's components. */
export const headerRefs = (headers: Headers) =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** An operation's error responses by status, as references to the document's components. */
export const errorRefs = (errors: ErrorResponses) =>
  Object.fromEntries(
    Object.entries(errors).map(([status, { name }]) => [status, { $ref: `#/components/responses/${name}` }]),
  );

/** The components of a document: what its operations refer to. `body` is the schema of an error; `ofAll` are headers. */
export function errorComponents(
  errors: ErrorResponses,
  { body, headerPrefix, ofAll }: { body: object; headerPrefix: string; ofAll: Headers },
) {
  const source = textHeader("Whose error it is", { enum: ["plugboard", "provider"] });
  const headers: Headers = { ...ofAll };
  const responses = Object.entries(errors).map(
    ([status, { name, description, content = jsonContent(body), ...more }]) => {
      const own = {
        ...ofAll,
        [errorSourceHeader(headerPrefix)]: source,
        ...(status === "401" || status === "403" ? CHALLENGE : {}),
        ...more.headers,
      };
      Object.assign(headers, own);
      return [name, { description, headers: headerRefs(own), content }];
    },
  );
  return { headers, responses: Object.fromEntries(responses) };
}

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
    if (title in schemas && !isDeepStrictEqual(schemas[title], copy)) throw new Error(`two schemas are named ${title}`);
    schemas[title] = copy;
    return { $ref: `#/components/schemas/${title}` };
  }

  const walked = walk(document) as { components?: Record<string, unknown> };
  return { ...walked, components: { ...walked.components, schemas } };
}
