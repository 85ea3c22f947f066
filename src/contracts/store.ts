import type { Permissions } from "./access.ts";
import type { AuditStore, NewAuditEntry } from "./audit.ts";
import type { Credentials } from "./authentication.ts";
import type { CustomField, StoredCustomField } from "./custom-fields.ts";
import type {
  ApiKey,
  ConnectCode,
  Connection,
  ConnectSession,
  FullLogEntry,
  Integration,
  ListedConnection,
  ListedIntegration,
  LogEntry,
  NewLogEntry,
  PendingConsent,
  StoredProvider,
  Workspace,
} from "./entities.ts";
import type { EventStore } from "./events.ts";
import type { McpGrantStore } from "./mcp-grants.ts";
import type { OffsetPage, PageRequest } from "./page.ts";
import type { Person } from "./people.ts";
import type { NewSubscription, Subscription, TrackingStore } from "./subscriptions.ts";
import type { StoredToolPack, ToolPack } from "./tool-packs.ts";
import type { UsageCount, UsagePeriod, UsageWidth } from "./usage.ts";
import type { WebhookStore } from "./webhooks.ts";

export type { OffsetPage, PageRequest } from "./page.ts";

type Timestamps = "created_at" | "updated_at";

/** What a list of connections is limited to. */
export interface ConnectionFilter
  extends Partial<Pick<Connection, "integration_id" | "integration_identifier" | "external_id" | "is_valid">> {
  ids?: readonly string[];
  /** Values at the top level of `metadata`, as text: a string, or a number or boolean as JSON writes it. */
  metadata?: Record<string, string>;
}

/** What a list of log entries is limited to. */
export interface LogFilter {
  connection_id?: string;
  /** Any of these connections. */
  connection_ids?: readonly string[];
  integration_id?: string;
  surface?: string;
  /** A status, or a class such as `5xx`. */
  status?: string;
  outcome?: string;
  /** Whose errors; `any` for all requests that failed. */
  error_source?: string;
  request_id?: string;
  operation?: string;
  /** Part of the path. */
  path?: string;
  /** Without requests that only read the workspace's own data. */
  without_platform_reads?: boolean;
  /** From this time on; ISO 8601. */
  since?: string;
  /** Before this time. */
  until?: string;
}

/** A connection before it is stored. */
export type NewConnection = Omit<Connection, Timestamps | "account"> & Partial<Pick<Connection, "account">>;

export type ConnectionChange = Partial<
  Pick<
    Connection,
    | "external_id"
    | "credentials"
    | "settings"
    | "metadata"
    | "account"
    | "is_valid"
    | "invalid_reason"
    | "expires_at"
    | "refreshed_at"
  >
>;

export interface LoadedConnection {
  connection: Connection;
  integration: Integration | undefined;
  /** Undefined if its provider is not one of the workspace's own. */
  provider: Omit<StoredProvider, Timestamps> | undefined;
}

/** How many providers of its own a workspace can have. */
export const MAX_OWN_PROVIDERS = 200;

/** The state of a write with an idempotency key; `fingerprint` is that of the first request with this key. */
export type BegunWrite =
  | { state: "begun" }
  | { state: "running" | "unknown"; fingerprint: string }
  | { state: "done"; fingerprint: string; answer: string };

/** Something that has a tool pack. */
export interface ToolPackUser {
  kind: "API key";
  id: string;
  name: string | null;
}

export interface DashboardSession {
  workspace: Workspace;
  /** Neither if it was opened with a link. */
  key: ApiKey | undefined;
  person: Person | undefined;
  expires_at: string;
}

/** Entries of the request log that are written together. */
export interface LogBatch {
  add(entry: NewLogEntry): void;
  readonly size: number;
}

/** What can be changed together with an entry in the audit log. */
export type ChangingStore = Pick<
  Store,
  | "workspaces"
  | "keys"
  | "toolPacks"
  | "customFields"
  | "integrations"
  | "providers"
  | "connections"
  | "connectSessions"
  | "connectFlows"
  | "webhooks"
  | "deliveries"
  | "dashboard"
  | "mcpGrants"
  | "subscriptions"
  | "jobs"
>;

/**
 * Durable state. A write is on disk when its call returns; every row belongs to one workspace. A secret that cannot be
 * decrypted does not make a call fail: what is returned says that it is unreadable.
 */
