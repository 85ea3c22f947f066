import type { Permissions } from "./access.ts";
import type { AuditStore, NewAuditEntry } from "./audit.ts";
import type { ConnectionStore } from "./connections.ts";
import type { CustomField, StoredCustomField } from "./custom-fields.ts";
import type { ApiKey, Integration, ListedIntegration, StoredProvider, Timestamps, Workspace } from "./entities.ts";
import type { EventStore } from "./events.ts";
import type { HookStore } from "./hooks.ts";
import type { IdempotentWriteStore } from "./idempotent-writes.ts";
import type { McpGrantStore } from "./mcp-grants.ts";
import type { MovingStore } from "./moving.ts";
import type { PageRequest } from "./page.ts";
import type { Person } from "./people.ts";
import type { RequestLogStore } from "./request-log.ts";
import type { SubscriptionStore, TrackingStore } from "./subscriptions.ts";
import type { StoredToolPack, ToolPack } from "./tool-packs.ts";
import type { WebhookStore } from "./webhooks.ts";

export type { PageRequest } from "./page.ts";

/** How many providers of its own a workspace can have. */
export const MAX_OWN_PROVIDERS = 200;

/** Something that has a tool pack. */
export interface ToolPackUser {
  kind: "API key" | "MCP client" | "workspace setting";
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
  | "hooks"
  | "jobs"
>;

/**
 * Durable state. A write is on disk when its call returns; every row belongs to one workspace. A secret that cannot be
 * decrypted does not make a call fail: what is returned says that it is unreadable.
 */
export interface Store
  extends ConnectionStore,
    IdempotentWriteStore,
    RequestLogStore,
    EventStore,
    SubscriptionStore,
    HookStore,
    TrackingStore,
    WebhookStore,
    AuditStore,
    McpGrantStore,
    MovingStore {
  /**
   * Makes a change and writes its entry in the audit log, in one transaction: there is never one without the other. If
   * the work returns nothing, there was nothing to change, and there is no entry. The work uses only the store that it
   * is given: any other would wait for this transaction to end.
   */
  change<Result>(
    workspaceId: string | null,
    work: (store: ChangingStore) => Promise<Result>,
    entry: NewAuditEntry | ((result: NonNullable<Result>) => NewAuditEntry | NewAuditEntry[] | undefined),
  ): Promise<Result>;

  /** Rejects if the database is unavailable or cannot be written to, which is tried every few seconds at most. */
  ping(): Promise<void>;
  close(): Promise<void>;
  /** How many statements have been run, apart from those of events and jobs. Tests use it to prove that a call needs none. */
  readonly statements: number;

  workspaces: {
    create(
      workspace: Omit<Workspace, Timestamps | "logo_url" | "accent_color" | "mcp_sign_in_url" | "mcp_tool_pack_id">,
    ): Promise<Workspace>;
    get(id: string): Promise<Workspace | undefined>;
    byName(name: string): Promise<Workspace | undefined>;
    byClientId(clientId: string): Promise<Workspace | undefined>;
    list(): Promise<Workspace[]>;
    update(
      id: string,
      change: Partial<Omit<Workspace, Timestamps | "id" | "client_id">>,
    ): Promise<Workspace | undefined>;
  };

  keys: {
    /** It may do everything, forever, unless given otherwise. */
    create(
      key: Pick<ApiKey, "id" | "workspace_id" | "name" | "prefix"> &
        Partial<Permissions & Pick<ApiKey, "expires_at" | "tool_pack_id">> & { hash: string },
    ): Promise<ApiKey>;
    byHash(hash: string): Promise<{ key: ApiKey; workspace: Workspace; toolPack: ToolPack | undefined } | undefined>;
    /** Also one that has expired. */
    get(workspaceId: string, id: string): Promise<ApiKey | undefined>;
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
      integration: Omit<Integration, Timestamps | "private_key" | "hook_secret" | "settings"> &
        Partial<Pick<Integration, "private_key" | "hook_secret" | "settings">>,
    ): Promise<Integration>;
    get(workspaceId: string, id: string): Promise<Integration | undefined>;
    /** Of any workspace: for what a provider sends, which names nothing else. */
    byId(id: string): Promise<Integration | undefined>;
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
