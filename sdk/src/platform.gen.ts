// Written by `npm run gen` from the OpenAPI document of the Platform API. Do not edit.
import type { PlatformCalls } from "./calls.ts";
import type { List } from "./list.ts";
import type { Result } from "./result.ts";
import { path } from "./transport.ts";
import type { RequestOptions } from "./types.ts";

export interface Integration {
  id: string;
  /** The provider's id */
  identifier: string;
  /** How its connections authenticate: oauth2, api_key, basic, client_credentials, two_step, jwt, github_app, none */
  type: string;
  created_at: string;
  updated_at: string;
  /** Tells integrations of one provider apart; shown to users who choose one */
  name: string | null;
  /** The address of your own server, `sandbox` for the provider's emulator, or null for the provider itself */
  base_url: string | null;
  /** The address of the provider's MCP server, if it is not the default */
  mcp_url: string | null;
  /** The OAuth scopes to request; null for the provider's default */
  scopes: string[] | null;
  /** The OAuth client ID at the provider */
  client_id: string | null;
  /** Whether a client secret is stored, which is never returned */
  has_client_secret: boolean;
  /** Whether a private key is stored, which is never returned */
  has_private_key: boolean;
  /** Whether the secret of the provider's webhooks is stored, which is never returned */
  has_hook_secret: boolean;
  /** The address to enter at the provider, if its webhooks belong to the application; null if connections make their own, or there are none */
  hook_url: string | null;
  /** Values that are the same for all of its connections */
  settings: Record<string, string>;
  /** What the Proxy appends paths to; `{name}` stands for a setting of the connection. Null while it uses the emulator and the sandbox is off */
  proxy_base_url: string | null;
  /** The redirect address to register at the provider, for types oauth2 and github_app; null for others */
  callback_url: string | null;
}

export interface NewIntegration {
  /** a provider's id */
  identifier: string;
  type: "oauth2" | "api_key" | "basic" | "client_credentials" | "two_step" | "jwt" | "github_app" | "none";
  /** tells integrations of one provider apart; shown to users who choose one */
  name?: string | null;
  /** the OAuth client ID at the provider */
  client_id?: string | null;
  /** the OAuth client secret; never returned */
  client_secret?: string | null;
  /** the private key of an app that signs its own tokens, in PEM format; never returned */
  private_key?: string | null;
  /** what the provider signs its webhooks with, where it has to be entered; several are separated by spaces; never returned */
  hook_secret?: string | null;
  /** Values that are the same for all connections: the provider's settings that are set by the integration */
  settings?: Record<string, string>;
  /** OAuth scopes to request; null for the provider's default */
  scopes?: string[] | null;
  /** the address of your own server; `sandbox` for the provider's emulator, while the sandbox is on; null for the provider itself */
  base_url?: string | null;
  /** the address of the provider's MCP server, if it is not the default; required for the provider that is any MCP server */
  mcp_url?: string | null;
}

export interface IntegrationChange {
  type?: "oauth2" | "api_key" | "basic" | "client_credentials" | "two_step" | "jwt" | "github_app" | "none";
  /** tells integrations of one provider apart; shown to users who choose one */
  name?: string | null;
  /** the OAuth client ID at the provider */
  client_id?: string | null;
  /** the OAuth client secret; never returned */
  client_secret?: string | null;
  /** the private key of an app that signs its own tokens, in PEM format; never returned */
  private_key?: string | null;
  /** what the provider signs its webhooks with, where it has to be entered; several are separated by spaces; never returned */
  hook_secret?: string | null;
  /** Values that are the same for all connections: the provider's settings that are set by the integration */
  settings?: Record<string, string>;
  /** OAuth scopes to request; null for the provider's default */
  scopes?: string[] | null;
  /** the address of your own server; `sandbox` for the provider's emulator, while the sandbox is on; null for the provider itself */
  base_url?: string | null;
  /** the address of the provider's MCP server, if it is not the default; required for the provider that is any MCP server */
  mcp_url?: string | null;
}

export interface Success {
  success: true;
}

export interface IntegrationHookSecret {
  hook_secret: string;
}

export interface Connection {
  id: string;
  /** Your ID for the connected user */
  external_id: string | null;
  integration_id: string;
  /** The provider's id */
  integration_identifier: string;
  /** False after the provider refused to refresh the token, or if the stored credentials cannot be decrypted: the user has to connect again */
  is_valid: boolean;
  /** When the access token expires; null if it does not */
  expires_at: string | null;
  /** When the access token was last refreshed */
  refreshed_at: string | null;
  created_at: string;
  updated_at: string;
  /** Why the connection is invalid; null while it is valid */
  invalid_reason: string | null;
  /** Your own data, up to 16 kB of JSON */
  metadata: Record<string, unknown> | null;
  /** Per-account values, such as a subdomain: see the provider's settings */
  settings: Record<string, string>;
  /** Whose account it is, read from the provider whenever the account is connected. Null if the provider does not say, or did not answer in time */
  account: {
    id: string | null;
    name: string | null;
    email: string | null;
  } | null;
}

export interface NewConnection {
  /** the id of an integration of this workspace */
  integration_id: string;
  /** an access token or an API key, in printable ASCII, or the private key that tokens are made with */
  auth_token?: string;
  /** without a colon */
  username?: string;
  /** may be empty */
  password?: string;
  /** in printable ASCII */
  refresh_token?: string | null;
  /** Seconds until the access token expires */
  expires_in?: number | null;
  /** your ID for the connected user */
  external_id?: string | null;
  /** Your own data, up to 16 kB of JSON */
  metadata?: Record<string, unknown> | null;
  /** Per-account values: see the provider's settings */
  settings?: Record<string, string>;
}

export interface ConnectionChange {
  /** your ID for the connected user */
  external_id?: string | null;
  /** Your own data, up to 16 kB of JSON */
  metadata?: Record<string, unknown> | null;
}

export interface NewConnectSession {
  /** your ID for the connected user */
  external_id?: string | null;
  /** The integrations that the user can choose from; by default all of the workspace's */
  integrations?: string[] | null;
  /** OAuth scopes to request instead of the integration's, if there is only one integration to choose from */
  scopes?: string[] | null;
  /** one of the workspace's redirect_uris, where the user returns with a code */
  redirect_uri?: string | null;
  /** an existing connection, to connect it again; external_id may then be left out */
  connection_id?: string | null;
  /** Your own data, up to 16 kB of JSON */
  metadata?: Record<string, unknown> | null;
  /** How long the link works, in seconds: at most 7 days */
  expires_in?: number | null;
}

export interface ConnectSession {
  id: string;
  /** The page to open in the user's browser. Whoever has it can connect an account as this user */
  url: string;
  expires_at: string;
}

export interface McpSignInProof {
  /** your ID for the user whom you have signed in */
  external_id: string;
  /** the id of a tool pack that limits the client; null for none. By default the workspace's */
  tool_pack_id?: string | null;
}

export interface McpSignIn {
  /** The request */
  id: string;
  /** Where to send the user's browser next: it works only in the one that began */
  url: string;
  /** The name that the client has chosen itself */
  client_name: string;
  /** Until when the user can decide */
  expires_at: string;
}

export interface McpGrantActor {
  /** What they are */
  kind: "key" | "person" | "command" | "system";
  id: string | null;
  name: string | null;
}

export interface McpGrant {
  id: string;
  /** The client's id, or the address of its metadata document */
  client_id: string;
  /** The name that the client has chosen itself */
  client_name: string;
  /** The host that got the access; the scheme with its colon if it is an app's own */
  redirect_host: string;
  /** The user who gave it; null if it was somebody with a key or a dashboard session */
  external_id: string | null;
  actor: McpGrantActor;
  /** The connections that the client may use */
  connection_ids: string[];
  /** Whether the client may only read, or also create, change and send */
  access: "read" | "write";
  /** Whether the client may also call the providers' own APIs; with the access `read` only to read, and not with a tool pack */
  call_api: boolean;
  /** The tool pack that limits it */
  tool_pack_id: string | null;
  /** The address that its tokens are for */
  resource: string;
  /** When it ends; null if only when it is revoked, or not used for 30 days */
  expires_at: string | null;
  /** At most a minute behind; null if it was not used yet */
  last_used_at: string | null;
  created_at: string;
}

export interface McpGrantChange {
  /** the id of a tool pack that limits the client; null for none */
  tool_pack_id: string | null;
}