export interface Store extends EventStore, TrackingStore, WebhookStore, AuditStore, McpGrantStore {
  /**
   * Makes a change and writes its entry in the audit log, in one transaction: there is never one without the other. If
   * the work returns nothing, there was nothing to change, and there is no entry. The work uses only the store that it
   * is given: any other would wait for this transaction to end.
   */
  change<Result>(
    workspaceId: string | null,
    work: (store: ChangingStore) => Promise<Result>,
    entry: NewAuditEntry | ((result: NonNullable<Result>) => NewAuditEntry | undefined),
  ): Promise<Result>;

  /** Rejects if the database is unavailable or cannot be written to, which is tried every few seconds at most. */
  ping(): Promise<void>;
  close(): Promise<void>;
  /** How many statements have been run, apart from those of events and jobs. Tests use it to prove that a call needs none. */
  readonly statements: number;

  workspaces: {
    create(
      workspace: Omit<Workspace, Timestamps | "logo_url" | "accent_color" | "mcp_sign_in_url">,
    ): Promise<Workspace>;
    get(id: string): Promise<Workspace | undefined>;
    byName(name: string): Promise<Workspace | undefined>;
    byClientId(clientId: string): Promise<Workspace | undefined>;
    list(): Promise<Workspace[]>;
    update(
      id: string,
      change: Partial<Pick<Workspace, "name" | "redirect_uris" | "logo_url" | "accent_color" | "mcp_sign_in_url">>,
    ): Promise<Workspace | undefined>;
  };

  keys: {
    /** It may do everything, forever, unless given otherwise. */
    create(
      key: Pick<ApiKey, "id" | "workspace_id" | "name" | "prefix"> &
        Partial<Permissions & Pick<ApiKey, "expires_at" | "tool_pack_id">> & { hash: string },
    ): Promise<ApiKey>;
    byHash(hash: string): Promise<{ key: ApiKey; workspace: Workspace; toolPack: ToolPack | undefined } | undefined>;
    list(workspaceId: string, page: PageRequest): Promise<ApiKey[]>;
    /** Notes when keys were last used. */
    used(uses: readonly { id: string; at: string }[]): Promise<void>;
    /** Returns the hash of the deleted key, or undefined if there was none. */
    delete(workspaceId: string, id: string): Promise<string | undefined>;
  };

  toolPacks: {
    /** Refuses more than `MAX_TOOL_PACKS`. */
    create(pack: Omit<StoredToolPack, Timestamps>): Promise<StoredToolPack>;
    get(workspaceId: string, id: string): Promise<StoredToolPack | undefined>;
    /** All of them, in the order of their creation. */
    list(workspaceId: string): Promise<StoredToolPack[]>;
    update(workspaceId: string, id: string, change: Partial<Omit<ToolPack, "id">>): Promise<StoredToolPack | undefined>;
    /** What it was given to. */
    users(workspaceId: string, id: string): Promise<ToolPackUser[]>;
    delete(workspaceId: string, id: string): Promise<boolean>;
  };

  customFields: {
    /** Refuses a second one of the same name for the same connections, and more than `MAX_CUSTOM_FIELDS`. */
    create(field: Omit<StoredCustomField, Timestamps>): Promise<StoredCustomField>;
    get(workspaceId: string, id: string): Promise<StoredCustomField | undefined>;
    /** All of them, by record and name. */
    list(workspaceId: string): Promise<StoredCustomField[]>;
    update(
      workspaceId: string,
      id: string,
      change: Partial<Pick<CustomField, "type" | "paths">>,
    ): Promise<StoredCustomField | undefined>;
    delete(workspaceId: string, id: string): Promise<boolean>;
  };

  integrations: {
    create(
      integration: Omit<Integration, Timestamps | "private_key" | "settings"> &
        Partial<Pick<Integration, "private_key" | "settings">>,
    ): Promise<Integration>;
    get(workspaceId: string, id: string): Promise<Integration | undefined>;
    /** All integrations of one provider, in the order of their creation. */
    ofProvider(workspaceId: string, identifier: string): Promise<Integration[]>;
    list(workspaceId: string, page: PageRequest): Promise<ListedIntegration[]>;
    update(
      workspaceId: string,
      id: string,
      change: Partial<Omit<Integration, Timestamps | "id" | "workspace_id" | "identifier" | "unreadable">>,
    ): Promise<Integration | undefined>;
    delete(workspaceId: string, id: string): Promise<boolean>;
  };

