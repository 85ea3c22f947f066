import { hash } from "node:crypto";
import { EVERYTHING, mayUse, roleScopes, UNBOUND } from "../../contracts/access.ts";
import type { Actor, Caller, ConnectionUser } from "../../contracts/caller.ts";
import type { Coordination } from "../../contracts/coordination.ts";
import type { CustomField } from "../../contracts/custom-fields.ts";
import type { ApiKey, Connection, Integration, Workspace } from "../../contracts/entities.ts";
import { Fault } from "../../contracts/fault.ts";
import type { McpGrant } from "../../contracts/mcp-grants.ts";
import { type OidcSettings, type Person, personId, roleIn } from "../../contracts/people.ts";
import type { Provider } from "../../contracts/provider.ts";
import { isSessionToken } from "../../contracts/session-token.ts";
import type { DashboardSession, Store } from "../../contracts/store.ts";
import type { Telemetry } from "../../contracts/telemetry.ts";
import type { ToolPack } from "../../contracts/tool-packs.ts";
import { whenHere } from "../../runtime/when-here.ts";
import { appliesTo } from "../custom-fields/declared.ts";
import { createCache } from "./cache.ts";
import { type ConnectionContext, createConnectionContext } from "./connection-context.ts";
import type { Providers } from "./providers.ts";
import { relativesOf } from "./relatives.ts";
import { createUses } from "./uses.ts";

const MAX_CACHED_KEYS = 10_000;
const MAX_CACHED_SESSIONS = 1_000;
const MAX_CACHED_TOKENS = 10_000;
const MAX_CACHED_CONNECTIONS = 20_000;
const MAX_CACHED_WORKSPACES = 1_000;

export interface PeopleOptions {
  /** How people sign in, and what they may do. */
  oidc?: OidcSettings | undefined;
  /** Whether sessions that were opened with a link or a key are refused. */
  peopleOnly?: boolean;
}

interface IdentitiesOptions extends PeopleOptions {
  store: Store;
  coordination: Coordination;
  providers: Pick<Providers, "known" | "shared">;
  sandboxUrl: string | undefined;
  telemetry: Pick<Telemetry, "warn">;
}

interface CachedConnection {
  workspaceId: string;
  externalId: string | null;
  /** Undefined if the connection's integration was deleted, or is one of the following. */
  connection: ConnectionContext | undefined;
  /** Whether its credentials cannot be decrypted. */
  unreadable: boolean;
  /** Why its provider cannot authenticate it. */
  unknownType: string | undefined;
}

const unknownConnection = () => new Fault("connection_missing", "no such connection in this workspace");

function assertOwned(id: string, cached: CachedConnection | undefined, user: ConnectionUser): ConnectionContext {
  if (cached?.workspaceId !== user.workspace.id) throw unknownConnection();
  if (!mayUse(user, { id, external_id: cached.externalId })) throw unknownConnection();
  if (cached.unreadable)
    throw new Fault(
      "credentials_unreadable",
      "the connection's stored credentials cannot be decrypted: connect again, or restore the encryption key",
    );
  if (!cached.connection)
    throw new Fault("integration_missing", cached.unknownType ?? "the connection's integration was deleted");
  return cached.connection;
}

const toExpiry = (time: string | null): number => (time === null ? Number.POSITIVE_INFINITY : Date.parse(time));

const keyCaller = (workspace: Workspace, key: ApiKey, toolPack?: ToolPack): Caller => ({
  workspace,
  actor: { kind: "key", id: key.id, name: key.name },
  scopes: key.scopes,
  external_id: key.external_id,
  connection_ids: key.connection_ids,
  expiresAt: toExpiry(key.expires_at),
  keyExpiresAt: toExpiry(key.expires_at),
  ...(toolPack && { toolPack }),
});

/** A client may use MCP for the person who gave the grant, and nothing else. */
const grantCaller = (workspace: Workspace, grant: McpGrant, toolPack?: ToolPack): Omit<Caller, "expiresAt"> => ({
  workspace,
  actor: grant.actor,
  scopes: ["mcp"],
  external_id: grant.external_id,
  connection_ids: grant.connection_ids,
  grant: {
    id: grant.id,
    clientId: grant.client_id,
    clientName: grant.client_name,
    access: grant.access,
    callApi: grant.call_api,
    mayAddAccounts: grant.may_add_accounts,
    browser: grant.browser,
    expiresAt: grant.expires_at,
  },
  ...(toolPack && { toolPack }),
});

/** Whoever can run commands where Plugboard runs can make a link that signs in. */
export const LINK_ACTOR: Actor = { kind: "command", id: null, name: "plugboard dashboard" };

export const personActor = (person: Person): Actor => ({
  kind: "person",
  id: personId(person),
  name: person.name ?? person.email ?? person.subject,
});

const personCaller = (
  workspace: Workspace,
  person: Person,
  oidc: OidcSettings | undefined,
): Omit<Caller, "expiresAt"> | undefined => {
  // By the roles of today: a session ends with its role.
  const role = roleIn(oidc, person, workspace);
  return role && { workspace, actor: personActor(person), scopes: roleScopes[role], ...UNBOUND, person };
};

