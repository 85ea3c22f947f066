// A large workspace among small ones, for `npm run bench:platform` and the test of its queries. Written by SQL, because the
// API would take hours.
import { hash } from "node:crypto";
import type { NewLogEntry } from "../../src/contracts/entities.ts";
import type { Store } from "../../src/contracts/store.ts";
import { newApiKey, newId } from "../../src/runtime/ids.ts";
import { appendEntries } from "./log-entries.ts";

export interface Sizes {
  connections: number;
  /** Of the request log; events, deliveries and the audit log have a tenth each. */
  entries: number;
}

const WEEK_MS = 7 * 86_400_000;
const FULL_BATCH = 500;
const BATCHES_AT_A_TIME = 4;
const SMALL_WORKSPACES = 20;
const INTEGRATIONS = 20;
/** Half of the connections are of the first provider, ten of the last one. */
const providers = ["github", "slack", "notion", "linear", "jira", "rare"];

export const connectionId = (index: number) => `conn_${100_000_000_000 + index}`;
export const requestId = (index: number) => hash("sha256", String(index)).slice(0, 36);
/** A connection that makes one of a hundred requests. */
export const BUSY = 0;

/** `i` from 0 on. */
const counted = (size: number) =>
  `(with recursive numbers(i) as (select 0 union all select i + 1 from numbers where i < ${Math.ceil(size) - 1}) select i from numbers) as counted`;

type Run = (statement: string) => Promise<unknown>;

async function createWorkspace(store: Store, name: string): Promise<string> {
  const values = { id: newId("ws"), name, client_id: newId("client"), redirect_uris: [] };
  return (await store.workspaces.create(values)).id;
}

export async function createKey(store: Store, workspace_id: string, external_id?: string): Promise<string> {
  const { key, hash: keyHash, prefix } = newApiKey();
  const bound = external_id === undefined ? {} : { external_id };
  await store.keys.create({ id: newId("key"), workspace_id, name: null, prefix, hash: keyHash, ...bound });
  return key;
}

const connectionsOf = (workspace: string, credentials: string, size: number, first: number) => `
  insert into connections (id, workspace_id, integration_id, integration_identifier, external_id, credentials, settings,
    metadata, is_valid, invalid_reason, expires_at, refreshed_at, created_at, updated_at)
  select 'conn_' || (100000000000 + ${first} + i), '${workspace}', 'int_' || (i % ${INTEGRATIONS}),
    case when i % ${Math.ceil(size / 10)} = 1 then 'rare' when i % 2 = 0 then 'github' when i % 3 = 0 then 'slack'
      when i % 5 = 0 then 'notion' when i % 7 = 0 then 'linear' else 'jira' end,
    'user-' || (i / 2), '${credentials}', '{}',
    '{"plan":' || case when i % 3 = 0 then '"pro"' else '"free"' end || ',"seats":' || (i % 500) || ',"customer":"cus_' || i
      || '","beta":' || case when i % ${Math.ceil(size / 20)} = 2 then 'true' else 'false' end
      || case when i % 10 = 0 then ',"note":"' || replace('xxxxxxxxxx', 'x', 'a longer note ') || i || '"' else '' end || '}',
    case when i % ${Math.ceil(size / 50)} = 5 then 0 else 1 end,
    case when i % ${Math.ceil(size / 50)} = 5 then 'invalid_grant' end, null, null,
    cast(1700000000000000 as bigint) + cast(i as bigint) * 1000000, cast(1700000000000000 as bigint) + cast(i as bigint) * 1000000
  from ${counted(size)}`;

/** Small tables of a large installation, and those that grow by time. */
function otherTables(workspace: string, webhook: string, payload: string, { connections, entries }: Sizes): string[] {
  const tenth = Math.ceil(entries / 10);
  const now = Date.now() * 1000;
  const start = now - WEEK_MS * 1000;
  const step = Math.floor((WEEK_MS * 1000) / tenth);
  const at = `(cast(${start} as bigint) + cast(i as bigint) * ${step})`;
  const connection = `'conn_' || (100000000000 + (cast(i as bigint) * 7919) % ${connections})`;
  const rare = Math.ceil(tenth / 20);
  const few = Math.ceil(connections / 10);
  return [
    `insert into integrations (id, workspace_id, identifier, type, created_at, updated_at)
      select 'int_' || i, '${workspace}', 'provider_' || i, 'api_key', ${start} + i, ${start} + i from ${counted(INTEGRATIONS)}`,
    `insert into api_keys (id, workspace_id, name, prefix, hash, created_at)
      select 'key_' || i, '${workspace}', 'key ' || i, 'sk_', 'hash ' || i, ${at} from ${counted(few)}`,
    `insert into events (id, workspace_id, type, connection_id, payload, position, created_at)
      select 'evt_' || i, '${workspace}', case when i % ${rare} = 3 then 'connection.invalid' when i % 2 = 0 then 'tasks.task.updated' else 'git.issue.created' end,
        ${connection}, '${payload}', i + 1, ${at} from ${counted(tenth)}`,
    `update event_positions set last = ${tenth + 1}`,
    `insert into deliveries (id, workspace_id, webhook_id, event_id, state, tries, next_attempt_at, created_at)
      select 'dlv_' || i, '${workspace}', '${webhook}', 'evt_' || i, case when i % ${rare} = 3 then 'failed' else 'delivered' end,
        1, null, ${at} from ${counted(tenth)}`,
    `insert into delivery_attempts (id, delivery_id, status, error, duration_ms, answer, created_at)
      select 'att_' || i, 'dlv_' || i, 200, null, 12, null, ${at} from ${counted(tenth)}`,
    `insert into audit_log (id, workspace_id, position, at, actor_kind, actor_id, actor_name, action, target_kind, target_id,
        outcome, request_id, ip, changes, previous_hash, hash)
      select 'aud_' || i, '${workspace}', i + 1, ${at}, 'key', case when i % ${rare} = 3 then 'key_rare' else 'key_' || (i % 50) end, 'a key',
        case when i % ${rare} = 5 then 'webhook.delete' when i % 2 = 0 then 'connection.update' else 'key.create' end,
        case when i % ${rare} = 5 then 'webhook' when i % 2 = 0 then 'connection' else 'key' end, 'target_' || (i % 10000),
        'success', 'req_' || i, '10.0.0.1', '["name"]', 'hash', 'hash' from ${counted(tenth)}`,
    `insert into audit_chains (workspace_id, position, hash, swept) values ('${workspace}', ${tenth}, 'hash', 0)
      on conflict (workspace_id) do update set position = excluded.position`,
    `insert into subscriptions (id, workspace_id, connection_id, operation, parameters, interval_seconds, full_walk_seconds,
        include_existing, status, progress, created_at, updated_at)
      select 'sub_' || i, '${workspace}', 'conn_' || (100000000000 + i * 10), 'git.listIssues', '{}', 3600, 86400, 0, 'paused',
        '{"is_incremental":false,"full_calls":null,"incremental_calls":null}', ${at}, ${at} from ${counted(few)}`,
    `insert into mcp_grants (id, workspace_id, client_id, client_name, redirect_host, external_id, actor, connection_ids, access,
        resource, created_at)
      select 'grant_' || i, '${workspace}', 'client', 'A client', 'localhost', 'user-' || i,
        '{"kind":"person","id":"p","name":null}', '["conn_' || (100000000000 + i) || '"]', 'read', 'https://localhost', ${at} from ${counted(few)}`,
    // Without them, the grants would be deleted as ones that nobody redeemed.
    `insert into mcp_refresh_tokens (hash, grant_id, expires_at)
      select 'hash ' || i, 'grant_' || i, ${now * 2} from ${counted(few)}`,
  ];
}

