import Type, { type Static } from "typebox";
import {
  Nullable,
  NullableText,
  NullableTimestamp,
  Shape,
  Text,
  TextList,
  Timestamp,
} from "../../categories/schema.ts";
import { invalidInput } from "../../contracts/fault.ts";
import type { Page } from "../../contracts/store.ts";

/** A string sent by a client. Without NUL characters, which PostgreSQL cannot store. */
export const InputText = (maxLength: number, description: string, minLength = 1) =>
  Type.String({ minLength, maxLength, pattern: "^[^\\u0000]*$", description });

/** A string that is sent in a header unchanged. */
const HeaderText = (description: string) =>
  Type.String({ minLength: 1, maxLength: 10_000, pattern: "^[!-~]([ -~]*[!-~])?$", description });

/** An object whose keys the client chooses. */
export const MapOf = <Value>(values: object, description: string, limits: { maxProperties?: number } = {}) =>
  Type.Unsafe<Record<string, Value>>({ type: "object", additionalProperties: values, description, ...limits });

export const closed = { additionalProperties: false };

export const AuthTypes = Type.Unsafe<"oauth2" | "api_key" | "basic">({
  type: "string",
  enum: ["oauth2", "api_key", "basic"],
});

export const Failure = Type.Object(
  {
    success: Type.Boolean({ enum: [false] }),
    message: Text(),
    errors: Type.Optional(
      MapOf<string[]>({ type: "array", items: { type: "string" } }, "Messages by field, if the request is invalid"),
    ),
  },
  { title: "Failure" },
);

export const Success = Type.Object({ success: Type.Boolean({ enum: [true] }) }, { title: "Success" });

export const Paging = {
  offset: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1000, default: 0, description: "Number of entries to skip" }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 50, description: "Maximum number of entries to return" }),
  ),
};
export const Filter = (description: string, maxLength = 255) => Type.Optional(InputText(maxLength, description));

/** For lists in the order of creation, which have no end that `offset` could not reach. */
export const CursorPaging = {
  ...Paging,
  after: Filter(
    "the id of the last entry of the previous page: returns the entries after it, however many there are; not together with `offset`",
  ),
};

export const toOffsetPage = ({ offset = 0, limit = 50 }: Static<ReturnType<typeof Type.Object<typeof Paging>>>) => ({
  offset,
  limit,
});

export function toPage({ after, ...paging }: Static<ReturnType<typeof Type.Object<typeof CursorPaging>>>): Page {
  const { offset, limit } = toOffsetPage(paging);
  if (after === undefined) return { offset, limit };
  if (paging.offset !== undefined) throw invalidInput({ path: ["after"], message: "Cannot be combined with offset" });
  return { after, limit };
}

// Integrations

export const IntegrationRecord = Shape("Integration", {
  id: Text(),
  identifier: Text("The provider's id"),
  type: Text("How its connections authenticate: oauth2, api_key or basic"),
  created_at: Timestamp(),
  updated_at: Timestamp(),
  name: NullableText("Tells integrations of one provider apart; shown to users who choose one"),
  base_url: NullableText(
    "The address of your own server, `sandbox` for the provider's emulator, or null for the provider itself",
  ),
  mcp_url: NullableText("The address of the provider's MCP server, if it is not the default"),
  scopes: Nullable(TextList("The OAuth scopes to request; null for the provider's default")),
  has_client_secret: Type.Boolean({ description: "Whether a client secret is stored, which is never returned" }),
  proxy_base_url: NullableText(
    "What the Proxy appends paths to; `{name}` stands for a setting of the connection. Null while it uses the emulator and the sandbox is off",
  ),
  callback_url: NullableText("The redirect address to register at the provider, for type oauth2; null for others"),
});

export const ListIntegrations = Type.Object({
  ...CursorPaging,
  status: Type.Optional(Type.Unknown({ description: "Accepted and ignored" })),
});