export interface ApiKey {
  id: string;
  name: string | null;
  /** The key's first characters */
  prefix: string;
  /** What the key may do. `write` includes `read`, and `*` is everything */
  scopes: Array<"unified:read" | "unified:write" | "connections:read" | "connections:write" | "integrations:read" | "integrations:write" | "events:read" | "events:write" | "logs:read" | "logs:write" | "keys:read" | "keys:write" | "workspace:read" | "workspace:write" | "providers:read" | "providers:write" | "proxy" | "mcp" | "*">;
  /** When it stops working; null if it does not */
  expires_at: string | null;
  /** It sees and uses only connections with this external id; null for all */
  external_id: string | null;
  /** It sees and uses only these connections; null for all */
  connection_ids: string[] | null;
  /** What limits it to some tools of Unified MCP, the only place where it works then */
  tool_pack_id: string | null;
  /** At most a minute behind; null if it was not used yet */
  last_used_at: string | null;
  created_at: string;
}

export interface NewApiKey {
  /** what the key is for */
  name?: string | null;
  /** What the key may do. `write` includes `read`, and `*` is everything */
  scopes?: Array<"unified:read" | "unified:write" | "connections:read" | "connections:write" | "integrations:read" | "integrations:write" | "events:read" | "events:write" | "logs:read" | "logs:write" | "keys:read" | "keys:write" | "workspace:read" | "workspace:write" | "providers:read" | "providers:write" | "proxy" | "mcp" | "*"> | null;
  /** an ISO 8601 date and time from which on the key is refused */
  expires_at?: string | null;
  /** your ID for the connected user */
  external_id?: string | null;
  /** The key sees and uses only these connections */
  connection_ids?: string[] | null;
  /** the id of a tool pack: the key then works only for Unified MCP, with its tools */
  tool_pack_id?: string | null;
}

export interface CreatedApiKey {
  id: string;
  name: string | null;
  /** The key's first characters */
  prefix: string;
  /** What the key may do. `write` includes `read`, and `*` is everything */
  scopes: Array<"unified:read" | "unified:write" | "connections:read" | "connections:write" | "integrations:read" | "integrations:write" | "events:read" | "events:write" | "logs:read" | "logs:write" | "keys:read" | "keys:write" | "workspace:read" | "workspace:write" | "providers:read" | "providers:write" | "proxy" | "mcp" | "*">;
  /** When it stops working; null if it does not */
  expires_at: string | null;
  /** It sees and uses only connections with this external id; null for all */
  external_id: string | null;
  /** It sees and uses only these connections; null for all */
  connection_ids: string[] | null;
  /** What limits it to some tools of Unified MCP, the only place where it works then */
  tool_pack_id: string | null;
  /** At most a minute behind; null if it was not used yet */
  last_used_at: string | null;
  created_at: string;
  /** The key itself; shown only once */
  api_key: string;
}

export interface ToolPack {
  id: string;
  name: string;
  /** Only tools of these categories; null for all */
  categories: string[] | null;
  /** Only these tools; null for all */
  tools: string[] | null;
  /** `read`: without the tools that create, change or send something */
  access: "read" | "write";
  /** Fields that records do not have, such as crm.contact.email */
  hide: string[];
  created_at: string;
  updated_at: string;
}

export interface NewToolPack {
  /** what the tool pack is for */
  name: string;
  /** With `read`, it has no tools that create, change or send something */
  access: "read" | "write";
  /** Only tools of these categories; null for all */
  categories?: string[] | null;
  /** Only these tools, such as crm_list_contacts; null for all. With `categories`, only those in both */
  tools?: string[] | null;
  /** Fields that records do not have, such as crm.contact.email */
  hide?: string[];
}

export interface ToolPackChange {
  /** what the tool pack is for */
  name?: string;
  /** With `read`, it has no tools that create, change or send something */
  access?: "read" | "write";
  /** Only tools of these categories; null for all */
  categories?: string[] | null;
  /** Only these tools, such as crm_list_contacts; null for all. With `categories`, only those in both */
  tools?: string[] | null;
  /** Fields that records do not have, such as crm.contact.email */
  hide?: string[];
}

export interface CustomField {
  id: string;
  /** The record that has it, such as crm.contact */
  record: string;
  /** Its name in `custom` */
  name: string;
  type: "string" | "number" | "boolean" | "date" | "strings";
  /** Where it is in the provider's own item, as a JSON Pointer, by provider */
  paths: Record<string, string>;
  /** Only for connections of this integration; null for all */
  integration_id: string | null;
  /** Only for this connection; null for all */
  connection_id: string | null;
  created_at: string;
  updated_at: string;
}

export interface NewCustomField {
  /** the record, such as crm.contact */
  record: string;
  /** Its name in `custom`: lower-case letters, digits and _ */
  name: string;
  /** What values are read as; one of another type is null */
  type: "string" | "number" | "boolean" | "date" | "strings";
  /** A JSON Pointer into the provider's own item, such as /properties/tier, by provider */
  paths: Record<string, string>;
  /** only for connections of this integration */
  integration_id?: string;
  /** only for this connection */
  connection_id?: string;
}

export interface CustomFieldChange {
  /** What values are read as; one of another type is null */
  type?: "string" | "number" | "boolean" | "date" | "strings";
  /** A JSON Pointer into the provider's own item, such as /properties/tier, by provider */
  paths?: Record<string, string>;
}

export interface Workspace {
  id: string;
  name: string;
  /** The workspace's public id in the connect flow */
  client_id: string;
  /** Addresses that the connect flow may redirect to */
  redirect_uris: string[];
  /** The logo on the pages of the connect flow; loaded by the user's browser */
  logo_url: string | null;
  /** The color of the main button on these pages, such as #1f5fbf */
  accent_color: string | null;
  /** The page of your application that signs its users in for MCP clients; null if people sign in at Plugboard */
  mcp_sign_in_url: string | null;
  /** The tool pack that limits the MCP clients that people sign in from now on */
  mcp_tool_pack_id: string | null;
}

export interface WorkspaceChange {
  /** a name, without spaces around it and without control characters such as line breaks */
  name?: string;
  redirect_uris?: string[];
  /** the https address of an image */
  logo_url?: string | null;
  /** a color such as #1f5fbf */
  accent_color?: string | null;
  /** the https address of a page of your application */
  mcp_sign_in_url?: string | null;
  /** the id of a tool pack, which limits the MCP clients that people sign in from then on */
  mcp_tool_pack_id?: string | null;
}

export interface Provider {
  id: string;
  name: string;
  /** The provider's API reference */
  docs: string;
  auth_types: string[];
  categories: string[];
  /** The supported operations, such as git.listIssues */
  operations: string[];
  /** The fields of the records that ever have a value in the sandbox, by operation. Others are always null */
  fields: Record<string, string[]>;
  /** Per-account values that a connection needs, and values that an integration needs */
  settings: Array<{
    name: string;
    label: string;
    hint: string | null;
    placeholder: string | null;
    pattern: string;
    /** The possible values, if there are few */
    choices: string[] | null;
    /** user, or integration: then it is a setting of the integration */
    set_by: string;
    /** Whether there need not be a value */
    optional: boolean;
    /** The auth types with which it is asked for */
    auth_types: string[];
  }>;
  /** What the Proxy appends paths to, by auth type. `{name}` stands for a setting, `{base_url}` for the integration's */
  base_urls: Record<string, string>;
  /** What to create at the provider, by auth type: an OAuth application, or the user's key */
  setup: Record<string, {
    /** The page of the provider */
    url: string | null;
    /** What to do there, as Markdown */
    steps: string[];
    /** The OAuth scopes that are requested unless the integration has its own */
    scopes: string[];
    /** The integration's fields that are required, such as client_id */
    needs: string[];
    /** The integration's fields that may be set besides */
    takes: string[];
    /** The provider's own webhooks, which start subscriptions */
    webhooks: {
      /** Who makes the provider's webhooks: each connection by itself, you for the whole application, or nobody */
      per: "connection" | "application" | "none";
      /** What a connection needs for them, or why there are none */
      note: string | null;
      /** What to do at the provider, as Markdown, if they belong to the application */
      steps: string[];
      /** Whether the provider sends their secret to the address, and wants to see it again */
      sends_secret: boolean;
      /** The operations whose subscriptions they start */
      lists: string[];
    };
  }>;
  /** Whether integrations require a base_url */
  self_hosted_only: boolean;
  /** Whether it is any MCP server: integrations require an mcp_url, and there are no operations */
  mcp_only: boolean;
  /** Whether the provider has an MCP server that accepts the credentials of a connection */
  mcp: boolean;
  /** Where it comes from: code, the catalogue, or a document of the workspace */
  origin: "built_in" | "catalogue" | "workspace";
  /** What it is about, such as payments, if it has no operations */
  subjects: string[];
}

