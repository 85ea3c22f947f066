import type { Encrypted, Json, Time } from "./column-types.ts";

/** What is kept of a user who is connecting an account. */
export interface ConnectTables {
  /** Consents in progress; the name is older than the connect sessions that an application's server creates. */
  connect_sessions: PendingConsentRow;
  connect_links: ConnectSessionRow;
  connect_codes: ConnectCodeRow;
  reconnect_codes: PendingChangeRow;
  pending_connections: PendingChangeRow;
}

export interface PendingConsentRow {
  id: string;
  workspace_id: string;
  integration_id: string;
  redirect_uri: string;
  external_id: string | null;
  client_state: string | null;
  connection_id: string | null;
  code_verifier: Encrypted | null;
  sign_in: Encrypted | null;
  browser: string;
  settings: Json;
  session_id: string | null;
  expires_at: Time;
}

export interface ConnectSessionRow {
  id: string;
  workspace_id: string;
  integrations: Json | null;
  scopes: Json | null;
  redirect_uri: string | null;
  external_id: string | null;
  metadata: Json | null;
  connection_id: string | null;
  browser: string | null;
  /** The attempt that used the session. */
  attempt: string | null;
  mcp_sign_in_id: string | null;
  mcp_grant_id: string | null;
  connected_id: string | null;
  expires_at: Time;
}

/** A code of the previous version, which created the connection before the code was redeemed. */
interface ConnectCodeRow {
  hash: string;
  workspace_id: string;
  redirect_uri: string;
  connection_id: string;
  expires_at: Time;
}

/** A code, with what happens to its connection when it is redeemed. */
interface PendingChangeRow {
  /** The code's hash. */
  id: string;
  workspace_id: string;
  redirect_uri: string;
  connection_id: string;
  /** As JSON. */
  changes: Encrypted;
  expires_at: Time;
}