  /** The providers that workspaces have described themselves. */
  providers: {
    /** Undefined if the workspace has one of this id. Refuses more than `MAX_OWN_PROVIDERS`. */
    create(provider: Omit<StoredProvider, Timestamps>): Promise<StoredProvider | undefined>;
    get(workspaceId: string, id: string): Promise<StoredProvider | undefined>;
    /** All of them, in the order of their ids. */
    list(workspaceId: string): Promise<StoredProvider[]>;
    /** Replaces the document of one that was read before. Undefined if it was changed or deleted since then. */
    replace(read: StoredProvider, document: string): Promise<StoredProvider | undefined>;
    delete(workspaceId: string, id: string): Promise<boolean>;
  };

  connections: {
    create(connection: NewConnection): Promise<Connection>;
    get(workspaceId: string, id: string): Promise<Connection | undefined>;
    /** The connection, its integration and its workspace's own provider, in one query: every call needs them. */
    load(id: string): Promise<LoadedConnection | undefined>;
    list(workspaceId: string, page: PageRequest, filter: ConnectionFilter): Promise<ListedConnection[]>;
    update(id: string, change: ConnectionChange): Promise<Connection | undefined>;
    /**
     * Like `update`, but only if the connection still has these credentials, of which some may be left out, in one
     * atomic step. So a refresh never overwrites the result of another refresh or of a reconnect. Undefined if the
     * credentials are others by now, or the connection was deleted.
     */
    updateIfUnchanged(
      id: string,
      expected: Partial<Credentials>,
      change: ConnectionChange,
    ): Promise<Connection | undefined>;
    /** Returns the deleted connection, because its token has to be revoked. */
    delete(workspaceId: string, id: string): Promise<Connection | undefined>;
  };

  /** Each has a job of the same id. They are deleted together with their connection. */
  subscriptions: {
    /** It runs immediately. */
    create(subscription: NewSubscription): Promise<Subscription>;
    get(workspaceId: string, id: string): Promise<Subscription | undefined>;
    list(
      workspaceId: string,
      page: PageRequest,
      filter: { connection_ids?: readonly string[] },
    ): Promise<Subscription[]>;
    /** It runs immediately. With other parameters it starts over: a run in progress loses its job. */
    update(
      workspaceId: string,
      id: string,
      change: Partial<Pick<Subscription, "parameters" | "interval_seconds" | "full_walk_seconds">>,
    ): Promise<Subscription | undefined>;
    /** Its job deletes what it tracked, in batches. */
    delete(workspaceId: string, id: string): Promise<boolean>;
    /** A run in progress loses its job. */
    pause(workspaceId: string, id: string): Promise<Subscription | undefined>;
    /** It runs immediately. */
    resume(workspaceId: string, id: string): Promise<Subscription | undefined>;
    /** How many subscriptions there are with each status, in all workspaces. */
    statuses(): Promise<Record<string, number>>;
  };

  /** Links with which users connect accounts. What has expired is never returned. */
  connectSessions: {
    create(
      session: Omit<ConnectSession, "browser" | "connected_id" | "mcp_sign_in_id"> &
        Partial<Pick<ConnectSession, "mcp_sign_in_id">>,
    ): Promise<void>;
    get(id: string): Promise<ConnectSession | undefined>;
    /** Binds the session to a browser. False if another one has begun it. */
    begin(id: string, browser: string): Promise<boolean>;
    /**
     * Uses the session up and creates or changes the connection, or issues the code that does so later, in one atomic
     * step. An attempt that is repeated changes nothing more; any other attempt finds the session used. If the
     * connection to change has been deleted, the session is deleted too.
     */
    complete(
      id: string,
      attempt: string,
      connection: { id: string; create?: NewConnection; change?: ConnectionChange; code?: ConnectCode },
    ): Promise<"completed" | "used" | "connection_missing">;
  };

