import Type, { type Static } from "typebox";
import { Nullable, NullableText, NullableTimestamp, Shape, Text, Timestamp } from "../../categories/schema.ts";

/** Text that a client sends. No store can be trusted to keep a NUL character. */
const Given = (maxLength: number, description: string, minLength = 1) =>
  Type.String({ minLength, maxLength, pattern: "^[^\\u0000]*$", description });

/** Goes into a header as it is. */
const Token = (description: string) =>
  Type.String({ minLength: 1, maxLength: 10_000, pattern: "^[!-~]([ -~]*[!-~])?$", description });

/** An object with names of the client's own choice. */
const Freely = <Value>(values: object, description: string) =>
  Type.Unsafe<Record<string, Value>>({ type: "object", additionalProperties: values, description });

const closed = { additionalProperties: false };

export const AuthTypes = Type.Unsafe<"oauth2" | "api_key" | "basic">({
  type: "string",
  enum: ["oauth2", "api_key", "basic"],
});

export const Failure = Type.Object(
  {
    success: Type.Boolean({ enum: [false] }),
    message: Text(),
    errors: Type.Optional(
      Freely<string[]>({ type: "array", items: { type: "string" } }, "Messages by field, where input is wrong"),
    ),
  },
  { title: "Failure" },
);

export const Success = Type.Object({ success: Type.Boolean({ enum: [true] }) }, { title: "Success" });

export const Paging = {
  offset: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1000, default: 0, description: "How many records to skip" }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 50, description: "The most records to return" }),
  ),
};
export type Paging = Static<ReturnType<typeof Type.Object<typeof Paging>>>;

export const pageOf = ({ offset = 0, limit = 50 }: Paging) => ({ offset, limit });

const Filter = (description: string) => Type.Optional(Given(255, description));

// Integrations

export const IntegrationRecord = Shape("Integration", {
  id: Text(),
  identifier: Text("The provider's id"),
  type: Text("How its connections authenticate: oauth2, api_key or basic"),
  created_at: Timestamp(),
  updated_at: Timestamp(),
});

export const ListIntegrations = Type.Object({
  ...Paging,
  status: Type.Optional(Type.Unknown({ description: "Accepted and ignored" })),
});

const integrationFields = {
  client_id: Type.Optional(Nullable(Given(2_000, "the OAuth client's id at the provider; never returned"))),
  client_secret: Type.Optional(Nullable(Given(10_000, "the OAuth client's secret; never returned"))),
  scopes: Type.Optional(
    Nullable(
      Type.Array(Given(500, "one scope"), {
        maxItems: 200,
        description: "What to ask for; null: the provider's default",
      }),
    ),
  ),
  base_url: Type.Optional(Nullable(Given(2_000, "the address of a server of your own"))),
  mcp_url: Type.Optional(
    Nullable(Given(2_000, "the address of the provider's MCP server, where it is not the usual one")),
  ),
};

export const NewIntegration = Type.Object(
  { identifier: Given(100, "a provider's id"), type: AuthTypes, ...integrationFields },
  { title: "NewIntegration", ...closed },
);
export type NewIntegration = Static<typeof NewIntegration>;

export const IntegrationChange = Type.Object(
  { type: Type.Optional(AuthTypes), ...integrationFields },
  { title: "IntegrationChange", ...closed },
);

// Connections

export const ConnectionRecord = Shape("Connection", {
  id: Text(),
  external_id: NullableText("Your own id of whoever connected"),
  integration_id: Text(),
  integration_identifier: Text("The provider's id"),
  is_valid: Type.Boolean({ description: "False once the provider refused to renew the token: connect again" }),
  expires_at: NullableTimestamp("When the access token ends; null where it does not"),
  refreshed_at: NullableTimestamp("When the access token was last renewed"),
  created_at: Timestamp(),
  updated_at: Timestamp(),
});