export interface ProviderDocument {
  id: string;
  /** what people call it */
  name: string;
  /** The provider's API reference */
  docs_url: string;
  /** What it is about, such as `crm` */
  categories?: string[];
  /** What somebody should know who sets it up */
  notes?: string[];
  /** Who else has these addresses */
  sources?: string[];
  addresses: {
    /** What paths are appended to; `{name}` stands for a setting */
    api: string;
    /** Where users agree, with oauth2 */
    authorize?: string;
    /** Where tokens are requested */
    token?: string;
    /** Where they are refreshed, if elsewhere */
    refresh?: string;
    /** Where they are revoked (RFC 7009) */
    revoke?: string;
    /** An MCP server that accepts the credentials */
    mcp?: string;
  };
  /** Per-account values that are part of addresses, headers and requests */
  settings?: Record<string, {
    /** what users call it */
    label: string;
    /** where users find it */
    hint?: string;
    /** an example */
    placeholder?: string;
    /** a regular expression for the whole value */
    pattern?: string;
    choices?: string[];
    /** Who gives the value. Default: user */
    set_by?: "user" | "integration";
    /** headers and parameters with it are left out without a value */
    optional?: boolean;
  }>;
  /** One entry for each way to authenticate */
  auth: {
    oauth2?: {
      /** Requested unless the integration has its own */
      scopes?: string[];
      /** Default: a space */
      scope_delimiter?: string;
      /** Default: true */
      pkce?: boolean;
      /** Where the client's credentials go in a token request. Default: body */
      token_auth?: "basic" | "body";
      /** How a token request is encoded. Default: form */
      token_body?: "form" | "json";
      /** Further parameters of the authorize address; `{name}` stands for a setting */
      authorize_params?: Record<string, string>;
      /** Further parameters of token requests; `{name}` stands for a setting */
      token_params?: Record<string, string>;
      /** of an access token in seconds, if token responses do not say */
      lifetime?: number;
      /** whether a refresh returns a new refresh token and ends the old one */
      rotates?: boolean;
      /** Settings that are parameters of the redirect after consent */
      redirect_settings?: Record<string, string>;
      /** Settings that are in the token response */
      token_settings?: Record<string, string>;
      /** The page where an OAuth application is created */
      help?: string;
      /** How the token is sent. Default: `Authorization: Bearer <token>` */
      send?: {
        in: "header" | "query";
        /** the header's or parameter's name */
        name: string;
        /** what precedes it, such as `Token ` */
        prefix?: string;
      };
    };
    api_key?: {
      in: "header" | "query" | "path";
      /** of the header or parameter; not used in a path */
      name?: string;
      /** what precedes the key, such as `Bearer `; in a path, such as `bot` */
      prefix?: string;
      /** what the provider calls the key */
      label: string;
      /** The page where users find or create it */
      help?: string;
    };
    basic?: {
      /** what the user name is */
      username: string;
      /** what the password is; without it, it is empty */
      password?: string;
      /** The page where users find or create it */
      help?: string;
    };
    client_credentials?: {
      /** Requested unless the integration has its own */
      scopes?: string[];
      scope_delimiter?: string;
      /** the `audience` of token requests */
      audience?: string;
      /** Where the client's credentials go in a token request. Default: body */
      token_auth?: "basic" | "body";
      /** How a token request is encoded. Default: form */
      token_body?: "form" | "json";
      /** Further parameters of token requests; `{name}` stands for a setting */
      token_params?: Record<string, string>;
      lifetime?: number;
      /** what users call the client ID. Default: Client ID */
      username?: string;
      /** what users call the client secret. Default: Client secret */
      password?: string;
      /** The page where users find or create it */
      help?: string;
      /** How the token is sent. Default: `Authorization: Bearer <token>` */
      send?: {
        in: "header" | "query";
        /** the header's or parameter's name */
        name: string;
        /** what precedes it, such as `Token ` */
        prefix?: string;
      };
    };
    two_step?: {
      request: {
        method: "POST" | "PUT" | "GET";
        /** below the token address, or below the API's if there is none */
        path?: string;
        /** `{username}`, `{password}`, `{token}` and settings in texts */
        body?: Record<string, unknown>;
        /** How a token request is encoded. Default: form */
        encoding?: "form" | "json";
      };
      /** where the token is in the response: a JSON Pointer */
      token: string;
      /** where its lifetime in seconds is: a JSON Pointer */
      expires_in?: string;
      /** in seconds, if the response does not say */
      lifetime?: number;
      /** what `{username}` is */
      username?: string;
      /** what `{password}` is */
      password?: string;
      /** what `{token}` is */
      key?: string;
      /** The page where users find or create it */
      help?: string;
      /** How the token is sent. Default: `Authorization: Bearer <token>` */
      send?: {
        in: "header" | "query";
        /** the header's or parameter's name */
        name: string;
        /** what precedes it, such as `Token ` */
        prefix?: string;
      };
    };
    jwt?: {
      algorithm: "RS256" | "ES256" | "HS256";
      /** Besides `iat` and `exp`; `{name}` stands for a setting */
      claims: Record<string, string>;
      /** Besides `alg` and `typ`, such as `kid` */
      header?: Record<string, string>;
      /** in seconds */
      lifetime: number;
      /** The JWT is exchanged for a token at the token address (RFC 7523), not sent itself */
      exchange?: {
        /** Further parameters of the token request; `{name}` stands for a setting */
        params?: Record<string, string>;
      };
      /** Of a secret for HS256. Default: utf8 */
      secret_encoding?: "utf8" | "hex" | "base64";
      /** what the provider calls the private key or secret */
      label: string;
      /** The page where users find or create it */
      help?: string;
      /** How the token is sent. Default: `Authorization: Bearer <token>` */
      send?: {
        in: "header" | "query";
        /** the header's or parameter's name */
        name: string;
        /** what precedes it, such as `Token ` */
        prefix?: string;
      };
    };
    none?: Record<string, unknown>;
  };
  /** Sent with each request; `{name}` stands for a setting */
  headers?: Record<string, string>;
  check?: {
    /** succeeds if and only if the credentials are valid */
    get: string;
  };
  discover?: {
    /** A path below the API's address, or an address on the host of one of the others */
    get: string;
    /** Settings that the response has */
    take: Record<string, string>;
  };
  /** A header with the seconds to wait or the time to wait for, if it is not `Retry-After` */
  retry_header?: string;
}

export interface ProviderDetails {
  id: string;
  name: string;
  /** The provider's API reference */
  docs: string;
  auth_types: string[];
  categories: string[];
  /** The supported operations, such as git.listIssues */
  operations: string[];
  /** The fields of the records that ever have a value in the sandbox, by operation. Others are always null */
  fields: Record<string, string[]>;
  /** Per-account values that a connection needs, and values that an integration needs */
  settings: Array<{
    name: string;
    label: string;
    hint: string | null;
    placeholder: string | null;
    pattern: string;
    /** The possible values, if there are few */
    choices: string[] | null;
    /** user, or integration: then it is a setting of the integration */
    set_by: string;
    /** Whether there need not be a value */
    optional: boolean;
    /** The auth types with which it is asked for */
    auth_types: string[];
  }>;
  /** What the Proxy appends paths to, by auth type. `{name}` stands for a setting, `{base_url}` for the integration's */
  base_urls: Record<string, string>;
  /** What to create at the provider, by auth type: an OAuth application, or the user's key */
  setup: Record<string, {
    /** The page of the provider */
    url: string | null;
    /** What to do there, as Markdown */
    steps: string[];
    /** The OAuth scopes that are requested unless the integration has its own */
    scopes: string[];
    /** The integration's fields that are required, such as client_id */
    needs: string[];
    /** The integration's fields that may be set besides */
    takes: string[];
    /** The provider's own webhooks, which start subscriptions */
    webhooks: {
      /** Who makes the provider's webhooks: each connection by itself, you for the whole application, or nobody */
      per: "connection" | "application" | "none";
      /** What a connection needs for them, or why there are none */
      note: string | null;
      /** What to do at the provider, as Markdown, if they belong to the application */
      steps: string[];
      /** Whether the provider sends their secret to the address, and wants to see it again */
      sends_secret: boolean;
      /** The operations whose subscriptions they start */
      lists: string[];
    };
  }>;
  /** Whether integrations require a base_url */
  self_hosted_only: boolean;
  /** Whether it is any MCP server: integrations require an mcp_url, and there are no operations */
  mcp_only: boolean;
  /** Whether the provider has an MCP server that accepts the credentials of a connection */
  mcp: boolean;
  /** Where it comes from: code, the catalogue, or a document of the workspace */
  origin: "built_in" | "catalogue" | "workspace";
  /** What it is about, such as payments, if it has no operations */
  subjects: string[];
  /** The document that it is made from; null for code */
  document: Record<string, unknown> | null;
  /** Null unless it is the workspace's own */
  created_at: string | null;
  /** Null unless it is the workspace's own */
  updated_at: string | null;
}

