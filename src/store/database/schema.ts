import type { AuthType } from "../../contracts/authentication.ts";
import type { Actor } from "../../contracts/caller.ts";
import type { CustomFieldType } from "../../contracts/custom-fields.ts";
import type { ToolLimits } from "../../contracts/tool-packs.ts";
import type { UsageWidth } from "../../contracts/usage.ts";
import type { Encrypted, Json, Time } from "./column-types.ts";
import type { ConnectTables } from "./connect-tables.ts";
import type { EventTables } from "./event-tables.ts";
import type { McpTables } from "./mcp-tables.ts";

/**
 * The tables. They use only types that both databases have in common: text, integers (times in microseconds, booleans
 * as 1 and 0) and JSON as text.
 */
export interface Database extends ConnectTables, EventTables, McpTables {
  workspaces: WorkspaceRow;
  api_keys: ApiKeyRow;
  integrations: IntegrationRow;
  connections: ConnectionRow;
  connection_metadata: ConnectionMetadataRow;
  log_batches: LogBatchRow;
  request_usage: UsageRow;
  locks: LockRow;
  idempotent_writes: IdempotentWriteRow;
  encryption_keys: EncryptionKeyRow;
  write_checks: WriteCheckRow;
  dashboard_links: DashboardLinkRow;
  dashboard_sessions: DashboardSessionRow;
  person_sessions: PersonSessionRow;
  audit_log: AuditRow;
  audit_chains: AuditChainRow;
  provider_documents: ProviderDocumentRow;
  tool_packs: ToolPackRow;
  custom_fields: CustomFieldRow;
}

/** A provider of one workspace. */
export interface ProviderDocumentRow {
  workspace_id: string;
  id: string;
  document: Json;
  created_at: Time;
  updated_at: Time;
}

/** See `contracts/audit.ts`. */
export interface AuditRow {
  id: string;
  /** Empty if it concerns no workspace. */
  workspace_id: string;
  /** From 1 on in each workspace, without gaps. */
  position: number;
  at: Time;
  actor_kind: Actor["kind"];
  actor_id: string | null;
  actor_name: string | null;
  action: string;
  target_kind: string;
  target_id: string | null;
  outcome: "success" | "refused";
  request_id: string | null;
  ip: string | null;
  changes: Json | null;
  previous_hash: string;
  hash: string;
}

/** The end of each workspace's chain of audit entries. */
export interface AuditChainRow {
  workspace_id: string;
  position: number;
  hash: string;
  /** The position up to which entries were deleted because they were old. */
  swept: number;
}

export interface WorkspaceRow {
  id: string;
  name: string;
  client_id: string;
  redirect_uris: Json;
  logo_url: string | null;
  accent_color: string | null;
  mcp_sign_in_url: string | null;
  mcp_tool_pack_id: string | null;
  created_at: Time;
  updated_at: Time;
}

export interface ApiKeyRow {
  id: string;
  workspace_id: string;
  name: string | null;
  prefix: string;
  hash: string;
  /** Null for `*`: keys of earlier versions. */
  scopes: Json | null;
  external_id: string | null;
  connection_ids: Json | null;
  expires_at: Time | null;
  last_used_at: Time | null;
  tool_pack_id: string | null;
  created_at: Time;
}

export interface ToolPackRow {
  id: string;
  workspace_id: string;
  name: string;
  categories: Json | null;
  tools: Json | null;
  access: ToolLimits["access"];
  hide: Json;
  created_at: Time;
  updated_at: Time;
}

export interface CustomFieldRow {
  id: string;
  workspace_id: string;
  record: string;
  name: string;
  type: CustomFieldType;
  paths: Json;
  integration_id: string | null;
  connection_id: string | null;
  created_at: Time;
  updated_at: Time;
}

export interface IntegrationRow {
  id: string;
  workspace_id: string;
  /** Unique in its workspace: see `store/integrations.ts`. */
  identifier: string;
  type: AuthType;
  client_id: string | null;
  client_secret: Encrypted | null;
  scopes: Json | null;
  base_url: string | null;
  mcp_url: string | null;
  private_key: Encrypted | null;
  hook_secret: Encrypted | null;
  /** Null for none. */
  settings: Json | null;
  name: string | null;
  created_at: Time;
  updated_at: Time;
}

export interface ConnectionRow {
  id: string;
  workspace_id: string;
  integration_id: string;
  integration_identifier: string;
  external_id: string | null;
  credentials: Encrypted;
  settings: Json;
  metadata: Json | null;
  account: Encrypted | null;
  is_valid: number;
  invalid_reason: string | null;
  expires_at: Time | null;
  refreshed_at: Time | null;
  created_at: Time;
  updated_at: Time;
}

/** A value in a connection's metadata: see `metadata-terms.ts`. */
interface ConnectionMetadataRow {
  workspace_id: string;
  term: string;
  /** Of the connection, for the order of lists. */
  created_at: Time;
  connection_id: string;
}

/** Request log entries of one workspace that were written together. */
export interface LogBatchRow {
  id: string;
  workspace_id: string;
  /** Times of the oldest and the newest entry. */
  first_at: Time;
  last_at: Time;
  /** Number of entries. */
  size: number;
  /** What the entries can be found by: see `log-filter.ts`. */
  terms: string;
  /** One line of JSON per entry, so that only those are parsed that are shown. */
  entries: string;
  /** `FailureDetails` of some of them by their index, as JSON; encrypted. */
  failures: Encrypted | null;
}

/** The requests of a workspace to one surface in one minute or hour. */
export interface UsageRow {
  workspace_id: string;
  width: UsageWidth;
  start: Time;
  surface: string;
  requests: number;
  application_errors: number;
  plugboard_errors: number;
  provider_errors: number;
  /** One column per class of durations: see `DURATION_LIMITS_MS`. */
  [duration: `duration_${number}`]: number;
}

export interface IdempotentWriteRow {
  /** A hash of workspace, connection, operation and key. */
  id: string;
  workspace_id: string;
  /** A hash of the request. */
  fingerprint: string;
  /** Which attempt of which process may change the row. */
  owner: string;
  state: "running" | "sent" | "unknown" | "done";
  answer: Encrypted | null;
  lease_expires_at: Time;
  created_at: Time;
  expires_at: Time;
}

interface LockRow {
  key: string;
  owner: string;
  expires_at: Time;
}

/** A key that the database's secrets may be encrypted with. */
interface EncryptionKeyRow {
  /** The key's own id: see the vault. */
  id: string;
  /** A fixed text encrypted with the key, which proves that a configured key is the same one. */
  check_value: Encrypted;
  created_at: Time;
}

/** Its only row is written to find out whether the database can be written to. */
interface WriteCheckRow {
  id: number;
  checked_at: Time;
}

/** A one-time link that signs in to the dashboard. */
interface DashboardLinkRow {
  /** Of the link's token. */
  hash: string;
  workspace_id: string;
  expires_at: Time;
}

interface DashboardSessionRow {
  /** Of the session's token. */
  hash: string;
  workspace_id: string;
  /** The API key that it was opened with, if any: the session ends with the key. */
  key_id: string | null;
  created_at: Time;
  expires_at: Time;
}

/** A session of the dashboard that was opened by signing in at the identity provider. */
interface PersonSessionRow {
  /** The token's hash. */
  id: string;
  workspace_id: string;
  /** As JSON. */
  person: Encrypted;
  created_at: Time;
  expires_at: Time;
}