export const ListConnections = Type.Object({
  ...Paging,
  integration_id: Filter("only those of this integration"),
  integration_identifier: Filter("only those of this provider"),
  external_id: Filter("only those with this external id"),
});

/** Ten years: longer than any token lives. */
const MAX_LIFETIME_SECONDS = 315_360_000;

export const NewConnection = Type.Object(
  {
    integration_id: Given(100, "the id of an integration of this workspace"),
    auth_token: Type.Optional(Token("an access token or an API key, in printable ASCII")),
    username: Type.Optional(
      Type.String({ minLength: 1, maxLength: 500, pattern: "^[^\\u0000-\\u001f:]*$", description: "without a colon" }),
    ),
    password: Type.Optional(Given(10_000, "may be empty", 0)),
    refresh_token: Type.Optional(Nullable(Token("in printable ASCII"))),
    expires_in: Type.Optional(
      Nullable(
        Type.Integer({ minimum: 0, maximum: MAX_LIFETIME_SECONDS, description: "Seconds until the access token ends" }),
      ),
    ),
    external_id: Type.Optional(Nullable(Given(255, "your own id of whoever connected"))),
    metadata: Type.Optional(
      Type.Unsafe<Record<string, unknown> | null>({
        type: ["object", "null"],
        description: "Anything of yours, up to 16 kB of JSON",
      }),
    ),
    settings: Type.Optional(Freely<string>(Given(500, "a setting"), "Per-account values: see the provider's settings")),
  },
  { title: "NewConnection", ...closed },
);
export type NewConnection = Static<typeof NewConnection>;

// API keys

const apiKeyFields = {
  id: Text(),
  name: NullableText(),
  prefix: Text("The key's first characters"),
  created_at: Timestamp(),
};

export const ApiKeyRecord = Shape("ApiKey", apiKeyFields);
export const CreatedApiKey = Shape("CreatedApiKey", {
  ...apiKeyFields,
  api_key: Text("The key itself: shown only once"),
});

export const NewApiKey = Type.Object(
  { name: Type.Optional(Nullable(Given(200, "what the key is for"))) },
  { title: "NewApiKey", ...closed },
);

// Workspace

export const WorkspaceRecord = Shape("Workspace", {
  id: Text(),
  name: Text(),
  client_id: Text("The workspace's public id in the connect flow"),
  redirect_uris: Type.Array(Text(), { description: "Where the connect flow may return to" }),
});

export const WorkspaceChange = Type.Object(
  {
    name: Type.Optional(Given(200, "a name")),
    redirect_uris: Type.Optional(Type.Array(Given(2_000, "an absolute address"), { maxItems: 100 })),
  },
  { title: "WorkspaceChange", ...closed },
);

// Providers

export const ProviderRecord = Shape("Provider", {
  id: Text(),
  name: Text(),
  docs: Text("The provider's API reference"),
  auth_types: Type.Array(Text()),
  categories: Type.Array(Text()),
  operations: Type.Array(Text(), { description: "The operations that it supports, such as git.listIssues" }),
  settings: Type.Array(
    Type.Object(
      { name: Text(), label: Text(), hint: NullableText(), placeholder: NullableText(), pattern: Text() },
      closed,
    ),
    { description: "Per-account values that a connection needs" },
  ),
  self_hosted_only: Type.Boolean({ description: "An integration must name a base_url" }),
  mcp: Type.Boolean({ description: "Whether it has an MCP server of its own" }),
});

// Request log

export const LogRecord = Shape("LogEntry", {
  id: Text(),
  request_id: Text("As in the answer's X-Request-Id"),
  connection_id: NullableText(),
  surface: Text(),
  method: Text(),
  path: Text("Without the query"),
  status: Type.Integer(),
  outcome: NullableText("What went wrong, or what became of a revocation"),
  duration_ms: Type.Number(),
  upstream_calls: Type.Integer(),
  created_at: Timestamp(),
});

export const ListLogs = Type.Object({ ...Paging, connection_id: Filter("only calls over this connection") });