export interface ProviderDocumentChange {
  /** what people call it */
  name?: string;
  /** The provider's API reference */
  docs_url?: string;
  /** What it is about, such as `crm` */
  categories?: string[] | null;
  /** What somebody should know who sets it up */
  notes?: string[] | null;
  /** Who else has these addresses */
  sources?: string[] | null;
  addresses?: {
    /** What paths are appended to; `{name}` stands for a setting */
    api: string;
    /** Where users agree, with oauth2 */
    authorize?: string;
    /** Where tokens are requested */
    token?: string;
    /** Where they are refreshed, if elsewhere */
    refresh?: string;
    /** Where they are revoked (RFC 7009) */
    revoke?: string;
    /** An MCP server that accepts the credentials */
    mcp?: string;
  };
  /** Per-account values that are part of addresses, headers and requests */
  settings?: Record<string, {
    /** what users call it */
    label: string;
    /** where users find it */
    hint?: string;
    /** an example */
    placeholder?: string;
    /** a regular expression for the whole value */
    pattern?: string;
    choices?: string[];
    /** Who gives the value. Default: user */
    set_by?: "user" | "integration";
    /** headers and parameters with it are left out without a value */
    optional?: boolean;
  }> | null;
  /** One entry for each way to authenticate */
  auth?: {
    oauth2?: {
      /** Requested unless the integration has its own */
      scopes?: string[];
      /** Default: a space */
      scope_delimiter?: string;
      /** Default: true */
      pkce?: boolean;
      /** Where the client's credentials go in a token request. Default: body */
      token_auth?: "basic" | "body";
      /** How a token request is encoded. Default: form */
      token_body?: "form" | "json";
      /** Further parameters of the authorize address; `{name}` stands for a setting */
      authorize_params?: Record<string, string>;
      /** Further parameters of token requests; `{name}` stands for a setting */
      token_params?: Record<string, string>;
      /** of an access token in seconds, if token responses do not say */
      lifetime?: number;
      /** whether a refresh returns a new refresh token and ends the old one */
      rotates?: boolean;
      /** Settings that are parameters of the redirect after consent */
      redirect_settings?: Record<string, string>;
      /** Settings that are in the token response */
      token_settings?: Record<string, string>;
      /** The page where an OAuth application is created */
      help?: string;
      /** How the token is sent. Default: `Authorization: Bearer <token>` */
      send?: {
        in: "header" | "query";
        /** the header's or parameter's name */
        name: string;
        /** what precedes it, such as `Token ` */
        prefix?: string;
      };
    };
    api_key?: {
      in: "header" | "query" | "path";
      /** of the header or parameter; not used in a path */
      name?: string;
      /** what precedes the key, such as `Bearer `; in a path, such as `bot` */
      prefix?: string;
      /** what the provider calls the key */
      label: string;
      /** The page where users find or create it */
      help?: string;
    };
    basic?: {
      /** what the user name is */
      username: string;
      /** what the password is; without it, it is empty */
      password?: string;
      /** The page where users find or create it */
      help?: string;
    };
    client_credentials?: {
      /** Requested unless the integration has its own */
      scopes?: string[];
      scope_delimiter?: string;
      /** the `audience` of token requests */
      audience?: string;
      /** Where the client's credentials go in a token request. Default: body */
      token_auth?: "basic" | "body";
      /** How a token request is encoded. Default: form */
      token_body?: "form" | "json";
      /** Further parameters of token requests; `{name}` stands for a setting */
      token_params?: Record<string, string>;
      lifetime?: number;
      /** what users call the client ID. Default: Client ID */
      username?: string;
      /** what users call the client secret. Default: Client secret */
      password?: string;
      /** The page where users find or create it */
      help?: string;
      /** How the token is sent. Default: `Authorization: Bearer <token>` */
      send?: {
        in: "header" | "query";
        /** the header's or parameter's name */
        name: string;
        /** what precedes it, such as `Token ` */
        prefix?: string;
      };
    };
    two_step?: {
      request: {
        method: "POST" | "PUT" | "GET";
        /** below the token address, or below the API's if there is none */
        path?: string;
        /** `{username}`, `{password}`, `{token}` and settings in texts */
        body?: Record<string, unknown>;
        /** How a token request is encoded. Default: form */
        encoding?: "form" | "json";
      };
      /** where the token is in the response: a JSON Pointer */
      token: string;
      /** where its lifetime in seconds is: a JSON Pointer */
      expires_in?: string;
      /** in seconds, if the response does not say */
      lifetime?: number;
      /** what `{username}` is */
      username?: string;
      /** what `{password}` is */
      password?: string;
      /** what `{token}` is */
      key?: string;
      /** The page where users find or create it */
      help?: string;
      /** How the token is sent. Default: `Authorization: Bearer <token>` */
      send?: {
        in: "header" | "query";
        /** the header's or parameter's name */
        name: string;
        /** what precedes it, such as `Token ` */
        prefix?: string;
      };
    };
    jwt?: {
      algorithm: "RS256" | "ES256" | "HS256";
      /** Besides `iat` and `exp`; `{name}` stands for a setting */
      claims: Record<string, string>;
      /** Besides `alg` and `typ`, such as `kid` */
      header?: Record<string, string>;
      /** in seconds */
      lifetime: number;
      /** The JWT is exchanged for a token at the token address (RFC 7523), not sent itself */
      exchange?: {
        /** Further parameters of the token request; `{name}` stands for a setting */
        params?: Record<string, string>;
      };
      /** Of a secret for HS256. Default: utf8 */
      secret_encoding?: "utf8" | "hex" | "base64";
      /** what the provider calls the private key or secret */
      label: string;
      /** The page where users find or create it */
      help?: string;
      /** How the token is sent. Default: `Authorization: Bearer <token>` */
      send?: {
        in: "header" | "query";
        /** the header's or parameter's name */
        name: string;
        /** what precedes it, such as `Token ` */
        prefix?: string;
      };
    };
    none?: Record<string, unknown>;
  };
  /** Sent with each request; `{name}` stands for a setting */
  headers?: Record<string, string> | null;
  check?: {
    /** succeeds if and only if the credentials are valid */
    get: string;
  } | null;
  discover?: {
    /** A path below the API's address, or an address on the host of one of the others */
    get: string;
    /** Settings that the response has */
    take: Record<string, string>;
  } | null;
  /** A header with the seconds to wait or the time to wait for, if it is not `Retry-After` */
  retry_header?: string | null;
}

export interface UpstreamAttempt {
  method: string;
  /** At the provider, without the query */
  path: string;
  /** The provider's status; null if there was no response that could be read */
  status: number | null;
  /** Why there was none: timeout, unreachable, malformed, overloaded, cancelled or another code */
  error: string | null;
  /** Until the response was read, or, if it is streamed, until it began */
  duration_ms: number;
  /** 1 for the first attempt of a call, 2 for its first retry */
  attempt: number;
}

