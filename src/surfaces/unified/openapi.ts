import Type from "typebox";
import { bodyName, responseName } from "../../categories/sdk-method.ts";
import { type BoundOperation, type Category, isWrite } from "../../contracts/operation.ts";
import { DOWNLOAD_REQUEST_HEADERS } from "../../engine/index.ts";
import {
  componentsByTitle,
  countHeader,
  type ErrorResponse,
  errorComponents,
  errorRefs,
  type Headers,
  headerRefs,
  headersOfAll,
  jsonContent,
  parametersIn,
  RETRY_AFTER,
  templatePath,
  textHeader,
} from "../shared/openapi.ts";
import { pathParamSchemas } from "../shared/operation-input.ts";
import { accessTo } from "./access.ts";
import { ErrorBody } from "./errors.ts";
import { headerSchemas, querySchemas } from "./input.ts";
import { fieldsRoute, offeredFieldsSchema } from "./offered-fields.ts";
import { responseSchema } from "./response.ts";

interface UnifiedDocumentOptions {
  categories: readonly Category[];
  headerPrefix: string;
  /** Where the surface is: its public address, or a path on the same host. */
  serverUrl: string;
}

const countedHeaders = (headerPrefix: string): Headers => ({
  ...headersOfAll(headerPrefix),
  "X-RateLimit-Limit": countHeader("How many calls the connection may make in a window, if this one was counted"),
  "X-RateLimit-Remaining": countHeader("How many of them are left"),
  "X-RateLimit-Reset": countHeader("Seconds until the window ends"),
});
const REPLAYED: Headers = {
  "Idempotency-Replayed": textHeader("`true` if this is the response to an earlier request with the same key"),
};

/** Of every operation. */
const errors: Record<string, ErrorResponse> = {
  400: {
    name: "InvalidRequest",
    description: "A header, a parameter or the body is missing or invalid; `path` says which",
  },
  401: { name: "NotAuthorized", description: "The API key is missing, unknown or expired" },
  403: { name: "InsufficientScope", description: "The API key lacks the operation's scope, which `detail` names" },
  404: {
    name: "NotFound",
    description:
      "The connection does not exist or can no longer be used, its provider does not support this operation, or nothing has the short name in the path; `reason` says which",
  },
  408: { name: "ProviderTimeout", description: "The provider did not respond in time" },
  429: {
    name: "RateLimited",
    description: "The connection's rate limit was exceeded; `Retry-After` says when to retry",
  },
  500: { name: "InternalError", description: "Internal error; the log has the cause, by `X-Request-Id`" },
  502: {
    name: "ProviderUnreachable",
    description: "The provider cannot be reached, or its response cannot be read",
  },
  503: {
    name: "Unavailable",
    description:
      "The database is unavailable, or too many calls to this provider are waiting; `Retry-After` says when to retry",
  },
  default: {
    name: "ProviderError",
    description:
      "An error of the provider: its status, which can also be one of those above, its body and its content type, unchanged",
    content: { "*/*": { schema: {} } },
  },
};
/** Of operations that change something. */
const writeErrors: Record<string, ErrorResponse> = {
  409: {
    name: "IdempotencyConflict",
    description:
      "A request with the same `Idempotency-Key` is still running (code 7011), or may or may not have been carried out (7012)",
  },
  422: {
    name: "IdempotencyKeyReused",
    description: "The `Idempotency-Key` was used before with another request",
  },
};

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
      if (operation.kind === "list")
        paths[templatePath(fieldsRoute(operation))] = { get: describeFields(operation, title, headerPrefix) };
    }
  const hasWrites = categories.some(({ bound }) => bound.some(({ kind }) => isWrite(kind)));
  return componentsByTitle({
    openapi: "3.1.0",
    info: {
      title: "Plugboard Unified API",
      version: "1.0.0",
      description: `One set of operations for many providers. Every call names a connection and returns records in the same format, whatever the provider. Errors from the provider are passed through unchanged, with \`${headerPrefix}Error-Source: provider\`.`,
    },
    servers: [{ url: serverUrl }],
    tags: categories.map(({ title }) => ({ name: title })),
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer", description: "The API key" } },
      ...errorComponents(
        { ...errors, ...(hasWrites ? writeErrors : {}) },
        // A provider's error may have any of these.
        {
          body: ErrorBody,
          headerPrefix,
          ofAll: { ...countedHeaders(headerPrefix), ...RETRY_AFTER, ...(hasWrites ? REPLAYED : {}) },
        },
      ),
    },
  });
}