/** Most requests succeed; 404 happened only in the beginning, and one in a hundred is of one connection. */
function logEntry(workspace_id: string, index: number, start: number, { connections, entries }: Sizes): NewLogEntry {
  const isRead = index % 20 === 7;
  const failure = index % 5_000 === 0 ? 502 : index < entries / 100 && index % 7 === 0 ? 404 : undefined;
  return {
    workspace_id,
    connection_id: isRead ? null : connectionId(index % 100 === 0 ? BUSY : (index * 7919) % connections),
    integration_id: isRead ? null : `int_${index % INTEGRATIONS}`,
    request_id: requestId(index),
    surface: isRead ? "platform" : index % 10 ? "unified" : "proxy",
    method: "GET",
    path: isRead ? "/platform/v1/connections" : `/unified/v1/git/repos/acme%2Frocket-${index % 1000}/issues`,
    operation: isRead || index % 10 === 0 ? null : "git.listIssues",
    status: failure ?? 200,
    outcome: failure === 502 ? "upstream_unreachable" : failure === 404 ? "provider_404" : null,
    error_source: failure ? "provider" : null,
    duration_ms: 50 + (index % 100),
    upstream_calls: isRead ? 0 : 1,
    upstream: isRead
      ? []
      : [{ method: "GET", path: "/repos/acme/rocket/issues", status: 200, error: null, duration_ms: 40, attempt: 1 }],
    at: Math.floor(start + (index * WEEK_MS) / entries),
  };
}

async function addEntries(store: Store, workspaceId: string, sizes: Sizes): Promise<void> {
  const start = Date.now() - WEEK_MS + 60_000;
  const prefix = newId("log");
  const append = (first: number) =>
    appendEntries(
      store,
      prefix + String(first).padStart(10, "0"),
      Array.from({ length: Math.min(FULL_BATCH, sizes.entries - first) }, (_, each) =>
        logEntry(workspaceId, first + each, start, sizes),
      ),
    );
  for (let first = 0; first < sizes.entries; first += FULL_BATCH * BATCHES_AT_A_TIME) {
    const starts = Array.from({ length: BATCHES_AT_A_TIME }, (_, each) => first + each * FULL_BATCH);
    await Promise.all(starts.filter((one) => one < sizes.entries).map(append));
  }
}

/** Fills an empty database: the workspace `large` has nearly everything. */
export async function fill(store: Store, run: Run, sizes: Sizes): Promise<void> {
  const workspace = await createWorkspace(store, "large");
  const template = await store.connections.create({
    id: newId("conn"),
    workspace_id: workspace,
    integration_id: "int_0",
    integration_identifier: providers[0]!,
    external_id: null,
    credentials: { token: "made-up", refresh_token: "made-up" },
    settings: {},
    metadata: null,
    is_valid: true,
    invalid_reason: null,
    expires_at: null,
    refreshed_at: null,
  });
  const [{ credentials }] = (await run(`select credentials from connections where id = '${template.id}'`)) as [
    { credentials: string },
  ];
  const webhook = await store.webhooks.create({
    id: newId("wh"),
    workspace_id: workspace,
    name: "bench",
    url: "https://example.com/events",
    events: { "connection.created": true },
    enabled: false,
    secret: "made-up",
  });
  await run(connectionsOf(workspace, credentials, sizes.connections, 0));
  const small = Math.ceil(sizes.connections / 100);
  for (let index = 0; index < SMALL_WORKSPACES; index++) {
    const id = await createWorkspace(store, `small ${index}`);
    await run(connectionsOf(id, credentials, small, sizes.connections + index * small));
  }
  for (const statement of otherTables(workspace, webhook.id, credentials, sizes)) await run(statement);
  await addEntries(store, workspace, sizes);
}
