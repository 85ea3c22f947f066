import { hash } from "node:crypto";
import type { Coordination } from "../../contracts/coordination.ts";
import type { Workspace } from "../../contracts/entities.ts";
import { Fault } from "../../contracts/fault.ts";
import type { Provider } from "../../contracts/provider.ts";
import type { Store } from "../../contracts/store.ts";
import { createCache } from "./cache.ts";
import { type ConnectionContext, createConnectionContext } from "./connection-context.ts";

const KEYS = 10_000;
const REMEMBERED_HASHES = 1_000;
const CONNECTIONS = 20_000;

interface AccountsOptions {
  store: Store;
  coordination: Coordination;
  providers: ReadonlyMap<string, Provider>;
  sandboxUrl: string | undefined;
}

interface Known {
  workspaceId: string;
  /** Absent where the connection's integration was deleted. */
  connection: ConnectionContext | undefined;
}

const unknownConnection = () => new Fault("connection_missing", "no such connection in this workspace");

function assertOwned(known: Known | undefined, workspaceId: string): ConnectionContext {
  if (known?.workspaceId !== workspaceId) throw unknownConnection();
  if (!known.connection) throw new Fault("integration_missing", "the connection's integration was deleted");
  return known.connection;
}

function recognise(workspace: Workspace | undefined): Workspace {
  if (!workspace) throw new Fault("unauthorized", "the API key is not known");
  return workspace;
}

/** Who is calling, and over which connection: answered from memory while nothing has changed. */
export function createIdentities({ store, coordination, providers, sandboxUrl }: AccountsOptions) {
  const life = () => coordination.cacheTtlMs;
  /** Of keys that are known and in use: to hash one takes longer than all else that is done to recognise it. */
  const hashes = new Map<string, string>();
  const workspaces = createCache<Workspace>({
    size: KEYS,
    life,
    load: async (keyHash) => (await store.keys.byHash(keyHash))?.workspace,
  });
  const connections = createCache<Known>({
    size: CONNECTIONS,
    life,
    async load(id) {
      const found = await store.connections.load(id);
      if (!found) return undefined;
      const { connection, integration } = found;
      const provider = integration && providers.get(integration.identifier);
      return {
        workspaceId: connection.workspace_id,
        connection: provider && createConnectionContext(provider, connection, integration, sandboxUrl),
      };
    },
  });

  coordination.onInvalidate((topic, id) => {
    if (topic === "connection") return connections.forget(id);
    if (topic === "key") return workspaces.forget(id);
    // A change of an integration or a workspace is rare and touches any number of entries: all are read again.
    connections.clear();
    workspaces.clear();
  });

  return {
    /** The workspace of an API key. Warm: at once. */
    workspace(key: string | undefined): Workspace | Promise<Workspace> {
      if (!key) throw new Fault("unauthorized", "no API key was sent");
      const remembered = hashes.get(key);
      const keyHash = remembered ?? hash("sha256", key);
      const found = workspaces.get(keyHash);
      if (found instanceof Promise) return found.then(recognise);
      if (remembered === undefined) {
        if (hashes.size >= REMEMBERED_HASHES) hashes.clear();
        hashes.set(key, keyHash);
      }
      return found;
    },

    /** The connection with this id, if it is the workspace's. Warm: at once. */
    connection(workspace: Workspace, id: string | undefined): ConnectionContext | Promise<ConnectionContext> {
      if (!id) throw unknownConnection();
      const found = connections.get(id);
      if (found instanceof Promise) return found.then((known) => assertOwned(known, workspace.id));
      return assertOwned(found, workspace.id);
    },

    /** As it stands in the store now, whatever the cache says. */
    async reload(connection: ConnectionContext): Promise<ConnectionContext> {
      return assertOwned(await connections.reload(connection.record.id), connection.record.workspace_id);
    },
  };
}

export type Identities = ReturnType<typeof createIdentities>;
