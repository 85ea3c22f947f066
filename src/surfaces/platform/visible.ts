import { isBound, mayUse } from "../../contracts/access.ts";
import type { Caller } from "../../contracts/caller.ts";
import type { Connection } from "../../contracts/entities.ts";
import { Fault } from "../../contracts/fault.ts";
import type { Store } from "../../contracts/store.ts";
import { visibleConnections } from "../shared/visible-connections.ts";
import { requireFound } from "./route.ts";

/** More connections than this have the same external id only by mistake. */
const MAX_CONNECTIONS = 1_000;

/** The ids of the connections that a list of something else is limited to; undefined if it is not limited. */
export async function visibleConnectionIds(
  store: Store,
  caller: Caller,
  { connection_id, external_id }: { connection_id?: string | undefined; external_id?: string | undefined },
): Promise<readonly string[] | undefined> {
  const isWanted = (id: string) => connection_id === undefined || id === connection_id;
  if (!isBound(caller) && external_id === undefined) return connection_id === undefined ? undefined : [connection_id];
  const filter = visibleConnections(caller, external_id === undefined ? {} : { external_id });
  if (!filter) return [];
  const page = { offset: 0, limit: MAX_CONNECTIONS };
  const found = await store.connections.list(caller.workspace.id, page, filter);
  return found.map(({ id }) => id).filter(isWanted);
}

/** The connection, if the caller may see it. */
export async function visibleConnection(store: Store, caller: Caller, id: string): Promise<Connection> {
  const connection = requireFound(await store.connections.get(caller.workspace.id, id));
  return requireFound(mayUse(caller, connection) ? connection : undefined);
}

/** What belongs to a connection, if the caller may see that. */
export async function ofVisibleConnection<Found extends { connection_id: string | null }>(
  store: Store,
  caller: Caller,
  found: Found | undefined,
): Promise<Found> {
  const { connection_id } = requireFound(found);
  if (isBound(caller)) await visibleConnection(store, caller, connection_id ?? "");
  return found!;
}

/** The external id of something new: that of the caller's key, if the key is bound to one. */
export function ownExternalId(caller: Caller, given: string | null | undefined): string | null | undefined {
  const { external_id, connection_ids } = caller;
  if (connection_ids !== null)
    throw new Fault("insufficient_scope", "the API key is bound to existing connections and cannot add another");
  if (external_id !== null && given && given !== external_id)
    throw new Fault("insufficient_scope", `the API key is bound to the external_id ${external_id}`);
  return external_id ?? given;
}