  /** Consents in progress and the codes that flows end with. What has expired is never returned. */
  connectFlows: {
    open(consent: PendingConsent): Promise<void>;
    get(id: string): Promise<PendingConsent | undefined>;
    /** Returns and deletes the consent in one atomic step: two callers never both get it. */
    take(id: string): Promise<PendingConsent | undefined>;
    issue(code: ConnectCode): Promise<void>;
    /** How many codes of a workspace have been issued and neither redeemed nor expired. */
    unredeemed(workspaceId: string): Promise<number>;
    /**
     * Deletes the code, creates or changes its connection, which is valid afterwards, and returns the connection, all in
     * one atomic step. If the code was issued for something else, it is deleted and nothing is changed.
     */
    redeem(
      hash: string,
      issuedFor: Pick<ConnectCode, "workspace_id" | "redirect_uri">,
    ): Promise<Connection | undefined>;
    /** Deletes expired sessions, consents, codes and locks. */
    sweep(): Promise<void>;
  };

  /** Writes of clients that sent an idempotency key: the outcome of each, so that none is made twice. */
  idempotentWrites: {
    /**
     * Begins a write, or returns the state of an earlier one with the same key. A lease that has expired belongs to a
     * process that stopped: the write begins again if nothing had been sent, and is `unknown` otherwise.
     */
    begin(
      write: { id: string; workspace_id: string; fingerprint: string; owner: string },
      times: { leaseMs: number; keepMs: number },
    ): Promise<BegunWrite>;
    /** Called before the provider can see anything. False if another process has taken the write over. */
    markSent(id: string, owner: string, leaseMs: number): Promise<boolean>;
    /** Keeps the lease of a write that is still running. */
    renew(id: string, owner: string, leaseMs: number): Promise<void>;
    finish(id: string, owner: string, answer: string): Promise<void>;
    /** It may or may not have been carried out, and that cannot be found out. */
    markUnknown(id: string, owner: string): Promise<void>;
    /** It was certainly not carried out: the same key may be used again. */
    release(id: string, owner: string): Promise<void>;
    /** Deletes what has expired. */
    sweep(): Promise<void>;
  };

  /** One-time links and sessions of the dashboard. Only hashes are stored, and what has expired is never returned. */
  dashboard: {
    createLink(link: { hash: string; workspace_id: string; expires_at: string }): Promise<void>;
    /** The workspace that a link is for. The link stays valid. */
    link(hash: string): Promise<Workspace | undefined>;
    /** Deletes a link and opens a session for its workspace in one atomic step. False if there is no such link. */
    redeemLink(linkHash: string, session: { hash: string; expires_at: string }): Promise<boolean>;
    /** A session that was opened with an API key ends when the key is deleted. */
    openSession(session: { hash: string; workspace_id: string; key_id: string; expires_at: string }): Promise<void>;
    /** A session of somebody who signed in at the identity provider. */
    openPersonSession(session: {
      hash: string;
      workspace_id: string;
      person: Person;
      expires_at: string;
    }): Promise<void>;
    /** With the key that it was opened with, or the person who signed in. */
    session(hash: string): Promise<DashboardSession | undefined>;
    /** Changes the workspace of a person's session. Whether they may is for the caller to decide. */
    moveSession(hash: string, workspaceId: string): Promise<void>;
    closeSession(hash: string): Promise<void>;
    /** Deletes what has expired. */
    sweep(): Promise<void>;
  };

  /** A number that changes when another process has written. Absent if the database does not have one. */
  externalWriteCounter?: () => number;

  requestLog: {
    /** Begins a batch, to which entries are added in the order of time. */
    newBatch(id: string): LogBatch;
    /** Writes what was added to a batch. It may be written again with more entries. */
    write(batch: LogBatch): Promise<void>;
    list(workspaceId: string, page: OffsetPage, filter: LogFilter): Promise<LogEntry[]>;
    get(workspaceId: string, id: string): Promise<FullLogEntry | undefined>;
    /** How many requests there were, in the order of time. Counted with the entries, and kept longer. */
    usage(workspaceId: string, period: UsagePeriod): Promise<UsageCount[]>;
    trimUsage(width: UsageWidth, before: string): Promise<void>;
    /** Keeps the newest `keep` entries that are not older than `before`. A batch is kept or deleted as a whole. */
    trim(before: string, keep: number): Promise<void>;
  };

  /** Locks between processes that share only this store. */
  locks: {
    /** True if the owner now has the lock: it was free or had expired. */
    acquire(key: string, owner: string, ttlMs: number): Promise<boolean>;
    /** Does nothing if the lock has another owner by now. */
    release(key: string, owner: string): Promise<void>;
  };

  /** Re-encrypts every secret that is not encrypted with the current key, and returns how many there were. */
  reencrypt(progress?: (done: number) => void): Promise<number>;
}
