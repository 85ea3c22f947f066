import type { BoundOperation, Category } from "../../contracts/operation.ts";
import { componentsByTitle, jsonContent, parametersIn, templatePath } from "../shared/openapi.ts";
import { ErrorBody } from "./errors.ts";
import { headersOf, paramsOf, querySchema } from "./input.ts";
import { responseBody } from "./response.ts";

interface UnifiedDocumentOptions {
  categories: readonly Category[];
  headerPrefix: string;
  url: string;
}

/** The Unified API's description, made from the table of operations with the very schemas that check a request. */
export function unifiedDocument({ categories, headerPrefix, url }: UnifiedDocumentOptions): object {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { title, bound } of categories)
    for (const operation of bound) {
      const path = templatePath(operation.route);
      paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation, title, headerPrefix) };
    }
  return componentsByTitle({
    openapi: "3.1.0",
    info: {
      title: "Plugboard Unified API",
      version: "1.0.0",
      description:
        "One set of operations over many providers. Every call names a connection, and answers with the same records whatever the provider. A provider's own error is passed through as it came.",
    },
    servers: [{ url }],
    tags: categories.map(({ title }) => ({ name: title })),
    security: [{ bearer: [] }],
    paths,
    components: { securitySchemes: { bearer: { type: "http", scheme: "bearer", description: "The API key" } } },
  });
}

function describe(operation: BoundOperation, tag: string, headerPrefix: string): object {
  const { summary, description, id, body } = operation;
  return {
    operationId: id.replace(".", "_"),
    tags: [tag],
    summary,
    ...(description ? { description } : {}),
    parameters: [
      ...parametersIn("header", headersOf(headerPrefix)),
      ...parametersIn("path", paramsOf(operation)),
      ...parametersIn("query", querySchema(operation)),
    ],
    ...(body ? { requestBody: { required: true, content: jsonContent(body) } } : {}),
    responses: {
      200: { description: "OK", content: jsonContent(responseBody(operation)) },
      400: failure("A header or parameter is missing or wrong; `path` says which"),
      401: failure("The API key is missing or not known"),
      404: failure("No such connection, it cannot be used any more, or its provider does not have this operation"),
      429: failure("Over the connection's rate limit; `Retry-After` says when to go on"),
      500: failure("A mistake of ours"),
    },
  };
}

const failure = (description: string) => ({ description, content: jsonContent(ErrorBody) });
