import type { AuthType, Credentials } from "./manifest.ts";

/** Durable things as the rest of the system sees them: dates as ISO 8601 text, secrets in the clear. */
export interface Workspace {
  id: string;
  name: string;
  /** Its public id in the connect flow. */
  client_id: string;
  redirect_uris: string[];
  created_at: string;
  updated_at: string;
}

export interface ApiKey {
  id: string;
  workspace_id: string;
  name: string | null;
  /** The key's first characters, enough to tell keys apart. */
  prefix: string;
  created_at: string;
}

export interface Integration {
  id: string;
  workspace_id: string;
  /** The provider's id; unique in its workspace. */
  identifier: string;
  type: AuthType;
  client_id: string | null;
  client_secret: string | null;
  scopes: string[] | null;
  /** A server of the user's own, `sandbox` for the emulator, or null for the provider itself. */
  base_url: string | null;
  mcp_url: string | null;
  created_at: string;
  updated_at: string;
}

export interface Connection {
  id: string;
  workspace_id: string;
  integration_id: string;
  /** Kept with the connection, so that it can still be told when its integration is gone. */
  integration_identifier: string;
  external_id: string | null;
  credentials: Credentials;
  settings: Record<string, string>;
  metadata: Record<string, unknown> | null;
  is_valid: boolean;
  /** Why it is not valid. */
  invalid_reason: string | null;
  expires_at: string | null;
  refreshed_at: string | null;
  created_at: string;
  updated_at: string;
}

/** A connect flow under way: from `/authorize` to the provider and back. */
export interface ConnectSession {
  /** Random; travels as the provider's `state`, signed. */
  id: string;
  workspace_id: string;
  integration_id: string;
  redirect_uri: string;
  external_id: string | null;
  client_state: string | null;
  /** Set where an existing connection is being renewed. */
  connection_id: string | null;
  /** The PKCE verifier; encrypted at rest. */
  code_verifier: string | null;
  /** Ties the flow to the browser that began it. */
  browser: string;
  settings: Record<string, string>;
  expires_at: string;
}

/** What `POST /connection` exchanges, once. */
export interface ConnectCode {
  /** SHA-256 of the code. */
  hash: string;
  workspace_id: string;
  redirect_uri: string;
  connection_id: string;
  expires_at: string;
}

export interface LogEntry {
  id: string;
  workspace_id: string;
  connection_id: string | null;
  request_id: string;
  surface: string;
  method: string;
  path: string;
  status: number;
  /** Our code for what went wrong, or what became of a revocation. */
  outcome: string | null;
  duration_ms: number;
  upstream_calls: number;
  created_at: string;
}

/** The same before it is written. */
export interface NewLogEntry extends Omit<LogEntry, "id" | "created_at"> {
  /** Milliseconds since 1970. */
  at: number;
}
