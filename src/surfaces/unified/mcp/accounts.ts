import type { Caller } from "../../../contracts/caller.ts";
import type { ConnectedAccount, ListedConnection, ListedIntegration } from "../../../contracts/entities.ts";
import { Fault, type FaultKind } from "../../../contracts/fault.ts";
import type { Store } from "../../../contracts/store.ts";
import { hiddenFields } from "../../../contracts/tool-packs.ts";
import type { ConnectionContext, Engine } from "../../../engine/index.ts";
import { visibleConnections } from "../../shared/visible-connections.ts";

/** One of a person's accounts. */
export interface Account {
  /** As a model names it: `jira`, or `jira (acme)` where there are several. */
  name: string;
  record: ListedConnection;
  /** Undefined if it cannot be used: its integration was deleted, or its credentials cannot be decrypted. */
  connection: ConnectionContext | undefined;
}

/** What a person could connect. */
export interface Connectable {
  name: string;
  integration: ListedIntegration;
}

export interface Accounts {
  connected: Account[];
  connectable: Connectable[];
}

/** Faults of a connection that its user has to connect again. */
export const UNUSABLE: readonly FaultKind[] = ["connection_missing", "integration_missing", "credentials_unreadable"];

/** More accounts than a model can tell apart. */
const MAX_ACCOUNTS = 100;
const FIRST_PAGE = { offset: 0, limit: MAX_ACCOUNTS };
const MAX_LABEL_LENGTH = 40;
/** Of which a connection has a copy. */
const ACCOUNT_RECORD = "identity.account";

/** The name comes from the provider, so it is reduced to what a name needs. */
const asLabel = ({ account, id }: Pick<ListedConnection, "account" | "id">): string =>
  (account?.name ?? account?.email ?? account?.id ?? id)
    .replace(/[^\p{L}\p{N} .@_'+-]/gu, "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, MAX_LABEL_LENGTH) || id;

/** A name for each, none twice. */
export function nameAccounts(
  records: readonly Pick<ListedConnection, "integration_identifier" | "account" | "id">[],
): string[] {
  const taken = new Set<string>();
  return records.map((record) => {
    const { integration_identifier: provider } = record;
    const isOnly = records.filter((other) => other.integration_identifier === provider).length === 1;
    const name = isOnly ? provider : `${provider} (${asLabel(record)})`;
    const unique = taken.has(name) ? `${provider} (${record.id})` : name;
    taken.add(unique);
    return unique;
  });
}

/** A connection as a tool pack leaves it: what it hides of the account's record is shown nowhere else either. */
function withoutHidden(record: ListedConnection, { toolPack }: Caller): ListedConnection {
  const { account } = record;
  const hidden = hiddenFields(toolPack ? [toolPack] : [], ACCOUNT_RECORD);
  if (!account || hidden.size === 0) return record;
  const texts = [...hidden].map((name) => account[name as keyof ConnectedAccount]);
  const shown = (name: keyof ConnectedAccount) => (texts.includes(account[name]) ? null : account[name]);
  return { ...record, account: { id: shown("id"), name: shown("name"), email: shown("email") } };
}

function unlessUnusable(error: unknown): undefined {
  if (error instanceof Fault && UNUSABLE.includes(error.kind)) return;
  throw error;
}

/** The accounts that a caller may use, and what else can be connected. */
export async function findAccounts(
  engine: Pick<Engine, "inspect" | "providersOf">,
  store: Pick<Store, "connections" | "integrations">,
  caller: Caller,
  externalId: string | undefined,
): Promise<Accounts> {
  const filter = visibleConnections(caller, externalId === undefined ? {} : { external_id: externalId });
  const [listed, integrations, providers] = await Promise.all([
    filter ? store.connections.list(caller.workspace.id, FIRST_PAGE, filter) : [],
    store.integrations.list(caller.workspace.id, FIRST_PAGE),
    engine.providersOf(caller.workspace.id),
  ]);
  const records = listed.map((record) => withoutHidden(record, caller));
  const names = nameAccounts(records);
  const connected = await Promise.all(
    records.map(async (record, index): Promise<Account> => {
      const connection = await engine.inspect({ user: caller, connectionId: record.id }).catch(unlessUnusable);
      return { name: names[index]!, record, connection };
    }),
  );
  const identifiers = new Set(records.map(({ integration_identifier }) => integration_identifier));
  const connectable = integrations
    .filter(({ identifier }, index) => {
      const isFirst = integrations.findIndex((other) => other.identifier === identifier) === index;
      // The tools of a server that is nothing but an MCP server are not here.
      const hasTools = !providers.get(identifier)?.manifest.mcpOnly;
      return isFirst && hasTools && !identifiers.has(identifier);
    })
    .map((integration) => ({ name: integration.identifier, integration }));
  return { connected, connectable };
}