/** Finds out who is calling, and their connections; from memory unless something has changed. */
export function createIdentities(options: IdentitiesOptions) {
  const { store, coordination, providers, sandboxUrl, telemetry, oidc, peopleOnly = false } = options;
  const ttlMs = () => coordination.cacheTtlMs;
  const keyUses = createUses("API keys", (uses) => store.keys.used(uses), telemetry);
  const grantUses = createUses("MCP grants", (uses) => store.mcpGrants.used(uses), telemetry);
  const keys = createCache<Caller>({
    size: MAX_CACHED_KEYS,
    ttlMs,
    async load(keyHash) {
      const found = await store.keys.byHash(keyHash);
      return found && keyCaller(found.workspace, found.key, found.toolPack);
    },
  });
  const sessions = createCache<Caller>({
    size: MAX_CACHED_SESSIONS,
    ttlMs,
    async load(tokenHash) {
      const found = await store.dashboard.session(tokenHash);
      if (!found) return undefined;
      const caller = callerOf(found);
      const { keyExpiresAt = Number.POSITIVE_INFINITY } = caller ?? {};
      return caller && { ...caller, expiresAt: Math.min(toExpiry(found.expires_at), keyExpiresAt) };
    },
  });

  const tokens = createCache<{ caller: Caller; resource: string }>({
    size: MAX_CACHED_TOKENS,
    ttlMs,
    async load(tokenHash) {
      const found = await store.mcpGrants.byToken(tokenHash);
      if (!found) return undefined;
      const { workspace, grant, toolPack, expires_at } = found;
      return {
        caller: { ...grantCaller(workspace, grant, toolPack), expiresAt: toExpiry(expires_at) },
        resource: grant.resource,
      };
    },
  });

  function callerOf({ workspace, key, person }: DashboardSession): Omit<Caller, "expiresAt"> | undefined {
    if (person) return personCaller(workspace, person, oidc);
    if (peopleOnly) return undefined;
    return key ? keyCaller(workspace, key) : { workspace, actor: LINK_ACTOR, ...EVERYTHING };
  }

  function assertSession(caller: Caller | undefined): Caller {
    if (!caller || caller.expiresAt <= Date.now()) throw new Fault("unauthorized", "the session has ended");
    return caller;
  }

  function assertKey(caller: Caller | undefined): Caller {
    if (!caller) throw new Fault("unauthorized", "the API key is unknown");
    const now = Date.now();
    if (caller.expiresAt <= now) throw new Fault("unauthorized", "the API key has expired");
    keyUses.add(caller.actor.id!, now);
    return caller;
  }

  /** By workspace. */
  const customFields = createCache<CustomField[]>({
    size: MAX_CACHED_WORKSPACES,
    ttlMs,
    load: (workspaceId) => store.customFields.list(workspaceId),
  });

  async function contextOf(
    provider: Provider,
    connection: Connection,
    integration: Integration,
  ): Promise<ConnectionContext> {
    const relatives = relativesOf(provider, integration, providers.shared.values());
    const declared = (await customFields.get(connection.workspace_id)) ?? [];
    return createConnectionContext(provider, connection, integration, {
      sandboxUrl,
      relatives,
      customFields: declared.filter((field) => appliesTo(connection, field)),
    });
  }

  const connections = createCache<CachedConnection>({
    size: MAX_CACHED_CONNECTIONS,
    ttlMs,
    async load(id) {
      const found = await store.connections.load(id);
      if (!found) return undefined;
      const { connection, integration } = found;
      const { workspace_id: workspaceId, external_id: externalId, unreadable = false } = connection;
      const provider = integration && providers.known(found.provider, integration.identifier);
      const unknownType =
        provider && !provider.manifest.auth[integration.type]
          ? `${provider.manifest.name} no longer has ${integration.type}, the type of the connection's integration`
          : undefined;
      const usable = provider && !unreadable && !unknownType;
      return {
        workspaceId,
        externalId,
        unreadable,
        unknownType,
        connection: usable ? await contextOf(provider, connection, integration) : undefined,
      };
    },
  });

  coordination.onInvalidate((topic, id) => {
    if (topic === "connection") return connections.forget(id);
    if (topic === "key") {
      keys.forget(id);
      // Sessions and grants end with the key that they were given with, and are few.
      tokens.clear();
      return sessions.clear();
    }
    // Changes to integrations, providers, workspaces, tool packs and custom fields are rare and may affect any number of entries: all are loaded again.
    customFields.clear();
    connections.clear();
    keys.clear();
    sessions.clear();
    tokens.clear();
  });

  return {
    /** Whose API key or dashboard session it is. */
    caller(key: string | undefined): Caller | Promise<Caller> {
      if (!key) throw new Fault("unauthorized", "the API key is missing");
      const keyHash = hash("sha256", key);
      return isSessionToken(key)
        ? whenHere(sessions.get(keyHash), assertSession)
        : whenHere(keys.get(keyHash), assertKey);
    },

    /** Which MCP client's access token it is, if it was issued for this address. */
    async mcpClient(token: string, resource: string): Promise<Caller> {
      const found = await tokens.get(hash("sha256", token));
      const now = Date.now();
      if (!found || found.caller.expiresAt <= now)
        throw new Fault("unauthorized", "the access token is unknown or has expired");
      if (found.resource !== resource) throw new Fault("unauthorized", "the access token is for another address");
      grantUses.add(found.caller.grant!.id, now);
      return found.caller;
    },

    /** The connection with this ID, if it belongs to the workspace and its user may use it. */
    connection(user: ConnectionUser, id: string | undefined): ConnectionContext | Promise<ConnectionContext> {
      if (!id) throw unknownConnection();
      return whenHere(connections.get(id), (cached) => assertOwned(id, cached, user));
    },

    /** The connection as it is stored now, bypassing the cache. */
    async reload({ record: { id, workspace_id }, provider }: ConnectionContext): Promise<ConnectionContext> {
      const cached = await connections.reload(id);
      const stored = assertOwned(id, cached, { workspace: { id: workspace_id }, ...UNBOUND });
      return stored.relatives.includes(provider) ? stored.at(provider) : stored;
    },

    async close(): Promise<void> {
      await Promise.all([keyUses.close(), grantUses.close()]);
    },
  };
}

export type Identities = ReturnType<typeof createIdentities>;