export interface LogEntry {
  id: string;
  /** The response's X-Request-Id header */
  request_id: string;
  connection_id: string | null;
  /** unified, proxy, mcp, platform or auth */
  surface: string;
  method: string;
  /** Without the query */
  path: string;
  /** The operation of Unified and Unified MCP, such as git.listRepositories, or what was asked of the provider's MCP server, such as tools/call search_issues */
  operation: string | null;
  /** The MCP client that called, as far as it says its name */
  mcp_client: string | null;
  /** For whom an MCP client called: an external_id */
  person: string | null;
  /** 499 if the connection was closed before the whole response was sent */
  status: number;
  /** Error code, the result of the token revocation, or why the response did not end: client_disconnected, provider_broke_off, service_stopped or request_timeout */
  outcome: string | null;
  duration_ms: number;
  /** Calls to the provider, retries not counted */
  upstream_calls: number;
  created_at: string;
  integration_id: string | null;
  /** Whose error it is: application (the caller's own), provider or plugboard; null for a success, and if the client disconnected */
  error_source: string | null;
  /** The first 50 attempts of the calls to the provider, with retries. Token requests are not among them; neither queries nor bodies are kept */
  upstream: UpstreamAttempt[];
}

export interface FullLogEntry {
  id: string;
  /** The response's X-Request-Id header */
  request_id: string;
  connection_id: string | null;
  /** unified, proxy, mcp, platform or auth */
  surface: string;
  method: string;
  /** Without the query */
  path: string;
  /** The operation of Unified and Unified MCP, such as git.listRepositories, or what was asked of the provider's MCP server, such as tools/call search_issues */
  operation: string | null;
  /** The MCP client that called, as far as it says its name */
  mcp_client: string | null;
  /** For whom an MCP client called: an external_id */
  person: string | null;
  /** 499 if the connection was closed before the whole response was sent */
  status: number;
  /** Error code, the result of the token revocation, or why the response did not end: client_disconnected, provider_broke_off, service_stopped or request_timeout */
  outcome: string | null;
  duration_ms: number;
  /** Calls to the provider, retries not counted */
  upstream_calls: number;
  created_at: string;
  integration_id: string | null;
  /** Whose error it is: application (the caller's own), provider or plugboard; null for a success, and if the client disconnected */
  error_source: string | null;
  /** The first 50 attempts of the calls to the provider, with retries. Token requests are not among them; neither queries nor bodies are kept */
  upstream: UpstreamAttempt[];
  /** Of a request that failed, with secrets hidden. With `FAILURE_DETAILS=off`, nothing is kept */
  failure: {
    /** The query of the request */
    query: string | null;
    /** What is wrong */
    detail: string | null;
    /** The first 2 kB of the provider's response */
    provider_body: string | null;
  } | null;
}

export interface Usage {
  /** The start of the first bucket */
  since: string;
  /** The end of the last bucket */
  until: string;
  /** 60 or 3600 */
  bucket_seconds: number;
  total: {
    requests: number;
    /** Errors of the caller, such as invalid requests */
    application_errors: number;
    /** Errors of Plugboard itself */
    plugboard_errors: number;
    /** Errors of the provider */
    provider_errors: number;
    /** Half of the requests took no longer, as an estimate; null without requests */
    p50_ms: number | null;
    /** 95 % of the requests took no longer, as an estimate; null without requests */
    p95_ms: number | null;
    /** The same counts by surface, for those that had requests */
    surfaces: Record<string, {
      requests: number;
      /** Errors of the caller, such as invalid requests */
      application_errors: number;
      /** Errors of Plugboard itself */
      plugboard_errors: number;
      /** Errors of the provider */
      provider_errors: number;
    }>;
  };
  /** One per minute or hour, in the order of time, also if it had no requests */
  buckets: Array<{
    start: string;
    requests: number;
    /** Errors of the caller, such as invalid requests */
    application_errors: number;
    /** Errors of Plugboard itself */
    plugboard_errors: number;
    /** Errors of the provider */
    provider_errors: number;
    /** Half of the requests took no longer, as an estimate; null without requests */
    p50_ms: number | null;
    /** 95 % of the requests took no longer, as an estimate; null without requests */
    p95_ms: number | null;
    /** The same counts by surface, for those that had requests */
    surfaces: Record<string, {
      requests: number;
      /** Errors of the caller, such as invalid requests */
      application_errors: number;
      /** Errors of Plugboard itself */
      plugboard_errors: number;
      /** Errors of the provider */
      provider_errors: number;
    }>;
  }>;
}

export interface Actor {
  kind: "key" | "person" | "command" | "system";
  /** Of the API key, of the person, or the name of the user who ran the command */
  id: string | null;
  name: string | null;
}

export interface AuditTarget {
  /** How the action begins */
  kind: string;
  id: string | null;
}

export interface AuditEntry {
  id: string;
  at: string;
  actor: Actor;
  /** Such as `connection.delete` */
  action: string;
  target: AuditTarget;
  outcome: "success" | "refused";
  /** Finds the request in the request log */
  request_id: string | null;
  /** Where the request came from */
  ip: string | null;
  /** Names of the fields that were changed; never their values */
  changes: string[] | null;
  /** SHA-256 of the entry and of the hash before it */
  hash: string;
  /** The hash of the entry before it; empty if there was none */
  previous_hash: string;
}

export interface Event {
  /** The same as the `webhook-id` of its deliveries */
  id: string;
  /** What happened, such as `connection.created` or `tasks.task.updated` */
  type: string;
  /** When it happened, or was noticed */
  timestamp: string;
  connection_id: string | null;
  data: Record<string, unknown>;
}

export interface EventPage {
  data: Event[];
  /** Pass it as `after`, or as `before` if you read backwards, to continue. Always present: if there are no new events, try again later */
  next: string;
}

export interface Webhook {
  id: string;
  name: string;
  /** Where events are posted to */
  url: string;
  /** Types of events and whether it gets them: `connection.created`, `tasks.*` for every type that starts with `tasks.`, `*` for all. If several match a type, the longest counts */
  events: Record<string, boolean>;
  /** Whether it gets events */
  enabled: boolean;
  /** Why Plugboard turned it off; null if it is on, or you turned it off */
  disabled_reason: string | null;
  /** When the first failed attempt since the last success was made */
  failing_since: string | null;
  /** When something was last sent to it, successfully or not, at most a minute behind; null before that */
  last_triggered_at: string | null;
  created_at: string;
  updated_at: string;
}

export interface NewWebhook {
  /** what it is for */
  name: string;
  /** where events are posted to */
  url: string;
  /** Types of events and whether it gets them: `connection.created`, `tasks.*` for every type that starts with `tasks.`, `*` for all. If several match a type, the longest counts */
  events: Record<string, boolean>;
  /** Whether it gets events */
  enabled?: boolean;
}

export interface CreatedWebhook {
  id: string;
  name: string;
  /** Where events are posted to */
  url: string;
  /** Types of events and whether it gets them: `connection.created`, `tasks.*` for every type that starts with `tasks.`, `*` for all. If several match a type, the longest counts */
  events: Record<string, boolean>;
  /** Whether it gets events */
  enabled: boolean;
  /** Why Plugboard turned it off; null if it is on, or you turned it off */
  disabled_reason: string | null;
  /** When the first failed attempt since the last success was made */
  failing_since: string | null;
  /** When something was last sent to it, successfully or not, at most a minute behind; null before that */
  last_triggered_at: string | null;
  created_at: string;
  updated_at: string;
  /** The secret that its signatures are verified with */
  secret: string;
}

export interface WebhookChange {
  /** what it is for */
  name?: string;
  /** where events are posted to */
  url?: string;
  /** Types of events and whether it gets them: `connection.created`, `tasks.*` for every type that starts with `tasks.`, `*` for all. If several match a type, the longest counts */
  events?: Record<string, boolean>;
  /** Whether it gets events */
  enabled?: boolean;
}

export interface WebhookSecret {
  /** The secret that its signatures are verified with */
  secret: string;
}

export interface RotatedWebhookSecret {
  /** The new secret */
  secret: string;
  /** Until then, what is sent has a signature with the previous secret as well */
  previous_secret_valid_until: string;
}

export interface DeliveryAttempt {
  at: string;
  /** Of the answer; null if there was none */
  status: number | null;
  /** Why there was no answer */
  error: string | null;
  duration_ms: number;
  /** The first 2 kB of the answer's body; null if it was empty */
  answer: string | null;
}

export interface Delivery {
  id: string;
  webhook_id: string;
  /** The event's id, and the `webhook-id` that is sent */
  event_id: string;
  /** The event's type */
  type: string;
  /** `pending`: there will be another attempt; `failed`: there will be none, unless you send it again */
  state: "pending" | "delivered" | "failed";
  /** When the next attempt is, at the earliest */
  next_attempt_at: string | null;
  created_at: string;
  /** Oldest first */
  attempts: DeliveryAttempt[];
}

export interface ResendFailed {
  /** an ISO 8601 date and time */
  since: string;
}