const integrationFields = {
  name: Type.Optional(
    Nullable(InputText(100, "tells integrations of one provider apart; shown to users who choose one")),
  ),
  client_id: Type.Optional(Nullable(InputText(2_000, "the OAuth client ID at the provider; never returned"))),
  client_secret: Type.Optional(Nullable(InputText(10_000, "the OAuth client secret; never returned"))),
  scopes: Type.Optional(
    Nullable(
      Type.Array(InputText(500, "one scope"), {
        maxItems: 200,
        description: "OAuth scopes to request; null for the provider's default",
      }),
    ),
  ),
  base_url: Type.Optional(
    Nullable(
      InputText(
        2_000,
        "the address of your own server; `sandbox` for the provider's emulator, while the sandbox is on; null for the provider itself",
      ),
    ),
  ),
  mcp_url: Type.Optional(
    Nullable(InputText(2_000, "the address of the provider's MCP server, if it is not the default")),
  ),
};

export const NewIntegration = Type.Object(
  { identifier: InputText(100, "a provider's id"), type: AuthTypes, ...integrationFields },
  { title: "NewIntegration", ...closed },
);
export type NewIntegration = Static<typeof NewIntegration>;

export const IntegrationChange = Type.Object(
  { type: Type.Optional(AuthTypes), ...integrationFields },
  { title: "IntegrationChange", ...closed },
);

// Connections

const Metadata = Type.Unsafe<Record<string, unknown> | null>({
  type: ["object", "null"],
  additionalProperties: true,
  description: "Your own data, up to 16 kB of JSON",
});

export const ConnectionRecord = Shape("Connection", {
  id: Text(),
  external_id: NullableText("Your ID for the connected user"),
  integration_id: Text(),
  integration_identifier: Text("The provider's id"),
  is_valid: Type.Boolean({
    description:
      "False after the provider refused to refresh the token, or if the stored credentials cannot be decrypted: the user has to connect again",
  }),
  expires_at: NullableTimestamp("When the access token expires; null if it does not"),
  refreshed_at: NullableTimestamp("When the access token was last refreshed"),
  created_at: Timestamp(),
  updated_at: Timestamp(),
  invalid_reason: NullableText("Why the connection is invalid; null while it is valid"),
  metadata: Metadata,
  settings: MapOf<string>({ type: "string" }, "Per-account values, such as a subdomain: see the provider's settings"),
  account: Nullable(
    Type.Object(
      { id: NullableText(), name: NullableText(), email: NullableText() },
      {
        ...closed,
        description:
          "Whose account it is, read from the provider when the account was connected, last again. Null if the provider does not say, or did not answer in time",
      },
    ),
  ),
});

export const ListConnections = Type.Object({
  ...CursorPaging,
  integration_id: Filter("only connections of this integration"),
  integration_identifier: Filter("only connections to this provider, whichever of its integrations they belong to"),
  external_id: Filter("only connections with this external id"),
  is_valid: Type.Optional(Type.Boolean({ description: "Only connections that are valid, or only those that are not" })),
  metadata: Type.Optional(
    MapOf<string>(
      { type: "string", maxLength: 1_000 },
      "Only connections with these values at the top level of their metadata: `metadata[plan]=pro`. A number or a boolean matches as JSON writes it",
      { maxProperties: 10 },
    ),
  ),
});

const ExternalId = Type.Optional(Nullable(InputText(255, "your ID for the connected user")));

/** Ten years, longer than any token is valid. */
const MAX_LIFETIME_SECONDS = 315_360_000;

export const NewConnection = Type.Object(
  {
    integration_id: InputText(100, "the id of an integration of this workspace"),
    auth_token: Type.Optional(HeaderText("an access token or an API key, in printable ASCII")),
    username: Type.Optional(
      Type.String({ minLength: 1, maxLength: 500, pattern: "^[^\\u0000-\\u001f:]*$", description: "without a colon" }),
    ),
    password: Type.Optional(InputText(10_000, "may be empty", 0)),
    refresh_token: Type.Optional(Nullable(HeaderText("in printable ASCII"))),
    expires_in: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: 0,
          maximum: MAX_LIFETIME_SECONDS,
          description: "Seconds until the access token expires",
        }),
      ),
    ),
    external_id: ExternalId,
    metadata: Type.Optional(Metadata),
    settings: Type.Optional(
      MapOf<string>(InputText(500, "a setting"), "Per-account values: see the provider's settings", {
        maxProperties: 50,
      }),
    ),
  },
  { title: "NewConnection", ...closed },
);
export type NewConnection = Static<typeof NewConnection>;

