import type { Database } from "../database/schema.ts";

/**
 * What happens to a column. `secret`: decrypted on the way out and encrypted again on the way in. `usage`: copied, but
 * it changes by itself, so two rows are the same without it.
 */
type ColumnUse = "copied" | "secret" | "usage";

interface TableUse<Table extends keyof Database> {
  /** Its primary key. */
  key: (keyof Database[Table] & string)[];
  /** The column that says which workspace a row belongs to, by itself or by what it refers to. */
  owner: "id" | "workspace_id" | "subscription_id" | "grant_id" | "client";
  columns: { [Column in keyof Database[Table] & string]: ColumnUse };
}

const times = { created_at: "copied", updated_at: "copied" } as const;

/**
 * The tables that an export has, in an order in which each comes after those that it refers to. The compiler asks for
 * every column of theirs, and for every other table in `leftOut`.
 */
const tables = {
  workspaces: {
    key: ["id"],
    owner: "id",
    columns: {
      id: "copied",
      name: "copied",
      client_id: "copied",
      redirect_uris: "copied",
      logo_url: "copied",
      accent_color: "copied",
      mcp_sign_in_url: "copied",
      mcp_tool_pack_id: "copied",
      ...times,
    },
  },
  tool_packs: {
    key: ["id"],
    owner: "workspace_id",
    columns: {
      id: "copied",
      workspace_id: "copied",
      name: "copied",
      categories: "copied",
      tools: "copied",
      access: "copied",
      hide: "copied",
      ...times,
    },
  },
  api_keys: {
    key: ["id"],
    owner: "workspace_id",
    columns: {
      id: "copied",
      workspace_id: "copied",
      name: "copied",
      prefix: "copied",
      hash: "copied",
      scopes: "copied",
      external_id: "copied",
      connection_ids: "copied",
      expires_at: "copied",
      last_used_at: "usage",
      tool_pack_id: "copied",
      created_at: "copied",
    },
  },
  provider_documents: {
    key: ["workspace_id", "id"],
    owner: "workspace_id",
    columns: { workspace_id: "copied", id: "copied", document: "copied", ...times },
  },
  integrations: {
    key: ["id"],
    owner: "workspace_id",
    columns: {
      id: "copied",
      workspace_id: "copied",
      identifier: "copied",
      type: "copied",
      client_id: "copied",
      client_secret: "secret",
      scopes: "copied",
      base_url: "copied",
      mcp_url: "copied",
      private_key: "secret",
      hook_secret: "secret",
      settings: "copied",
      name: "copied",
      ...times,
    },
  },
  connections: {
    key: ["id"],
    owner: "workspace_id",
    columns: {
      id: "copied",
      workspace_id: "copied",
      integration_id: "copied",
      integration_identifier: "copied",
      external_id: "copied",
      credentials: "secret",
      settings: "copied",
      metadata: "copied",
      account: "secret",
      is_valid: "copied",
      invalid_reason: "copied",
      expires_at: "copied",
      refreshed_at: "copied",
      ...times,
    },
  },
  custom_fields: {
    key: ["id"],
    owner: "workspace_id",
    columns: {
      id: "copied",
      workspace_id: "copied",
      record: "copied",
      name: "copied",
      type: "copied",
      paths: "copied",
      integration_id: "copied",
      connection_id: "copied",
      ...times,
    },
  },
  webhooks: {
    key: ["id"],
    owner: "workspace_id",
    columns: {
      id: "copied",
      workspace_id: "copied",
      name: "copied",
      url: "secret",
      events: "copied",
      enabled: "copied",
      disabled_reason: "copied",
      failing_since: "copied",
      last_triggered_at: "usage",
      secret: "secret",
      previous_secret: "secret",
      previous_secret_expires_at: "copied",
      ...times,
    },
  },
  subscriptions: {
    key: ["id"],
    owner: "workspace_id",
    columns: {
      id: "copied",
      workspace_id: "copied",
      connection_id: "copied",
      operation: "copied",
      parameters: "copied",
      interval_seconds: "copied",
      full_walk_seconds: "copied",
      include_existing: "copied",
      poll_with_webhook_seconds: "copied",
      hook_target: "usage",
      hook_reason: "usage",
      full_hint_at: "usage",
      status: "copied",
      reason: "copied",
      failing_since: "copied",
      last_run: "copied",
      progress: "copied",
      ...times,
    },
  },
  // So that a subscription goes on where it was, and emits nothing twice.
  tracked_records: {
    key: ["subscription_id", "record_id"],
    owner: "subscription_id",
    columns: {
      subscription_id: "copied",
      record_id: "copied",
      hash: "copied",
      missed_since: "copied",
      updated_at: "copied",
    },
  },
  mcp_clients: {
    key: ["id"],
    owner: "client",
    columns: { id: "copied", name: "copied", redirect_uris: "copied", created_at: "copied", last_used_at: "usage" },
  },
  mcp_grants: {
    key: ["id"],
    owner: "workspace_id",
    columns: {
      id: "copied",
      workspace_id: "copied",
      key_id: "copied",
      client_id: "copied",
      client_name: "copied",
      redirect_host: "copied",
      external_id: "copied",
      actor: "copied",
      connection_ids: "copied",
      access: "copied",
      call_api: "copied",
      tool_pack_id: "copied",
      may_add_accounts: "copied",
      browser: "copied",
      resource: "copied",
      expires_at: "copied",
      last_used_at: "usage",
      created_at: "copied",
    },
  },
  mcp_refresh_tokens: {
    key: ["hash"],
    owner: "grant_id",
    columns: { hash: "copied", grant_id: "copied", used_at: "copied", expires_at: "copied" },
  },
  mcp_access_tokens: {
    key: ["hash"],
    owner: "grant_id",
    columns: { hash: "copied", grant_id: "copied", expires_at: "copied" },
  },
} as const satisfies { [Table in keyof Database]?: TableUse<Table> };