export interface ResentDeliveries {
  /** How many are being sent again */
  count: number;
}

export interface Subscription {
  id: string;
  connection_id: string;
  /** The list that is read, such as `tasks.listTasks` */
  operation: string;
  /** The operation's own path and query parameters */
  parameters: Record<string, string>;
  interval_seconds: number;
  full_walk_seconds: number;
  include_existing: boolean;
  /** `sleeping`: its connection is invalid until the user connects again. `failing`: its last runs failed; it is still tried */
  status: "active" | "paused" | "sleeping" | "failing";
  /** Why it sleeps or fails */
  reason: string | null;
  failing_since: string | null;
  last_run: {
    started_at: string;
    /** Null if it has not reached the end of the list: it continues with `next_run` */
    finished_at: string | null;
    /** `full`: the whole list. `incremental`: what was updated since the last run */
    kind: "full" | "incremental";
    pages: number;
    /** Records that were read */
    records: number;
    /** Events of this kind */
    created: number;
    /** Events of this kind */
    updated: number;
    /** Events of this kind */
    deleted: number;
    /** Why it stopped before the end of the list */
    error: string | null;
  } | null;
  /** `webhook`: the provider's own webhook starts a run when something changes, and the list is read every `poll_with_webhook_seconds`. `polling`: the list is read every `interval_seconds` */
  trigger: "webhook" | "polling";
  /** Why it is polling; null with a webhook */
  trigger_reason: string | null;
  /** When the provider's webhook last said that something changed */
  last_hint_at: string | null;
  /** When the provider's webhook ends; it is renewed before that */
  webhook_expires_at: string | null;
  /** How often the list is read while a webhook starts it */
  poll_with_webhook_seconds: number;
  /** In the past while it runs; null if it is paused */
  next_run: string | null;
  /** Calls to the provider, judged by the last runs. Before the first, one call for each run */
  estimated_calls_per_day: number;
  created_at: string;
  updated_at: string;
}

export interface NewSubscription {
  /** the connection to read from */
  connection_id: string;
  /** the id of a list operation, such as tasks.listTasks */
  operation: string;
  /** The operation's own path and query parameters. Times are fixed: a window does not move along */
  parameters?: Record<string, string | number | boolean>;
  /** How often the list is read */
  interval_seconds: number;
  /** How often the whole list is read, which is the only way to find out what was deleted. At least the interval. Lists that the provider cannot filter by time are always read as a whole */
  full_walk_seconds?: number;
  /** How often the list is read while the provider's own webhook starts the subscription. At least the interval. Default: ten times the interval, at most a day */
  poll_with_webhook_seconds?: number | null;
  /** Whether the first run creates a `created` event for each existing record */
  include_existing?: boolean;
}

export interface SubscriptionChange {
  /** The operation's own path and query parameters. Times are fixed: a window does not move along */
  parameters?: Record<string, string | number | boolean>;
  /** How often the list is read */
  interval_seconds?: number;
  /** How often the whole list is read, which is the only way to find out what was deleted. At least the interval. Lists that the provider cannot filter by time are always read as a whole */
  full_walk_seconds?: number;
  /** How often the list is read while the provider's own webhook starts the subscription. At least the interval. Default: ten times the interval, at most a day */
  poll_with_webhook_seconds?: number | null;
}

export interface ListIntegrationsQuery {
  /** Number of entries to skip */
  offset?: number;
  /** Maximum number of entries to return */
  limit?: number;
  /** the id of the last entry of the previous page: returns the entries after it, however many there are; not together with `offset` */
  after?: string;
  /** Which entries come first */
  order?: "oldest" | "newest";
  /** Accepted and ignored */
  status?: unknown;
}

export interface ListConnectionsQuery {
  /** Number of entries to skip */
  offset?: number;
  /** Maximum number of entries to return */
  limit?: number;
  /** the id of the last entry of the previous page: returns the entries after it, however many there are; not together with `offset` */
  after?: string;
  /** Which entries come first */
  order?: "oldest" | "newest";
  /** only connections of this integration */
  integration_id?: string;
  /** only connections to this provider, whichever of its integrations they belong to */
  integration_identifier?: string;
  /** only connections with this external id */
  external_id?: string;
  /** Only connections that are valid, or only those that are not */
  is_valid?: boolean;
  /** Only connections with these values at the top level of their metadata: `metadata[plan]=pro`. A number or a boolean matches as JSON writes it */
  metadata?: Record<string, string>;
}

export interface ListMcpGrantsQuery {
  /** Number of entries to skip */
  offset?: number;
  /** Maximum number of entries to return */
  limit?: number;
  /** the id of the last entry of the previous page: returns the entries after it, however many there are; not together with `offset` */
  after?: string;
  /** Which entries come first */
  order?: "oldest" | "newest";
}

export interface ListApiKeysQuery {
  /** Number of entries to skip */
  offset?: number;
  /** Maximum number of entries to return */
  limit?: number;
  /** the id of the last entry of the previous page: returns the entries after it, however many there are; not together with `offset` */
  after?: string;
  /** Which entries come first */
  order?: "oldest" | "newest";
}

export interface ListLogsQuery {
  /** Number of entries to skip */
  offset?: number;
  /** Maximum number of entries to return */
  limit?: number;
  /** only requests that used this connection */
  connection_id?: string;
  /** only requests that used a connection with this external id */
  external_id?: string;
  /** only requests that used a connection of this integration */
  integration_id?: string;
  /** only requests to this surface: unified, proxy, mcp, platform or auth */
  surface?: string;
  /** only responses with this status, such as 404, or of this class, such as 5xx */
  status?: string;
  /** only requests with this outcome, such as rate_limited, provider_404 or client_disconnected */
  outcome?: string;
  /** Only errors of this origin, or of any */
  error_source?: "application" | "provider" | "plugboard" | "any";
  /** only the request with this X-Request-Id */
  request_id?: string;
  /** only calls of this operation, such as git.listRepositories */
  operation?: string;
  /** only requests with this text in their path */
  path?: string;
  /** Whether to include successful reads of the Platform API */
  platform_reads?: boolean;
  /** only requests from this time on (ISO 8601) */
  since?: string;
  /** only requests before this time (ISO 8601), or before this entry: the id of the last one of the previous page, which reaches further than `offset` */
  until?: string;
}

export interface GetUsageQuery {
  /** from this time on (ISO 8601); a day before `until` by default, at most 31 days */
  since?: string;
  /** before this time (ISO 8601); now by default */
  until?: string;
  /** only requests that used this connection */
  connection_id?: string;
}

export interface ListAuditQuery {
  /** Maximum number of entries to return */
  limit?: number;
  /** only entries after this one (its id) or after this time (ISO 8601). Without `before`, oldest first */
  after?: string;
  /** only entries before this one (its id) or before this time: newest first, which is the default */
  before?: string;
  /** only what this key or person did: an id */
  actor?: string;
  /** only this action, such as `connection.delete`, or all of a kind: `connection.*` */
  action?: string;
  /** only what was done to this: an id */
  target?: string;
}

export interface ListEventsQuery {
  /** Maximum number of entries to return */
  limit?: number;
  /** `next` of the previous page; `latest` for events from now on; without it, from the oldest event that is kept */
  after?: string;
  /** newest first: `latest`, then `next` of the previous page. Not together with `after`. An empty page is the end */
  before?: string;
  /** only events of these types, separated by commas; `tasks.*` matches every type that starts with `tasks.` */
  type?: string;
  /** only events about this connection */
  connection_id?: string;
  /** With `after`: for how many seconds to wait if there is no event yet */
  wait?: number;
}

export interface ListWebhooksQuery {
  /** Number of entries to skip */
  offset?: number;
  /** Maximum number of entries to return */
  limit?: number;
  /** the id of the last entry of the previous page: returns the entries after it, however many there are; not together with `offset` */
  after?: string;
  /** Which entries come first */
  order?: "oldest" | "newest";
}

export interface ListWebhookDeliveriesQuery {
  /** Maximum number of entries to return */
  limit?: number;
  /** the id of the last entry of the previous page */
  after?: string;
  /** Only deliveries in this state */
  state?: "pending" | "delivered" | "failed";
}

export interface ListSubscriptionsQuery {
  /** Number of entries to skip */
  offset?: number;
  /** Maximum number of entries to return */
  limit?: number;
  /** the id of the last entry of the previous page: returns the entries after it, however many there are; not together with `offset` */
  after?: string;
  /** Which entries come first */
  order?: "oldest" | "newest";
  /** only subscriptions over this connection */
  connection_id?: string;
}

