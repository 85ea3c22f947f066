import { hash } from "node:crypto";
import type { AuthType } from "../../contracts/authentication.ts";
import { authTypes, type Manifest } from "../../contracts/manifest.ts";
import type { MovedRow, MovedRows } from "../../contracts/moving.ts";
import { furtherIdentifier } from "../../store/integrations.ts";
import { type Converted, convertConnection, providerName, Unusable } from "./convert-connection.ts";
import type { NangoConnection, NangoIntegration, NangoSource } from "./source.ts";

const BATCH_SIZE = 500;
/** What an id of a connection may be: part of addresses, headers and tokens, in which a dot has a meaning. */
const ID = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_METADATA_BYTES = 16_384;

export interface Target {
  workspaceId: string;
  /** Undefined if there is no such provider. */
  manifestOf(provider: string): Manifest | undefined;
  /** Ids of the integrations that the workspace has of a provider. */
  integrationsOf(provider: string): string[];
}

/** Microseconds since 1970. */
const time = (text: string): number => Date.parse(text) * 1000;

/** What is left out, and why. */
export function createNotes() {
  const left = new Map<string, string[]>();
  return {
    add(what: string, reason: string): void {
      left.set(reason, [...(left.get(reason) ?? []), what]);
    },
    lines: () =>
      [...left].map(([reason, what]) => {
        const more = what.length > 5 ? ` and ${what.length - 5} more` : "";
        return `Left out: ${what.slice(0, 5).join(", ")}${more}: ${reason}`;
      }),
  };
}

/**
 * What Nango has, as rows of one workspace. Ids are made from Nango's, so that they are the same in every import. Of
 * several integrations of one provider, only one has its plain name: see `store/integrations.ts`.
 */
export async function* convertNango(
  source: NangoSource,
  { workspaceId, manifestOf, integrationsOf }: Target,
  { keepIds, notes }: { keepIds: boolean; notes: ReturnType<typeof createNotes> },
): AsyncGenerator<MovedRows> {
  const idFrom = (prefix: string, ...parts: (string | null)[]) =>
    `${prefix}_${hash("sha256", JSON.stringify([workspaceId, ...parts])).slice(0, 24)}`;
  const integrations = new Map((await source.integrations()).map((integration) => [integration.key, integration]));
  const known = new Map<string, MovedRow>();
  /** The integration that has the plain name of a provider. */
  const plainNames = new Map<string, string>();
  const usedIds = new Set<string>();

  function integrationRow(
    { key, provider, name, client_id, client_secret, scopes, created_at }: NangoIntegration,
    type: AuthType,
    base_url: string | null,
  ): MovedRow {
    const { id: identifier } = providerName(provider);
    const isClient = type === "oauth2";
    if (isClient && !(client_id && client_secret)) throw new Unusable("Nango has no client ID and secret for it");
    const id = idFrom("int", "integration", key, type, base_url);
    const others = integrationsOf(identifier).filter((other) => other !== id);
    if (others.length === 0 && !plainNames.has(identifier)) plainNames.set(identifier, id);
    const requested = (isClient && scopes ? scopes.split(/[,\s]+/) : []).filter(Boolean);
    return {
      id,
      workspace_id: workspaceId,
      identifier: plainNames.get(identifier) === id ? identifier : furtherIdentifier(identifier, id),
      type,
      client_id: isClient ? client_id : null,
      client_secret: isClient ? client_secret : null,
      scopes: requested.length > 0 ? JSON.stringify(requested) : null,
      base_url,
      mcp_url: null,
      private_key: null,
      settings: null,
      name: name ?? key,
      created_at: time(created_at),
      updated_at: time(created_at),
    };
  }

  function connectionRow(connection: NangoConnection, converted: Converted, integration: MovedRow): MovedRow {
    const { connection_id, end_user_id, credentials } = connection;
    const isKept = keepIds && ID.test(connection_id) && !usedIds.has(connection_id);
    if (isKept) usedIds.add(connection_id);
    const extra = !isKept && end_user_id !== null ? { nango_end_user_id: end_user_id } : {};
    const metadata = JSON.stringify({ ...connection.metadata, ...extra });
    if (metadata.length > MAX_METADATA_BYTES) notes.add(`metadata of ${connection_id}`, "it has more than 16 kB");
    return {
      id: isKept ? connection_id : idFrom("conn", "connection", connection.integration, connection_id),
      workspace_id: workspaceId,
      integration_id: integration.id!,
      integration_identifier: providerName(integrations.get(connection.integration)!.provider).id,
      external_id: isKept ? (end_user_id ?? connection_id) : connection_id,
      credentials: JSON.stringify(converted.credentials),
      settings: JSON.stringify(converted.settings),
      metadata: metadata === "{}" || metadata.length > MAX_METADATA_BYTES ? null : metadata,
      account: null,
      is_valid: 1,
      invalid_reason: null,
      expires_at: (credentials.expires_at && time(credentials.expires_at)) || null,
      refreshed_at: null,
      created_at: time(connection.created_at),
      updated_at: time(connection.updated_at),
    };
  }

  /** The integration, which is new to the import unless `isKnown`. */
  function findIntegration(nango: NangoIntegration, type: AuthType, base_url: string | null) {
    const group = JSON.stringify([nango.key, type, base_url]);
    const row = known.get(group) ?? integrationRow(nango, type, base_url);
    const isKnown = known.has(group);
    known.set(group, row);
    return { row, isKnown };
  }

  function requireManifest({ provider }: NangoIntegration): Manifest {
    const manifest = manifestOf(providerName(provider).id);
    if (!manifest) throw new Unusable(`Plugboard has no provider ${provider}: describe it with a document first`);
    return manifest;
  }

  const used = new Set<string>();
  let batch: MovedRow[] = [];
  for await (const connection of source.connections(notes.add)) {
    try {
      const nango = integrations.get(connection.integration);
      if (!nango) throw new Unusable(`its integration ${connection.integration} does not exist`);
      used.add(nango.key);
      const converted = convertConnection(nango.provider, requireManifest(nango), connection);
      const { row, isKnown } = findIntegration(nango, converted.type, converted.base_url);
      if (!isKnown) yield { table: "integrations", rows: [row] };
      batch.push(connectionRow(connection, converted, row));
    } catch (error) {
      if (!(error instanceof Unusable)) throw error;
      notes.add(connection.connection_id, error.message);
    }
    if (batch.length === BATCH_SIZE) {
      yield { table: "connections", rows: batch };
      batch = [];
    }
  }
  if (batch.length > 0) yield { table: "connections", rows: batch };

  for (const nango of integrations.values()) {
    if (used.has(nango.key)) continue;
    try {
      if (!authTypes(requireManifest(nango)).includes("oauth2") || !nango.client_id)
        throw new Unusable("they have neither a client nor connections");
      yield { table: "integrations", rows: [findIntegration(nango, "oauth2", null).row] };
    } catch (error) {
      if (!(error instanceof Unusable)) throw error;
      notes.add(`integration ${nango.key}`, error.message);
    }
  }
}
