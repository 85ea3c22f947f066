import Type from "typebox";
import { Nullable } from "../../categories/schema.ts";
import {
  componentsByTitle,
  type ErrorResponse,
  errorComponents,
  errorRefs,
  headerRefs,
  jsonContent,
  parametersIn,
  REQUEST_ID,
  RETRY_AFTER,
  textHeader,
} from "../shared/openapi.ts";
import { CODE_ACCESS } from "./exchange-code.ts";
import type { AuthOptions } from "./parts.ts";

const Text = (description: string, maxLength?: number) =>
  Type.String({ description, ...(maxLength ? { maxLength } : {}) });

const authorizeQuery = {
  client_id: Text("The workspace's public id: `GET /v1/workspace` of the Platform API"),
  integration_id: Text(
    "An integration's id, or its identifier (the provider's id) if the workspace has one integration of this provider",
  ),
  redirect_uri: Text("Where the user returns to: exactly one of the workspace's `redirect_uris`"),
  external_id: Type.Optional(Text("Your id for the user, stored with the connection", 255)),
  state: Type.Optional(Text("Returned to `redirect_uri` unchanged", 2_000)),
  connection_id: Type.Optional(Text("An existing connection of the same integration, to connect it again")),
};

const CodeExchange = Type.Object(
  {
    code: Text("The `code` with which the user returned to `redirect_uri`"),
    redirect_uri: Text("The `redirect_uri` that was passed to `/authorize`"),
  },
  { title: "CodeExchange" },
);

const Connected = Type.Object(
  {
    connection_id: Text("For calls to the Unified API, the Proxy and MCP"),
    external_id: Nullable(Type.String()),
    integration_id: Type.String(),
  },
  { title: "Connected" },
);

const AuthFailure = Type.Object(
  {
    success: Type.Boolean({ enum: [false] }),
    message: Type.String(),
    errors: Type.Optional(
      Type.Unsafe({
        type: "object",
        additionalProperties: { type: "array", items: { type: "string" } },
        description: "Messages by field, if the request is invalid",
      }),
    ),
  },
  { title: "AuthFailure" },
);

const content = { "text/html": { schema: { type: "string" } } };
const LOCATION = { Location: textHeader("Where the browser goes next") };

const pageErrors: Record<string, ErrorResponse> = {
  400: { name: "InvalidLink", description: "`client_id` or `redirect_uri` is invalid", content },
  500: { name: "ErrorPage", description: "Internal error; the log has the cause, by `X-Request-Id`", content },
  503: { name: "UnavailablePage", description: "The database is unavailable", headers: RETRY_AFTER, content },
};
const exchangeErrors: Record<string, ErrorResponse> = {
  400: { name: "InvalidRequest", description: "The code or the `redirect_uri` is invalid" },
  401: { name: "NotAuthorized", description: "The API key is missing, unknown or expired" },
  403: { name: "InsufficientScope", description: "The API key lacks the scope, or is bound to some connections" },
  500: { name: "InternalError", description: "Internal error; the log has the cause, by `X-Request-Id`" },
  503: {
    name: "Unavailable",
    description: "The database is unavailable; `Retry-After` says when to retry",
    headers: RETRY_AFTER,
  },
};

function components(headerPrefix: string) {
  const options = { body: AuthFailure, headerPrefix, ofAll: REQUEST_ID };
  const [pages, exchange] = [errorComponents(pageErrors, options), errorComponents(exchangeErrors, options)];
  return {
    headers: { ...LOCATION, ...pages.headers, ...exchange.headers },
    responses: { ...pages.responses, ...exchange.responses },
  };
}

/** The OpenAPI document of the Auth API. Its other addresses are for providers and for its own pages. */
export const authDocument = ({ serverUrl, headerPrefix }: Pick<AuthOptions, "serverUrl" | "headerPrefix">): object =>
  componentsByTitle({
    openapi: "3.1.0",
    info: {
      title: "Plugboard Auth API",
      version: "1.0.0",
      description:
        "How a user connects an account: send the user's browser to `/authorize`, and exchange the code with which it returns for a connection.",
    },
    servers: [{ url: serverUrl }],
    tags: [{ name: "Connecting" }],
    paths: {
      "/authorize": {
        get: {
          operationId: "authorize",
          summary: "Connect an account",
          description:
            "Open this in the user's browser. The user returns to `redirect_uri` with `code` and `state`, or with `error`, `error_description` and `state`.",
          tags: ["Connecting"],
          security: [],
          parameters: parametersIn("query", authorizeQuery),
          responses: {
            200: {
              description: "A page on which the user agrees or fills in a form",
              headers: headerRefs(REQUEST_ID),
              content,
            },
            302: {
              description: "To `redirect_uri`, with an `error`; or to the same page at the public address",
              headers: headerRefs({ ...REQUEST_ID, ...LOCATION }),
            },
            ...errorRefs(pageErrors),
          },
        },
      },
      "/connection": {
        post: {
          operationId: "exchangeCode",
          summary: "Exchange a code for a connection",
          description:
            "The code is valid for five minutes and for one attempt. A new connection exists, and the new credentials of an existing one take effect, when it is exchanged.",
          tags: ["Connecting"],
          security: [{ bearer: [CODE_ACCESS.scope] }],
          requestBody: { required: true, content: jsonContent(CodeExchange) },
          responses: {
            200: { description: "OK", headers: headerRefs(REQUEST_ID), content: jsonContent(Connected) },
            ...errorRefs(exchangeErrors),
          },
        },
      },
    },
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer", description: "The API key" } },
      ...components(headerPrefix),
    },
  });