export const platformMethods = (calls: PlatformCalls) => ({
  integrations: {
    /** List integrations */
    list: (query?: ListIntegrationsQuery, options?: RequestOptions): List<Integration> =>
      calls.list(path`/v1/integrations`, "after", query, options),
    /** Create an integration. A workspace may have several integrations of one provider: give each a `name`, and refer to them by id. */
    create: (body: NewIntegration, options?: RequestOptions): Result<Integration> =>
      calls.call("POST", path`/v1/integrations`, { body, options }),
    /** Get an integration */
    get: (id: string, options?: RequestOptions): Result<Integration> =>
      calls.call("GET", path`/v1/integrations/${id}`, { options }),
    /** Change an integration. If it has all given values already, secrets included, nothing changes, not even `updated_at`. */
    update: (id: string, body: IntegrationChange, options?: RequestOptions): Result<Integration> =>
      calls.call("PATCH", path`/v1/integrations/${id}`, { body, options }),
    /** Delete an integration. Its connections are kept but can no longer be used. */
    delete: (id: string, options?: RequestOptions): Result<Success> =>
      calls.call("DELETE", path`/v1/integrations/${id}`, { options }),
    hookSecret: {
      /** Get the token that verifies an address. For a provider that sends the secret of its webhooks to `hook_url`, and wants to see it again where the address was entered. */
      get: (id: string, options?: RequestOptions): Result<IntegrationHookSecret> =>
      calls.call("GET", path`/v1/integrations/${id}/hook-secret`, { options }),
    },
  },
  connections: {
    /** List connections */
    list: (query?: ListConnectionsQuery, options?: RequestOptions): List<Connection> =>
      calls.list(path`/v1/connections`, "after", query, options),
    /** Create a connection from existing credentials */
    create: (body: NewConnection, options?: RequestOptions): Result<Connection> =>
      calls.call("POST", path`/v1/connections`, { body, options }),
    /** Get a connection */
    get: (id: string, options?: RequestOptions): Result<Connection> =>
      calls.call("GET", path`/v1/connections/${id}`, { options }),
    /** Change a connection. `metadata` is replaced as a whole; null removes it. */
    update: (id: string, body: ConnectionChange, options?: RequestOptions): Result<Connection> =>
      calls.call("PATCH", path`/v1/connections/${id}`, { body, options }),
    /** Delete a connection. The token is also revoked at the provider, if the provider supports it and responds within 5 seconds. The request log has the result. */
    delete: (id: string, options?: RequestOptions): Result<Success> =>
      calls.call("DELETE", path`/v1/connections/${id}`, { options }),
  },
  connectSessions: {
    /** Create a link with which a user connects an account. The link works for `expires_in` seconds (30 minutes) and for one account, in the first browser that uses it. With `redirect_uri` it ends there with a `code`, like `/authorize`. Without it, the connection is final when the user has connected the account. */
    create: (body: NewConnectSession, options?: RequestOptions): Result<ConnectSession> =>
      calls.call("POST", path`/v1/connect-sessions`, { body, options }),
  },
  mcpSignIns: {
    /** Say who signs in for an MCP client. For a workspace with an `mcp_sign_in_url`: call this after you have signed the user in, and send their browser to `url`. There they decide what the client may do. With `tool_pack_id`, this client is limited by that tool pack instead of the workspace's `mcp_tool_pack_id`. If the key has the scope `proxy`, users without a tool pack can also let clients call the providers' own APIs. If the key is bound or expires, what users allow ends with it. */
    prove: (request: string, body: McpSignInProof, options?: RequestOptions): Result<McpSignIn> =>
      calls.call("POST", path`/v1/mcp-sign-ins/${request}`, { body, options }),
  },
  mcpGrants: {
    /** List what MCP clients are allowed to do */
    list: (query?: ListMcpGrantsQuery, options?: RequestOptions): List<McpGrant> =>
      calls.list(path`/v1/mcp-grants`, "after", query, options),
    /** Get what an MCP client is allowed to do */
    get: (id: string, options?: RequestOptions): Result<McpGrant> =>
      calls.call("GET", path`/v1/mcp-grants/${id}`, { options }),
    /** Change the tool pack of an MCP client. It applies to the client's next call. What the person allowed stays as it is. */
    update: (id: string, body: McpGrantChange, options?: RequestOptions): Result<McpGrant> =>
      calls.call("PATCH", path`/v1/mcp-grants/${id}`, { body, options }),
    /** Revoke what an MCP client is allowed to do. The client's tokens stop working immediately. */
    delete: (id: string, options?: RequestOptions): Result<Success> =>
      calls.call("DELETE", path`/v1/mcp-grants/${id}`, { options }),
  },
  apiKeys: {
    /** List API keys */
    list: (query?: ListApiKeysQuery, options?: RequestOptions): List<ApiKey> =>
      calls.list(path`/v1/api-keys`, "after", query, options),
    /** Create an API key. The response contains the key itself, which is never shown again. Without `scopes` it can do everything. A key cannot create one that is stronger than itself. With `external_id` or `connection_ids` it sees and uses only those connections, on every surface. With `tool_pack_id` its only scope is `mcp`, and it works only for Unified MCP. */
    create: (body: NewApiKey, options?: RequestOptions): Result<CreatedApiKey> =>
      calls.call("POST", path`/v1/api-keys`, { body, options }),
    /** Delete an API key. The key stops working immediately. This may be the key of the request itself: `plugboard keys create` makes another. */
    delete: (id: string, options?: RequestOptions): Result<Success> =>
      calls.call("DELETE", path`/v1/api-keys/${id}`, { options }),
  },
  toolPacks: {
    /** List tool packs. All of them, in one response. */
    list: (options?: RequestOptions): List<ToolPack> =>
      calls.list(path`/v1/tool-packs`, "none", {}, options),
    /** Create a tool pack. Says which tools of Unified MCP an agent gets, and which fields it never sees. It is given to API keys by `tool_pack_id`, to MCP clients that people sign in by `mcp_tool_pack_id` of the workspace, and to a grant by `PATCH /v1/mcp-grants/{id}`. A workspace can have 200. */
    create: (body: NewToolPack, options?: RequestOptions): Result<ToolPack> =>
      calls.call("POST", path`/v1/tool-packs`, { body, options }),
    /** Get a tool pack */
    get: (id: string, options?: RequestOptions): Result<ToolPack> =>
      calls.call("GET", path`/v1/tool-packs/${id}`, { options }),
    /** Change a tool pack. Lists are replaced as a whole. The change applies to the next call of everything that uses the tool pack. */
    update: (id: string, body: ToolPackChange, options?: RequestOptions): Result<ToolPack> =>
      calls.call("PATCH", path`/v1/tool-packs/${id}`, { body, options }),
    /** Delete a tool pack. What uses it has to be deleted, or to be given another one, first: the 409 names it. */
    delete: (id: string, options?: RequestOptions): Result<Success> =>
      calls.call("DELETE", path`/v1/tool-packs/${id}`, { options }),
  },
  customFields: {
    /** List custom fields. All of them, in one response. */
    list: (options?: RequestOptions): List<CustomField> =>
      calls.list(path`/v1/custom-fields`, "none", {}, options),
    /** Declare a custom field. Records then have it in `custom`. For a connection, the nearest declaration of a name counts: its own, that of its integration, that of the workspace. A workspace can have 500. */
    create: (body: NewCustomField, options?: RequestOptions): Result<CustomField> =>
      calls.call("POST", path`/v1/custom-fields`, { body, options }),
    /** Get a custom field */
    get: (id: string, options?: RequestOptions): Result<CustomField> =>
      calls.call("GET", path`/v1/custom-fields/${id}`, { options }),
    /** Change a custom field. `paths` are replaced as a whole. */
    update: (id: string, body: CustomFieldChange, options?: RequestOptions): Result<CustomField> =>
      calls.call("PATCH", path`/v1/custom-fields/${id}`, { body, options }),
    /** Delete a custom field. Records no longer have it. At the provider, nothing changes. */
    delete: (id: string, options?: RequestOptions): Result<Success> =>
      calls.call("DELETE", path`/v1/custom-fields/${id}`, { options }),
  },
  workspace: {
    /** Get the workspace */
    get: (options?: RequestOptions): Result<Workspace> =>
      calls.call("GET", path`/v1/workspace`, { options }),
    /** Change the workspace */
    update: (body: WorkspaceChange, options?: RequestOptions): Result<Workspace> =>
      calls.call("PATCH", path`/v1/workspace`, { body, options }),
  },
  providers: {
    /** List providers. All providers that integrations can be created for, in one response. */
    list: (options?: RequestOptions): List<Provider> =>
      calls.list(path`/v1/providers`, "none", {}, options),
    /** Create a provider. Describes an API that is not among the providers yet: its addresses, and how to authenticate. Integrations and connections of it are used with the Proxy. Only this workspace has it. A workspace can have 200. */
    create: (body: ProviderDocument, options?: RequestOptions): Result<ProviderDetails> =>
      calls.call("POST", path`/v1/providers`, { body, options }),
    /** Get a provider */
    get: (id: string, options?: RequestOptions): Result<ProviderDetails> =>
      calls.call("GET", path`/v1/providers/${id}`, { options }),
    /** Change a provider. Each given field replaces that of the document; null removes it. Integrations and connections stay, and use it as it is then. A way to authenticate that integrations use cannot be removed. */
    update: (id: string, body: ProviderDocumentChange, options?: RequestOptions): Result<ProviderDetails> =>
      calls.call("PATCH", path`/v1/providers/${id}`, { body, options }),
    /** Delete a provider. Its integrations have to be deleted first. */
    delete: (id: string, options?: RequestOptions): Result<Success> =>
      calls.call("DELETE", path`/v1/providers/${id}`, { options }),
  },
  logs: {
    /** List requests, newest first. Entries are written about once a second. The newest `REQUEST_LOG_ENTRIES` (100,000) of the last 7 days are kept. A search that has to read many entries ends early, with the header `X-Searched-Until`: pass its time as `until` to search further back. */
    list: (query?: ListLogsQuery, options?: RequestOptions): List<LogEntry> =>
      calls.list(path`/v1/logs`, "until", query, options),
    /** Get a request */
    get: (id: string, options?: RequestOptions): Result<FullLogEntry> =>
      calls.call("GET", path`/v1/logs/${id}`, { options }),
  },
  usage: {
    /** Count requests over time. Requests, errors and latency by minute, for up to 6 hours of the last 2 days, or by hour. Reads of the Platform API are not counted. Counts are kept for 31 days, and updated about once a second. With `connection_id`, they go back as far as the request log, and for a connection with many requests less far: `since` says from when on they are complete. */
    get: (query?: GetUsageQuery, options?: RequestOptions): Result<Usage> =>
      calls.call("GET", path`/v1/usage`, { query, options }),
  },
  audit: {
    /** List who did what, newest first. Every change, every secret that was shown, and every attempt that was refused. With `Accept: application/x-ndjson`, all entries are streamed, one on each line, and that is an entry itself. Entries are kept for `AUDIT_RETENTION_DAYS` (365). */
    list: (query?: ListAuditQuery, options?: RequestOptions): List<AuditEntry> =>
      calls.list(path`/v1/audit`, "before", query, options),
  },
  events: {
    /** List events in the order in which they happened. Events appear within about a second, and are kept for `EVENT_RETENTION_DAYS` (7 days). */
    list: (query?: ListEventsQuery, options?: RequestOptions): List<Event> =>
      calls.log(path`/v1/events`, query, options),
  },
  webhooks: {
    /** List webhooks */
    list: (query?: ListWebhooksQuery, options?: RequestOptions): List<Webhook> =>
      calls.list(path`/v1/webhooks`, "after", query, options),
    /** Create a webhook. The response contains the secret that its signatures are verified with. A workspace can have 100 webhooks. */
    create: (body: NewWebhook, options?: RequestOptions): Result<CreatedWebhook> =>
      calls.call("POST", path`/v1/webhooks`, { body, options }),
    /** Get a webhook */
    get: (id: string, options?: RequestOptions): Result<Webhook> =>
      calls.call("GET", path`/v1/webhooks/${id}`, { options }),
    /** Change a webhook. `events` is replaced as a whole. While it is off, it gets no new events, and pending deliveries wait until it is on again. */
    update: (id: string, body: WebhookChange, options?: RequestOptions): Result<Webhook> =>
      calls.call("PATCH", path`/v1/webhooks/${id}`, { body, options }),
    /** Delete a webhook */
    delete: (id: string, options?: RequestOptions): Result<Success> =>
      calls.call("DELETE", path`/v1/webhooks/${id}`, { options }),
    secret: {
      /** Get the secret of a webhook */
      get: (id: string, options?: RequestOptions): Result<WebhookSecret> =>
      calls.call("GET", path`/v1/webhooks/${id}/secret`, { options }),
    },
    /** Give a webhook a new secret. For 24 hours, what is sent has a signature with the previous secret as well. */
    rotateSecret: (id: string, options?: RequestOptions): Result<RotatedWebhookSecret> =>
      calls.call("POST", path`/v1/webhooks/${id}/rotate-secret`, { options }),
    /** Send a test event to a webhook. An event of type `webhook.test`, which no other webhook gets. `GET /v1/deliveries/{id}` has the result. */
    test: (id: string, options?: RequestOptions): Result<Delivery> =>
      calls.call("POST", path`/v1/webhooks/${id}/test`, { options }),
    deliveries: {
      /** List the deliveries of a webhook, newest first */
      list: (id: string, query?: ListWebhookDeliveriesQuery, options?: RequestOptions): List<Delivery> =>
      calls.list(path`/v1/webhooks/${id}/deliveries`, "after", query, options),
    },
    /** Send all failed deliveries of a webhook again. All deliveries since a time whose last attempt failed, including those that have attempts left. They are sent now, with all attempts. */
    resend: (id: string, body: ResendFailed, options?: RequestOptions): Result<ResentDeliveries> =>
      calls.call("POST", path`/v1/webhooks/${id}/resend`, { body, options }),
  },
  deliveries: {
    /** Get a delivery */
    get: (id: string, options?: RequestOptions): Result<Delivery> =>
      calls.call("GET", path`/v1/deliveries/${id}`, { options }),
    /** Send a delivery again. With the same `webhook-id`, whether it was delivered or not, and with all further attempts. */
    resend: (id: string, options?: RequestOptions): Result<Delivery> =>
      calls.call("POST", path`/v1/deliveries/${id}/resend`, { options }),
  },
  subscriptions: {
    /** List subscriptions */
    list: (query?: ListSubscriptionsQuery, options?: RequestOptions): List<Subscription> =>
      calls.list(path`/v1/subscriptions`, "after", query, options),
    /** Subscribe to the changes of a list. The list is read immediately, then every `interval_seconds`. Each record that was created, updated or deleted in between becomes an event. The first run only notes what exists, unless `include_existing` is set. */
    create: (body: NewSubscription, options?: RequestOptions): Result<Subscription> =>
      calls.call("POST", path`/v1/subscriptions`, { body, options }),
    /** Get a subscription */
    get: (id: string, options?: RequestOptions): Result<Subscription> =>
      calls.call("GET", path`/v1/subscriptions/${id}`, { options }),
    /** Change a subscription. `parameters` are replaced as a whole. Other parameters start the subscription over: its next run only notes what exists. Their order does not matter, and a request that changes nothing does nothing. */
    update: (id: string, body: SubscriptionChange, options?: RequestOptions): Result<Subscription> =>
      calls.call("PATCH", path`/v1/subscriptions/${id}`, { body, options }),
    /** Delete a subscription. No further events are created. Existing events stay in the log. */
    delete: (id: string, options?: RequestOptions): Result<Success> =>
      calls.call("DELETE", path`/v1/subscriptions/${id}`, { options }),
    /** Run a subscription now. It runs as soon as a process has time for it, usually within a second. */
    run: (id: string, options?: RequestOptions): Result<Subscription> =>
      calls.call("POST", path`/v1/subscriptions/${id}/run`, { options }),
    /** Pause a subscription. Changes made while it is paused are reported when it resumes. */
    pause: (id: string, options?: RequestOptions): Result<Subscription> =>
      calls.call("POST", path`/v1/subscriptions/${id}/pause`, { options }),
    /** Resume a subscription. It runs immediately and continues where it stopped. */
    resume: (id: string, options?: RequestOptions): Result<Subscription> =>
      calls.call("POST", path`/v1/subscriptions/${id}/resume`, { options }),
  },
});
