import type { Credentials } from "./authentication.ts";
import type {
  ConnectCode,
  Connection,
  ConnectSession,
  Integration,
  ListedConnection,
  PendingConsent,
  StoredProvider,
  Timestamps,
} from "./entities.ts";
import type { PageRequest } from "./page.ts";

/** What a list of connections is limited to. */
export interface ConnectionFilter
  extends Partial<Pick<Connection, "integration_id" | "integration_identifier" | "external_id" | "is_valid">> {
  ids?: readonly string[];
  /** Values at the top level of `metadata`, as text: a string, or a number or boolean as JSON writes it. */
  metadata?: Record<string, string>;
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

/** The part of the store with connections, and with what they come from. */
export interface ConnectionStore {
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

  /** Links with which users connect accounts. What has expired is never returned. */
  connectSessions: {
    create(
      session: Omit<ConnectSession, "browser" | "connected_id" | "mcp_sign_in_id" | "mcp_grant_id"> &
        Partial<Pick<ConnectSession, "browser" | "mcp_sign_in_id" | "mcp_grant_id">>,
    ): Promise<void>;
    get(id: string): Promise<ConnectSession | undefined>;
    /** Binds the session to a browser. False if another one has begun it. */
    begin(id: string, browser: string): Promise<boolean>;
    /**
     * Uses the session up and creates or changes the connection, or issues the code that does so later, in one atomic
     * step, in which a new connection is also added to the session's grant. An attempt that is repeated changes nothing
     * more; any other attempt finds the session used. If the connection to change has been deleted, the session is
     * deleted too.
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
}