export const ConnectionChange = Type.Object(
  { external_id: ExternalId, metadata: Type.Optional(Metadata) },
  { title: "ConnectionChange", ...closed },
);

// Connect sessions

export const NewConnectSession = Type.Object(
  {
    external_id: ExternalId,
    integrations: Type.Optional(
      Nullable(
        Type.Array(InputText(100, "the id of an integration, or its identifier if no other has the same"), {
          maxItems: 100,
          description: "The integrations that the user can choose from; by default all of the workspace's",
        }),
      ),
    ),
    redirect_uri: Type.Optional(
      Nullable(InputText(2_000, "one of the workspace's redirect_uris, where the user returns with a code")),
    ),
    connection_id: Type.Optional(
      Nullable(InputText(100, "an existing connection, to connect it again; external_id may then be left out")),
    ),
    metadata: Type.Optional(Metadata),
  },
  { title: "NewConnectSession", ...closed },
);
export type NewConnectSession = Static<typeof NewConnectSession>;

export const ConnectSessionRecord = Shape("ConnectSession", {
  id: Text(),
  url: Text("The page to open in the user's browser. Whoever has it can connect an account as this user"),
  expires_at: Timestamp(),
});

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
  api_key: Text("The key itself; shown only once"),
});

export const NewApiKey = Type.Object(
  { name: Type.Optional(Nullable(InputText(200, "what the key is for"))) },
  { title: "NewApiKey", ...closed },
);

// Workspace

export const WorkspaceRecord = Shape("Workspace", {
  id: Text(),
  name: Text(),
  client_id: Text("The workspace's public id in the connect flow"),
  redirect_uris: Type.Array(Text(), { description: "Addresses that the connect flow may redirect to" }),
  logo_url: NullableText("The logo on the pages of the connect flow; loaded by the user's browser"),
  accent_color: NullableText("The color of the main button on these pages, such as #1f5fbf"),
});

export const WorkspaceChange = Type.Object(
  {
    name: Type.Optional(InputText(200, "a name")),
    redirect_uris: Type.Optional(Type.Array(InputText(2_000, "an absolute URL"), { maxItems: 100 })),
    logo_url: Type.Optional(Nullable(InputText(2_000, "the https address of an image"))),
    accent_color: Type.Optional(Nullable(InputText(7, "a color such as #1f5fbf"))),
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
  operations: Type.Array(Text(), { description: "The supported operations, such as git.listIssues" }),
  fields: MapOf<readonly string[]>(
    { type: "array", items: { type: "string" } },
    "The fields of the records that ever have a value in the sandbox, by operation. Others are always null",
  ),
  settings: Type.Array(
    Type.Object(
      { name: Text(), label: Text(), hint: NullableText(), placeholder: NullableText(), pattern: Text() },
      closed,
    ),
    { description: "Per-account values that a connection needs" },
  ),
  base_urls: MapOf<string>(
    { type: "string" },
    "What the Proxy appends paths to, by auth type. `{name}` stands for a setting, `{base_url}` for the integration's",
  ),
  setup: MapOf<{ url: string | null; steps: string[]; scopes: string[] }>(
    Type.Object(
      {
        url: NullableText("The page of the provider"),
        steps: TextList("What to do there, as Markdown"),
        scopes: TextList("The OAuth scopes that are requested unless the integration has its own"),
      },
      closed,
    ),
    "What to create at the provider, by auth type: an OAuth application, or the user's key",
  ),
  self_hosted_only: Type.Boolean({ description: "Whether integrations require a base_url" }),
  mcp: Type.Boolean({
    description: "Whether the provider has an MCP server that accepts the credentials of a connection",
  }),
});
