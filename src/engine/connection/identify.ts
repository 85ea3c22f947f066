import { hash } from "node:crypto";
import type { Coordination } from "../../contracts/coordination.ts";
import type { Workspace } from "../../contracts/entities.ts";
import { Fault } from "../../contracts/fault.ts";
import type { Provider } from "../../contracts/provider.ts";
import { isSessionToken } from "../../contracts/session-token.ts";
import type { Store } from "../../contracts/store.ts";
import { createCache } from "./cache.ts";
import { type ConnectionContext, createConnectionContext } from "./connection-context.ts";

const MAX_CACHED_KEYS = 10_000;
const MAX_CACHED_SESSIONS = 1_000;
const MAX_CACHED_CONNECTIONS = 20_000;

interface IdentitiesOptions {
  store: Store;
  coordination: Coordination;
  providers: ReadonlyMap<string, Provider>;
  sandboxUrl: string | undefined;
}

interface CachedConnection {
  workspaceId: string;
  /** Undefined if the connection's integration was deleted, or its credentials cannot be decrypted. */
  connection: ConnectionContext | undefined;
  unreadable: boolean;
}

const unknownConnection = () => new Fault("connection_missing", "no such connection in this workspace");

function assertOwned(cached: CachedConnection | undefined, workspaceId: string): ConnectionContext {
  if (cached?.workspaceId !== workspaceId) throw unknownConnection();
  if (cached.unreadable)
    throw new Fault(
      "credentials_unreadable",
      "the connection's stored credentials cannot be decrypted: connect again, or restore the encryption key",
    );
  if (!cached.connection) throw new Fault("integration_missing", "the connection's integration was deleted");
  return cached.connection;
}

function assertKnown(workspace: Workspace | undefined): Workspace {
  if (!workspace) throw new Fault("unauthorized", "the API key is unknown");
  return workspace;
}

interface CachedSession {
  workspace: Workspace;
  expiresAt: number;
}

function assertOpen(session: CachedSession | undefined): Workspace {
  if (!session || session.expiresAt <= Date.now()) throw new Fault("unauthorized", "the session has ended");
  return session.workspace;
}

/** Finds the workspace of an API key or a dashboard session, and its connections; from memory unless something has changed. */
export function createIdentities({ store, coordination, providers, sandboxUrl }: IdentitiesOptions) {
  const ttlMs = () => coordination.cacheTtlMs;
  const workspaces = createCache<Workspace>({
    size: MAX_CACHED_KEYS,
    ttlMs,
    load: async (keyHash) => (await store.keys.byHash(keyHash))?.workspace,
  });
  const sessions = createCache<CachedSession>({
    size: MAX_CACHED_SESSIONS,
    ttlMs,
    async load(tokenHash) {
      const found = await store.dashboard.session(tokenHash);
      return found && { workspace: found.workspace, expiresAt: Date.parse(found.expires_at) };
    },
  });
  const connections = createCache<CachedConnection>({
    size: MAX_CACHED_CONNECTIONS,
    ttlMs,
    async load(id) {
      const found = await store.connections.load(id);
      if (!found) return undefined;
      const { connection, integration } = found;
      const { workspace_id: workspaceId, unreadable = false } = connection;
      const provider = integration && providers.get(integration.identifier);
      const usable = provider && !unreadable;
      return {
        workspaceId,
        unreadable,
        connection: usable ? createConnectionContext(provider, connection, integration, sandboxUrl) : undefined,
      };
    },
  });

  coordination.onInvalidate((topic, id) => {
    if (topic === "connection") return connections.forget(id);
    if (topic === "key") {
      workspaces.forget(id);
      // A session ends with the key that it was opened with, and sessions are few.
      return sessions.clear();
    }
    // Changes to integrations and workspaces are rare and may affect any number of entries: all are loaded again.
    connections.clear();
    workspaces.clear();
    sessions.clear();
  });

  return {
    /** The workspace of an API key or of a dashboard session. */
    async workspace(key: string | undefined): Promise<Workspace> {
      if (!key) throw new Fault("unauthorized", "the API key is missing");
      const keyHash = hash("sha256", key);
      return isSessionToken(key) ? assertOpen(await sessions.get(keyHash)) : assertKnown(await workspaces.get(keyHash));
    },

    /** The connection with this ID, if it belongs to the workspace. */
    async connection(workspace: Pick<Workspace, "id">, id: string | undefined): Promise<ConnectionContext> {
      if (!id) throw unknownConnection();
      return assertOwned(await connections.get(id), workspace.id);
    },

    /** The connection as it is stored now, bypassing the cache. */
    async reload(connection: ConnectionContext): Promise<ConnectionContext> {
      return assertOwned(await connections.reload(connection.record.id), connection.record.workspace_id);
    },
  };
}

export type Identities = ReturnType<typeof createIdentities>;
