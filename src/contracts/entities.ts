import type { Permissions } from "./access.ts";
import type { AuthType, Credentials, SignIn } from "./authentication.ts";

// What the store holds, as the rest of the system sees it: dates as ISO 8601 text, secrets decrypted.

/** What the store sets itself. */
export type Timestamps = "created_at" | "updated_at";

export const MAX_WORKSPACE_NAME_LENGTH = 200;
const CONTROL = "\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029";
/** What a new name of a workspace must match: nobody sees spaces around it and control characters. */
export const WORKSPACE_NAME = `^([^\\s${CONTROL}]([^${CONTROL}]*[^\\s${CONTROL}])?)?$`;

export interface Workspace {
  id: string;
  name: string;
  /** Its public ID in the connect flow. */
  client_id: string;
  redirect_uris: string[];
  /** Shown on the pages of the connect flow. */
  logo_url: string | null;
  /** The color of their main button, such as `#1f5fbf`. */
  accent_color: string | null;
  /** The application's page that signs its users in for MCP clients; null if people sign in here. */
  mcp_sign_in_url: string | null;
  /** What limits MCP clients that people sign in, unless the sign-in says otherwise. */
  mcp_tool_pack_id: string | null;
  created_at: string;
  updated_at: string;
}

export interface ApiKey extends Permissions {
  id: string;
  workspace_id: string;
  name: string | null;
  /** The key's first characters, enough to distinguish keys. */
  prefix: string;
  /** Null if it never does. */
  expires_at: string | null;
  /** What it is limited to on Unified MCP, the only place where such a key works. */
  tool_pack_id: string | null;
  /** At most a minute behind. Null if it was not used yet. */
  last_used_at: string | null;
  created_at: string;
}

export interface Integration {
  id: string;
  workspace_id: string;
  /** The provider's ID. A workspace may have several integrations of one provider. */
  identifier: string;
  /** Distinguishes integrations of one provider. */
  name: string | null;
  type: AuthType;
  client_id: string | null;
  client_secret: string | null;
  /** Of an app that signs its own tokens. */
  private_key: string | null;
  /** What the provider signs webhooks with, if the operator has to enter it. Several are separated by spaces. */
  hook_secret: string | null;
  /** Values that are the same for all of its connections, which cannot change them. */
  settings: Record<string, string>;
  scopes: string[] | null;
  /** The URL of a self-hosted server, `sandbox` for the emulator, or null for the provider itself. */
  base_url: string | null;
  mcp_url: string | null;
  created_at: string;
  updated_at: string;
  /** Present if a stored secret cannot be decrypted. All secrets are then null. */
  unreadable?: true;
}

/** An integration in a list, for which nothing is decrypted. */
export type ListedIntegration = Omit<Integration, "client_secret" | "private_key" | "hook_secret"> & {
  has_client_secret: boolean;
  has_private_key: boolean;
  has_hook_secret: boolean;
};

/** A provider that a workspace has described itself. */
export interface StoredProvider {
  workspace_id: string;
  id: string;
  /** JSON: see `provider-document/schema.ts`. As text, because whoever has read it before need not do so again. */
  document: string;
  created_at: string;
  updated_at: string;
}

/** The account at the provider that a connection belongs to, as far as the provider says. */
export interface ConnectedAccount {
  id: string | null;
  name: string | null;
  email: string | null;
}

export interface Connection {
  id: string;
  workspace_id: string;
  integration_id: string;
  /** A copy, so that it is still known after the integration was deleted. */
  integration_identifier: string;
  external_id: string | null;
  credentials: Credentials;
  settings: Record<string, string>;
  metadata: Record<string, unknown> | null;
  /** Read when the account was connected; null if that was not possible. Encrypted at rest. */
  account: ConnectedAccount | null;
  is_valid: boolean;
  /** Why it is invalid. */
  invalid_reason: string | null;
  expires_at: string | null;
  refreshed_at: string | null;
  created_at: string;
  updated_at: string;
  /** Present if the stored credentials cannot be decrypted. `credentials` is then empty, and `is_valid` false. */
  unreadable?: true;
}

/** A connection in a list, for which its credentials are not decrypted. */
export type ListedConnection = Omit<Connection, "credentials">;