function describeOperation(operation: BoundOperation, tag: string, headerPrefix: string): object {
  const { summary, description, id, kind } = operation;
  return {
    operationId: id.replace(".", "_"),
    security: [{ bearer: [accessTo(operation).scope] }],
    tags: [tag],
    summary,
    ...(description ? { description } : {}),
    parameters: [
      ...parametersIn("header", headerSchemas(headerPrefix, kind)),
      ...(kind === "download" ? parametersIn("header", rangeHeaders) : []),
      ...parametersIn("path", pathParamSchemas(operation)),
      ...parametersIn("query", querySchemas(operation)),
    ],
    ...requestBodyOf(operation),
    responses: {
      200: {
        description: "OK",
        headers: {
          ...headerRefs({ ...countedHeaders(headerPrefix), ...(isWrite(kind) ? REPLAYED : {}) }),
          ...(kind === "list" ? skippedHeader(headerPrefix) : {}),
        },
        content: successContent(operation),
      },
      ...(kind === "download" ? rangeResponses(headerPrefix) : {}),
      ...errorRefs({ ...errors, ...(isWrite(kind) ? writeErrors : {}) }),
    },
  };
}

/** What the records of a list can have as custom fields. */
function describeFields(operation: BoundOperation, tag: string, headerPrefix: string): object {
  return {
    operationId: `${operation.id.replace(".", "_")}_fields`,
    security: [{ bearer: [accessTo(operation).scope] }],
    tags: [tag],
    summary: `${operation.summary}: their fields`,
    description:
      "What the connection's records have, for declaring custom fields: the provider's own description, and values of some records.",
    parameters: [
      ...parametersIn("header", headerSchemas(headerPrefix, operation.kind)),
      ...parametersIn("path", pathParamSchemas(operation)),
      ...parametersIn("query", operation.query),
    ],
    responses: {
      200: {
        description: "OK",
        headers: headerRefs(countedHeaders(headerPrefix)),
        content: jsonContent(offeredFieldsSchema),
      },
      ...errorRefs(errors),
    },
  };
}

const skippedHeader = (prefix: string): Headers => ({
  [`${prefix}Skipped-Items`]: countHeader(
    "How many items of the provider could not be read and are missing in `data`; only if there are any",
  ),
});

const file = { schema: { type: "string", format: "binary", description: "The content of the file" } };
const FILE = { "*/*": file };

const rangeHeaders = Object.fromEntries(
  DOWNLOAD_REQUEST_HEADERS.map((name) => [
    name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
    Type.Optional(Type.String({ description: "Passed on to the provider" })),
  ]),
);
const rangeResponses = (headerPrefix: string) => ({
  206: {
    description: "The range that was asked for, if the provider has ranges",
    headers: headerRefs(countedHeaders(headerPrefix)),
    content: FILE,
  },
  304: { description: "The file has not changed", headers: headerRefs(countedHeaders(headerPrefix)) },
});

function requestBodyOf(operation: BoundOperation): object {
  const { body, kind, sample } = operation;
  if (kind === "upload") return { requestBody: { required: true, content: { "application/octet-stream": file } } };
  if (!body) return {};
  return { requestBody: { required: true, content: jsonContent({ ...body, title: bodyName(operation) }, sample) } };
}

/** A list can also be streamed, a record per line. */
function successContent(operation: BoundOperation): object {
  if (operation.kind === "download") return { "*/*": { schema: operation.record } };
  const json = jsonContent({ ...responseSchema(operation), title: responseName(operation) });
  return operation.kind === "list" ? { ...json, "application/x-ndjson": { schema: operation.record } } : json;
}
