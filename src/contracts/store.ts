import type {
  ApiKey,
  ConnectCode,
  Connection,
  ConnectSession,
  Integration,
  LogEntry,
  NewLogEntry,
  Workspace,
} from "./entities.ts";

export interface Page {
  offset: number;
  limit: number;
}

type Created = "created_at" | "updated_at";

export type ConnectionChange = Partial<
  Pick<
    Connection,
    | "external_id"
    | "credentials"
    | "settings"
    | "metadata"
    | "is_valid"
    | "invalid_reason"
    | "expires_at"
    | "refreshed_at"
  >
>;

/** Durable state. A call that is answered is on disk; every record belongs to one workspace. */
export interface Store {
  /** Rejects where the store does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
  /** How many statements were run: lets a test prove that a call needs none. */
  readonly statements: number;

  workspaces: {
    create(workspace: Omit<Workspace, Created>): Promise<Workspace>;
    get(id: string): Promise<Workspace | undefined>;
    byName(name: string): Promise<Workspace | undefined>;
    byClientId(clientId: string): Promise<Workspace | undefined>;
    list(): Promise<Workspace[]>;
    update(id: string, change: Partial<Pick<Workspace, "name" | "redirect_uris">>): Promise<Workspace | undefined>;
  };

  keys: {
    create(key: Omit<ApiKey, "created_at"> & { hash: string }): Promise<ApiKey>;
    byHash(hash: string): Promise<{ key: ApiKey; workspace: Workspace } | undefined>;
    list(workspaceId: string, page: Page): Promise<ApiKey[]>;
    /** Returns the hash of the key that is gone, or undefined where there was none. */
    delete(workspaceId: string, id: string): Promise<string | undefined>;
  };

  integrations: {
    /** Undefined where the workspace already has one with this identifier. */
    create(integration: Omit<Integration, Created>): Promise<Integration | undefined>;
    get(workspaceId: string, id: string): Promise<Integration | undefined>;
    byIdentifier(workspaceId: string, identifier: string): Promise<Integration | undefined>;
    list(workspaceId: string, page: Page): Promise<Integration[]>;
    update(
      workspaceId: string,
      id: string,
      change: Partial<Pick<Integration, "type" | "client_id" | "client_secret" | "scopes" | "base_url" | "mcp_url">>,
    ): Promise<Integration | undefined>;
    delete(workspaceId: string, id: string): Promise<boolean>;
  };

  connections: {
    create(connection: Omit<Connection, Created>): Promise<Connection>;
    get(workspaceId: string, id: string): Promise<Connection | undefined>;
    /** The connection with its integration, in one query: what a call needs. */
    load(id: string): Promise<{ connection: Connection; integration: Integration | undefined } | undefined>;
    list(
      workspaceId: string,
      page: Page,
      filter: Partial<Pick<Connection, "integration_id" | "integration_identifier" | "external_id">>,
    ): Promise<Connection[]>;
    update(id: string, change: ConnectionChange): Promise<Connection | undefined>;
    /**
     * The same, only where the connection still holds this refresh token, in one step: of several who renew it, and of
     * one who connects it anew meanwhile, none overwrites what is newer. Undefined where it does not, or is gone.
     */
    renew(id: string, refreshToken: string, change: ConnectionChange): Promise<Connection | undefined>;
    /** Returns the connection as it was at its end, since that is what has to be revoked. */
    delete(workspaceId: string, id: string): Promise<Connection | undefined>;
  };

  connect: {
    open(session: ConnectSession): Promise<void>;
    get(id: string): Promise<ConnectSession | undefined>;
    /** Gives the session and makes it unusable, in one step: two callers never both get it. */
    take(id: string): Promise<ConnectSession | undefined>;
    issue(code: ConnectCode): Promise<void>;
    redeem(hash: string): Promise<ConnectCode | undefined>;
    /** Removes what has expired. */
    sweep(): Promise<void>;
  };

  /** A number that moves when another process has written. Absent where the store cannot tell. */
  externalWriteCounter?: () => number;

  log: {
    /** Writes what happened, in its order. The same id once more changes nothing. */
    append(id: string, entries: readonly NewLogEntry[]): Promise<void>;
    list(workspaceId: string, page: Page, filter: { connection_id?: string }): Promise<LogEntry[]>;
    /** Keeps the newest `keep` entries, none older than `before`; and what was written together with one that is kept. */
    trim(before: string, keep: number): Promise<void>;
  };

  /** Locks among processes that share this store and nothing else. */
  locks: {
    /** True where the lock is now this owner's: nobody held it, or its time had run out. */
    acquire(key: string, owner: string, ttlMs: number): Promise<boolean>;
    /** Does nothing where the lock is another's by now. */
    release(key: string, owner: string): Promise<void>;
  };

  /** Re-encrypts every secret that is not under the current key; returns how many were. */
  reencrypt(progress?: (done: number) => void): Promise<number>;
}
