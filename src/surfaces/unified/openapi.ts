import type { BoundOperation, Category } from "../../contracts/operation.ts";
import { componentsByTitle, jsonContent, parametersIn, templatePath } from "../shared/openapi.ts";
import { pathParamSchemas } from "../shared/operation-input.ts";
import { ErrorBody } from "./errors.ts";
import { headerSchemas, querySchemas } from "./input.ts";
import { responseSchema } from "./response.ts";

interface UnifiedDocumentOptions {
  categories: readonly Category[];
  headerPrefix: string;
  /** Where the surface is: its public address, or a path on the same host. */
  serverUrl: string;
}

/** The OpenAPI document of the Unified API, made from the operations and the schemas that validate requests. */
export function unifiedDocument({ categories, headerPrefix, serverUrl }: UnifiedDocumentOptions): object {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { title, bound } of categories)
    for (const operation of bound) {
      const path = templatePath(operation.route);
      paths[path] = {
        ...paths[path],
        [operation.method.toLowerCase()]: describeOperation(operation, title, headerPrefix),
      };
    }
  return componentsByTitle({
    openapi: "3.1.0",
    info: {
      title: "Plugboard Unified API",
      version: "1.0.0",
      description:
        "One set of operations for many providers. Every call names a connection and returns records in the same format, whatever the provider. Errors from the provider are passed through unchanged.",
    },
    servers: [{ url: serverUrl }],
    tags: categories.map(({ title }) => ({ name: title })),
    security: [{ bearer: [] }],
    paths,
    components: { securitySchemes: { bearer: { type: "http", scheme: "bearer", description: "The API key" } } },
  });
}

function describeOperation(operation: BoundOperation, tag: string, headerPrefix: string): object {
  const { summary, description, id, body } = operation;
  return {
    operationId: id.replace(".", "_"),
    tags: [tag],
    summary,
    ...(description ? { description } : {}),
    parameters: [
      ...parametersIn("header", headerSchemas(headerPrefix, operation.kind)),
      ...parametersIn("path", pathParamSchemas(operation)),
      ...parametersIn("query", querySchemas(operation)),
    ],
    ...(body ? { requestBody: { required: true, content: jsonContent(body, operation.sample) } } : {}),
    ...(operation.kind === "upload" ? { requestBody: { required: true, content: FILE } } : {}),
    responses: {
      200: {
        description: "OK",
        ...(operation.kind === "list" ? { headers: skippedHeader(headerPrefix) } : {}),
        content: successContent(operation),
      },
      400: failure("A header or parameter is missing or invalid; `path` says which"),
      401: failure("The API key is missing or unknown"),
      404: failure(
        "The connection does not exist or can no longer be used, or its provider does not support this operation",
      ),
      429: failure("The connection's rate limit was exceeded; `Retry-After` says when to retry"),
      500: failure("Internal error"),
    },
  };
}

const skippedHeader = (prefix: string) => ({
  [`${prefix}Skipped-Items`]: {
    description: "How many items of the provider could not be read and are missing in `data`; only if there are any",
    schema: { type: "integer" },
  },
});

const FILE = { "*/*": { schema: { type: "string", format: "binary", description: "The content of the file" } } };

/** A list can also be streamed, a record per line. */
function successContent(operation: BoundOperation): object {
  if (operation.kind === "download") return { "*/*": { schema: operation.record } };
  const json = jsonContent(responseSchema(operation));
  return operation.kind === "list" ? { ...json, "application/x-ndjson": { schema: operation.record } } : json;
}

const failure = (description: string) => ({ description, content: jsonContent(ErrorBody) });