/** A consent in progress: from the connect page to the provider and back. */
export interface PendingConsent {
  /** Random; sent to the provider as the signed `state`. */
  id: string;
  workspace_id: string;
  integration_id: string;
  /** The connect session that it belongs to, which then has the address, the user and the connection. */
  session_id: string | null;
  /** Null if it belongs to a connect session. */
  redirect_uri: string | null;
  external_id: string | null;
  client_state: string | null;
  /** Set if an existing connection is being reconnected. */
  connection_id: string | null;
  /** The PKCE verifier; encrypted at rest. */
  code_verifier: string | null;
  /** How it continues, if the sign-in was discovered; encrypted at rest. */
  sign_in: SignIn | null;
  /** Binds the flow to the browser that began it. */
  browser: string;
  settings: Record<string, string>;
  expires_at: string;
}

/** A link with which a user connects one account. The application's server decides for whom, and what is allowed. */
export interface ConnectSession {
  id: string;
  workspace_id: string;
  /** Ids of the integrations that the user can choose from; null for all of the workspace's. */
  integrations: string[] | null;
  /** Requested instead of the integration's; null for those. */
  scopes: string[] | null;
  /** Where the user returns to with a code; null if the session ends on a page. */
  redirect_uri: string | null;
  external_id: string | null;
  metadata: Record<string, unknown> | null;
  /** Set if an existing connection is being reconnected. */
  connection_id: string | null;
  /** The browser that began it, in which alone it can be completed. */
  browser: string | null;
  /** The sign-in of an MCP client that it belongs to, where the user continues afterwards. */
  mcp_sign_in_id: string | null;
  /** The grant of an MCP client whose accounts the new connection is added to. It ends with the grant. */
  mcp_grant_id: string | null;
  /** The connection that it was used for; null while it can be used. */
  connected_id: string | null;
  expires_at: string;
}

/** A single-use code that `POST /connection` exchanges for a connection. */
export interface ConnectCode {
  /** SHA-256 of the code. */
  hash: string;
  workspace_id: string;
  redirect_uri: string;
  connection_id: string;
  expires_at: string;
  /** What the connection gets when the code is redeemed, and not before; encrypted at rest. */
  changes: Pick<Connection, "credentials" | "settings" | "expires_at" | "refreshed_at"> &
    Partial<Pick<Connection, "account">>;
  /** The rest of a connection that does not exist before the code is redeemed; null for one that does. */
  creates: Pick<Connection, "integration_id" | "integration_identifier" | "external_id" | "metadata"> | null;
}

/** One attempt of a call to a provider. Neither its query nor its body is kept. */
export interface UpstreamAttempt {
  method: string;
  path: string;
  /** Null if there was no response that could be read. */
  status: number | null;
  /** Why not: `timeout`, `unreachable`, `malformed`, `overloaded`, `cancelled` or another fault. */
  error: string | null;
  /** Until the response was read, or, if it is streamed, until it began. */
  duration_ms: number;
  /** 1 for the first attempt of a call, 2 for its first retry. */
  attempt: number;
}

/** Whose error a request ended with: the caller's own, the provider's, or ours. */
export const errorSources = ["application", "provider", "plugboard"] as const;
export type ErrorSource = (typeof errorSources)[number];

/** What is kept of a request that failed, so that somebody can find out why. Without secrets. */
export interface FailureDetails {
  query: string | null;
  /** What is wrong, in our own words. */
  detail: string | null;
  /** The beginning of the provider's response. */
  provider_body: string | null;
}

export interface LogEntry {
  id: string;
  workspace_id: string;
  connection_id: string | null;
  integration_id: string | null;
  request_id: string;
  surface: string;
  method: string;
  path: string;
  /** The operation of the table, or what an MCP client asked for, such as `tools/call search_issues`. */
  operation: string | null;
  /** The MCP client, and for whom it called; null on other surfaces, or if it did not say. */
  mcp_client: string | null;
  person: string | null;
  status: number;
  /** The error code, or the result of a token revocation. */
  outcome: string | null;
  /** Whose error the response is, or is about; null if it succeeded. */
  error_source: ErrorSource | null;
  duration_ms: number;
  /** Calls made to the provider, retries not counted. */
  upstream_calls: number;
  /** The first attempts of these calls. */
  upstream: UpstreamAttempt[];
  created_at: string;
}

/** A log entry before it is written. */
export interface NewLogEntry extends Omit<LogEntry, "id" | "created_at" | "operation" | "mcp_client" | "person"> {
  /** Milliseconds since 1970. */
  at: number;
  operation?: string | null;
  mcp_client?: string | null | undefined;
  person?: string | null | undefined;
  failure?: FailureDetails | null;
}

/** One log entry with everything that is kept of it. */
export interface FullLogEntry extends LogEntry {
  failure: FailureDetails | null;
}