/** What an export does not have, and why. */
export const leftOut: Record<Exclude<keyof Database, keyof typeof tables>, string> = {
  connect_sessions: "consents in progress, of which each lasts minutes",
  connect_links: "links that users connect with, for a limited time",
  connect_codes: "codes that last minutes",
  reconnect_codes: "codes that last minutes",
  pending_connections: "codes that last minutes",
  dashboard_links: "links that sign in once",
  dashboard_sessions: "sessions of a few hours",
  person_sessions: "sessions of a few hours",
  mcp_codes: "codes that last minutes",
  mcp_sign_ins: "sign-ins in progress, of which each lasts minutes",
  jobs: "made again from webhooks and subscriptions",
  connection_metadata: "made again from connections, by the database itself",
  hooks: "webhooks at providers lead to this installation: others are made with the next run",
  walk_checkpoints: "has cursors that are sealed with the keys of this store: the walk begins again",
  events: "a log of this installation",
  event_positions: "a log of this installation",
  deliveries: "a log of this installation",
  delivery_attempts: "a log of this installation",
  log_batches: "a log of this installation",
  request_usage: "a log of this installation",
  audit_log: "a log of this installation, whose hashes prove that nothing was added",
  audit_chains: "a log of this installation, whose hashes prove that nothing was added",
  idempotent_writes: "kept for a day, so that a request that is repeated is not made twice",
  locks: "of the running processes",
  encryption_keys: "of this store",
  write_checks: "of this store",
};

/** For code that goes through the tables, to which each is like any other. */
export interface MovedTable {
  table: string;
  key: string[];
  owner: TableUse<keyof Database>["owner"];
  columns: [name: string, use: ColumnUse][];
}

export const movedTables: MovedTable[] = Object.entries(tables).map(([table, { key, owner, columns }]) => ({
  table,
  key: [...key],
  owner,
  columns: Object.entries(columns),
}));
