import type { Conversion, NewIndex } from "./deferred-steps.ts";
import { deferredStepsTable } from "./deferred-steps.ts";
import { logTermsIndex } from "./log-terms-index.ts";
import { fillMetadata, metadataTable } from "./metadata-terms.ts";

/** Statements that differ between the databases. A large Postgres database does those of `NewIndex` and `Conversion` later. */
type Step = string | { sqlite: readonly string[]; postgres: readonly (string | NewIndex | Conversion)[] } | NewIndex;

/**
 * The migrations in order, in SQL that both databases accept. A released migration is never changed; add a new one at
 * the end. It must leave what the previous version uses unchanged, because processes of that version are still running
 * when the first process of the new version migrates.
 */
export const migrations: Step[][] = [
  [
    `create table workspaces (
      id text primary key,
      name text not null,
      client_id text not null unique,
      redirect_uris text not null,
      created_at bigint not null,
      updated_at bigint not null
    )`,
    `create table api_keys (
      id text primary key,
      workspace_id text not null references workspaces (id) on delete cascade,
      name text,
      prefix text not null,
      hash text not null unique,
      created_at bigint not null
    )`,
    `create index api_keys_list on api_keys (workspace_id, created_at, id)`,

    `create table integrations (
      id text primary key,
      workspace_id text not null references workspaces (id) on delete cascade,
      identifier text not null,
      type text not null,
      client_id text,
      client_secret text,
      scopes text,
      base_url text,
      mcp_url text,
      created_at bigint not null,
      updated_at bigint not null
    )`,
    `create unique index integrations_identifier on integrations (workspace_id, identifier)`,
    `create index integrations_list on integrations (workspace_id, created_at, id)`,

    // No foreign key to the integration: a connection outlives it.
    `create table connections (
      id text primary key,
      workspace_id text not null references workspaces (id) on delete cascade,
      integration_id text not null,
      integration_identifier text not null,
      external_id text,
      credentials text not null,
      settings text not null,
      metadata text,
      is_valid integer not null,
      invalid_reason text,
      expires_at bigint,
      refreshed_at bigint,
      created_at bigint not null,
      updated_at bigint not null
    )`,
    `create index connections_list on connections (workspace_id, created_at, id)`,
    `create index connections_integration on connections (workspace_id, integration_id, created_at, id)`,
    `create index connections_identifier on connections (workspace_id, integration_identifier, created_at, id)`,
    // An index entry in Postgres is limited to 2,700 bytes; an external id may be longer.
    `create index connections_external on connections (workspace_id, substr(external_id, 1, 255), created_at, id)`,

    `create table connect_sessions (
      id text primary key,
      workspace_id text not null references workspaces (id) on delete cascade,
      integration_id text not null,
      redirect_uri text not null,
      external_id text,
      client_state text,
      connection_id text,
      code_verifier text,
      browser text not null,
      settings text not null,
      expires_at bigint not null
    )`,
    `create index connect_sessions_expiry on connect_sessions (expires_at)`,
    `create table connect_codes (
      hash text primary key,
      workspace_id text not null references workspaces (id) on delete cascade,
      redirect_uri text not null,
      connection_id text not null,
      expires_at bigint not null
    )`,
    `create index connect_codes_expiry on connect_codes (expires_at)`,

    // No foreign keys: log entries outlive what they are about.
    `create table request_log (
      id text primary key,
      workspace_id text,
      connection_id text,
      request_id text not null,
      surface text not null,
      method text not null,
      path text not null,
      status integer not null,
      outcome text,
      duration_ms double precision not null,
      upstream_calls integer not null,
      created_at bigint not null
    )`,
    `create index request_log_age on request_log (created_at, id)`,
    `create index request_log_list on request_log (workspace_id, created_at, id)`,
    `create index request_log_connection on request_log (connection_id, created_at, id)`,

    `create table locks (
      key text primary key,
      owner text not null,
      expires_at bigint not null
    )`,
  ],
  [
    // Replaces request_log, which stays for processes of the previous version.
    `create table request_batches (
      id text primary key,
      workspace_id text not null,
      last_at bigint not null,
      size integer not null,
      connections text not null,
      entries text not null
    )`,
    `create index request_batches_age on request_batches (last_at, id, size)`,
    `create index request_batches_list on request_batches (workspace_id, last_at, id)`,
  ],
  [
    `create table encryption_keys (
      id text primary key,
      check_value text not null,
      created_at bigint not null
    )`,
    `create table write_checks (
      id integer primary key,
      checked_at bigint not null
    )`,
  ],
  [
    `create table idempotent_writes (
      id text primary key,
      workspace_id text not null references workspaces (id) on delete cascade,
      fingerprint text not null,
      owner text not null,
      state text not null,
      answer text,
      lease_expires_at bigint not null,
      created_at bigint not null,
      expires_at bigint not null
    )`,
    `create index idempotent_writes_expiry on idempotent_writes (expires_at)`,
    // Not a column of connect_codes: a process of the previous version would redeem the code and ignore the column.
    `create table reconnect_codes (
      id text primary key,
      workspace_id text not null references workspaces (id) on delete cascade,
      redirect_uri text not null,
      connection_id text not null,
      changes text not null,
      expires_at bigint not null
    )`,
    `create index reconnect_codes_expiry on reconnect_codes (expires_at)`,
  ],
  [`alter table integrations add column name text`],
  [
    // No foreign key to the connection: an event outlives it.
    `create table events (
      id text primary key,
      workspace_id text not null references workspaces (id) on delete cascade,
      type text not null,
      connection_id text,
      payload text not null,
      position bigint,
      created_at bigint not null
    )`,
    `create index events_unpublished on events (created_at, id) where position is null`,
    `create index events_list on events (workspace_id, position)`,
    `create index events_connection on events (workspace_id, connection_id, position)`,
    `create index events_age on events (created_at)`,
    `create table event_positions (
      id integer primary key,
      last bigint not null
    )`,
    `insert into event_positions (id, last) values (1, 0)`,
    `create table jobs (
      id text primary key,
      kind text not null,
      due_at bigint not null,
      lease_expires_at bigint not null,
      owner text,
      wakes integer not null
    )`,
    `create index jobs_due on jobs (kind, due_at)`,
  ],
  [
    `create table dashboard_links (
      hash text primary key,
      workspace_id text not null references workspaces (id) on delete cascade,
      expires_at bigint not null
    )`,
    `create index dashboard_links_expiry on dashboard_links (expires_at)`,
    `create table dashboard_sessions (
      hash text primary key,
      workspace_id text not null references workspaces (id) on delete cascade,
      key_id text references api_keys (id) on delete cascade,
      created_at bigint not null,
      expires_at bigint not null
    )`,
    `create index dashboard_sessions_expiry on dashboard_sessions (expires_at)`,
    `create index dashboard_sessions_key on dashboard_sessions (key_id)`,
  ],
  [
    `create table subscriptions (
      id text primary key,
      workspace_id text not null references workspaces (id) on delete cascade,
      connection_id text not null references connections (id) on delete cascade,
      operation text not null,
      parameters text not null,
      interval_seconds integer not null,
      full_walk_seconds integer not null,
      include_existing integer not null,
      status text not null,
      reason text,
      failing_since bigint,
      last_run text,
      progress text not null,
      created_at bigint not null,
      updated_at bigint not null
    )`,
    `create index subscriptions_list on subscriptions (workspace_id, created_at, id)`,
    `create index subscriptions_connection on subscriptions (connection_id)`,
    // No foreign keys to the subscription: there may be a million rows, which its job deletes little by little.
    `create table tracked_records (
      subscription_id text not null,
      record_id text not null,
      hash text not null,
      missed_since integer not null,
      updated_at bigint not null,
      primary key (subscription_id, record_id)
    )`,
    `create table walk_checkpoints (
      subscription_id text not null,
      number integer not null,
      walk text not null,
      seen text not null,
      primary key (subscription_id, number)
    )`,
  ],
  [
    // Replaces request_batches, which stays for processes of the previous version. `entries` comes last: SQLite reads
    // a row from its beginning, and a search should not have to read past the entries.
    `create table log_batches (
      id text primary key,
      workspace_id text not null,
      first_at bigint not null,
      last_at bigint not null,
      size integer not null,
      terms text not null,
      entries text not null
    )`,
    `create index log_batches_age on log_batches (last_at, id, size)`,
    `create index log_batches_list on log_batches (workspace_id, last_at, id)`,
  ],
  [
    // The table connect_sessions has consents in progress.
    `create table connect_links (
      id text primary key,
      workspace_id text not null references workspaces (id) on delete cascade,
      integrations text,
      redirect_uri text,
      external_id text,
      metadata text,
      connection_id text,
      browser text,
      attempt text,
      connected_id text,
      expires_at bigint not null
    )`,
    `create index connect_links_expiry on connect_links (expires_at)`,
    `alter table connect_sessions add column session_id text`,
  ],
  [
    `create table request_usage (
      workspace_id text not null,
      width text not null,
      start bigint not null,
      surface text not null,
      requests bigint not null,
      plugboard_errors bigint not null,
      provider_errors bigint not null,
      duration_0 bigint not null,
      duration_1 bigint not null,
      duration_2 bigint not null,
      duration_3 bigint not null,
      duration_4 bigint not null,
      duration_5 bigint not null,
      duration_6 bigint not null,
      duration_7 bigint not null,
      duration_8 bigint not null,
      duration_9 bigint not null,
      duration_10 bigint not null,
      duration_11 bigint not null,
      duration_12 bigint not null,
      duration_13 bigint not null,
      primary key (workspace_id, width, start, surface)
    )`,
    `create index request_usage_age on request_usage (width, start)`,
  ],
  [`alter table workspaces add column logo_url text`, `alter table workspaces add column accent_color text`],
  [`alter table connections add column account text`],
  [
    `create table webhooks (
      id text primary key,
      workspace_id text not null references workspaces (id) on delete cascade,
      name text not null,
      url text not null,
      events text not null,
      enabled integer not null,
      disabled_reason text,
      failing_since bigint,
      secret text not null,
      previous_secret text,
      previous_secret_expires_at bigint,
      created_at bigint not null,
      updated_at bigint not null
    )`,
    `create index webhooks_list on webhooks (workspace_id, created_at, id)`,
    // No foreign key to the webhook: there may be many rows, which are deleted little by little with their events.
    `create table deliveries (
      id text primary key,
      workspace_id text not null,
      webhook_id text not null,
      event_id text not null references events (id) on delete cascade,
      state text not null,
      tries integer not null,
      next_attempt_at bigint,
      created_at bigint not null
    )`,
    `create index deliveries_due on deliveries (webhook_id, next_attempt_at) where state = 'pending'`,
    `create index deliveries_list on deliveries (webhook_id, created_at, id)`,
    `create index deliveries_event on deliveries (event_id)`,
    `create table delivery_attempts (
      id text primary key,
      delivery_id text not null references deliveries (id) on delete cascade,
      status integer,
      error text,
      duration_ms integer not null,
      answer text,
      created_at bigint not null
    )`,
    `create index delivery_attempts_list on delivery_attempts (delivery_id, created_at)`,
  ],
  [
    // Not in reconnect_codes: a process of the previous version would use up the code, because its connection does not
    // exist yet. This way it does not find it.
    `create table pending_connections (
      id text primary key,
      workspace_id text not null references workspaces (id) on delete cascade,
      redirect_uri text not null,
      connection_id text not null,
      changes text not null,
      expires_at bigint not null
    )`,
    `create index pending_connections_expiry on pending_connections (expires_at)`,
    `create index pending_connections_workspace on pending_connections (workspace_id)`,
    `create index reconnect_codes_workspace on reconnect_codes (workspace_id)`,
  ],
  [
    `alter table log_batches add column failures text`,
    `alter table request_usage add column application_errors bigint not null default 0`,
  ],
  [`alter table webhooks add column last_triggered_at bigint`, `alter table connect_links add column scopes text`],
  [
    `alter table api_keys add column scopes text`,
    `alter table api_keys add column external_id text`,
    `alter table api_keys add column connection_ids text`,
    `alter table api_keys add column expires_at bigint`,
    `alter table api_keys add column last_used_at bigint`,
  ],
  [
    // No foreign key to the workspace: what happened stays, whatever happens to it.
    `create table audit_log (
      id text primary key,
      workspace_id text not null,
      position bigint not null,
      at bigint not null,
      actor_kind text not null,
      actor_id text,
      actor_name text,
      action text not null,
      target_kind text not null,
      target_id text,
      outcome text not null,
      request_id text,
      ip text,
      changes text,
      previous_hash text not null,
      hash text not null
    )`,
    `create unique index audit_log_position on audit_log (workspace_id, position)`,
    `create index audit_log_time on audit_log (workspace_id, at, position)`,
    `create index audit_log_actor on audit_log (workspace_id, actor_id, position)`,
    `create index audit_log_kind on audit_log (workspace_id, target_kind, position)`,
    `create index audit_log_action on audit_log (workspace_id, action, position)`,
    `create index audit_log_target on audit_log (workspace_id, target_id, position)`,
    `create table audit_chains (
      workspace_id text primary key,
      position bigint not null,
      hash text not null,
      swept bigint not null
    )`,
  ],
  [
    // Not in dashboard_sessions: a process of the previous version would let everybody who has a session without a key do
    // everything. This way it does not find it.
    `create table person_sessions (
      id text primary key,
      workspace_id text not null references workspaces (id) on delete cascade,
      person text not null,
      created_at bigint not null,
      expires_at bigint not null
    )`,
    `create index person_sessions_expiry on person_sessions (expires_at)`,
  ],
  [
    `create table provider_documents (
      workspace_id text not null references workspaces (id) on delete cascade,
      id text not null,
      document text not null,
      created_at bigint not null,
      updated_at bigint not null,
      primary key (workspace_id, id)
    )`,
  ],
  [`alter table integrations add column private_key text`, `alter table integrations add column settings text`],
  [`alter table connect_sessions add column sign_in text`],
  [
    `create table tool_packs (
      id text primary key,
      workspace_id text not null references workspaces (id) on delete cascade,
      name text not null,
      categories text,
      tools text,
      access text not null,
      hide text not null,
      created_at bigint not null,
      updated_at bigint not null
    )`,
    `create index tool_packs_list on tool_packs (workspace_id, created_at, id)`,
    `alter table api_keys add column tool_pack_id text`,
    `create index api_keys_tool_pack on api_keys (tool_pack_id)`,
  ],
  [
    `alter table workspaces add column mcp_sign_in_url text`,
    `alter table connect_links add column mcp_sign_in_id text`,
    `create table mcp_clients (
      id text primary key,
      name text not null,
      redirect_uris text not null,
      created_at bigint not null,
      last_used_at bigint not null
    )`,
    `create index mcp_clients_age on mcp_clients (last_used_at)`,
    `create table mcp_sign_ins (
      id text primary key,
      workspace_id text not null references workspaces (id) on delete cascade,
      client_id text not null,
      client_name text not null,
      redirect_uri text not null,
      state text,
      code_challenge text not null,
      resource text not null,
      browser text not null,
      person text,
      created_at bigint not null,
      expires_at bigint not null
    )`,
    `create index mcp_sign_ins_workspace on mcp_sign_ins (workspace_id, expires_at)`,
    `create index mcp_sign_ins_expiry on mcp_sign_ins (expires_at)`,
    `create table mcp_grants (
      id text primary key,
      workspace_id text not null references workspaces (id) on delete cascade,
      key_id text references api_keys (id) on delete cascade,
      client_id text not null,
      client_name text not null,
      redirect_host text not null,
      external_id text,
      actor text not null,
      connection_ids text not null,
      access text not null,
      tool_pack_id text,
      resource text not null,
      expires_at bigint,
      last_used_at bigint,
      created_at bigint not null
    )`,
    `create index mcp_grants_workspace on mcp_grants (workspace_id, created_at, id)`,
    `create index mcp_grants_user on mcp_grants (workspace_id, external_id, created_at, id)`,
    `create index mcp_grants_key on mcp_grants (key_id)`,
    `create table mcp_codes (
      hash text primary key,
      grant_id text not null references mcp_grants (id) on delete cascade,
      redirect_uri text not null,
      code_challenge text not null,
      used_at bigint,
      expires_at bigint not null
    )`,
    `create index mcp_codes_grant on mcp_codes (grant_id)`,
    `create index mcp_codes_expiry on mcp_codes (expires_at)`,
    `create table mcp_refresh_tokens (
      hash text primary key,
      grant_id text not null references mcp_grants (id) on delete cascade,
      used_at bigint,
      expires_at bigint not null
    )`,
    `create index mcp_refresh_tokens_grant on mcp_refresh_tokens (grant_id)`,
    `create index mcp_refresh_tokens_expiry on mcp_refresh_tokens (expires_at)`,
    `create table mcp_access_tokens (
      hash text primary key,
      grant_id text not null references mcp_grants (id) on delete cascade,
      expires_at bigint not null
    )`,
    `create index mcp_access_tokens_grant on mcp_access_tokens (grant_id)`,
    `create index mcp_access_tokens_expiry on mcp_access_tokens (expires_at)`,
  ],
  [
    `alter table workspaces add column mcp_tool_pack_id text`,
    `alter table mcp_grants add column call_api integer not null default 0`,
    `alter table mcp_grants add column may_add_accounts integer not null default 0`,
    `alter table mcp_grants add column browser text not null default ''`,
    `create index mcp_grants_tool_pack on mcp_grants (tool_pack_id)`,
    `alter table connect_links add column mcp_grant_id text references mcp_grants (id) on delete cascade`,
    `create index connect_links_grant on connect_links (mcp_grant_id)`,
  ],
  [
    `create table custom_fields (
      id text primary key,
      workspace_id text not null references workspaces (id) on delete cascade,
      record text not null,
      name text not null,
      type text not null,
      paths text not null,
      integration_id text references integrations (id) on delete cascade,
      connection_id text references connections (id) on delete cascade,
      created_at bigint not null,
      updated_at bigint not null
    )`,
    `create index custom_fields_workspace on custom_fields (workspace_id, record, name, id)`,
    `create index custom_fields_integration on custom_fields (integration_id)`,
    `create index custom_fields_connection on custom_fields (connection_id)`,
  ],
  [
    `create table hooks (
      id text primary key,
      workspace_id text not null references workspaces (id) on delete cascade,
      connection_id text not null references connections (id) on delete cascade,
      integration_id text not null,
      target text not null,
      state text not null,
      reason text,
      secret text,
      remote text,
      account text,
      made_at bigint,
      expires_at bigint,
      last_hint_at bigint,
      missed_at bigint,
      created_at bigint not null,
      updated_at bigint not null
    )`,
    `create unique index hooks_live on hooks (connection_id, target) where state <> 'ending'`,
    `create index hooks_connection on hooks (connection_id)`,
    `create index hooks_account on hooks (integration_id, account)`,
    `create index hooks_workspace on hooks (workspace_id)`,
    `alter table jobs add column hints bigint not null default 0`,
    `alter table jobs add column not_before bigint not null default 0`,
    `alter table subscriptions add column poll_with_webhook_seconds bigint`,
    `alter table subscriptions add column hook_target text`,
    `alter table subscriptions add column hook_reason text`,
    `alter table subscriptions add column full_hint_at bigint`,
    `alter table integrations add column hook_secret text`,
  ],
  [
    { sqlite: [], postgres: [deferredStepsTable] },
    {
      sqlite: metadataTable.sqlite,
      postgres: [
        ...metadataTable.postgres,
        { convert: fillMetadata, table: "connections", fills: "connection_metadata" },
      ],
    },
    { index: "connections_validity", table: "connections", on: "(workspace_id, is_valid, created_at, id)" },
    { index: "events_type", table: "events", on: "(workspace_id, type, position)" },
    {
      sqlite: [],
      postgres: [logTermsIndex.function, { index: "log_batches_terms", table: "log_batches", on: logTermsIndex.on }],
    },
    { index: "deliveries_state", table: "deliveries", on: "(webhook_id, state, created_at, id)" },
  ],
];
