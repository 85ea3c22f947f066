import type { Binding } from "../../contracts/access.ts";
import type { ConnectionFilter } from "../../contracts/connections.ts";

/** What a list of connections has to be limited to, so that somebody sees only their own; undefined if they have none. */
export function visibleConnections(
  { external_id, connection_ids }: Binding,
  given: ConnectionFilter,
): ConnectionFilter | undefined {
  if (external_id !== null && given.external_id !== undefined && given.external_id !== external_id) return undefined;
  if (connection_ids?.length === 0) return undefined;
  return {
    ...given,
    ...(external_id === null ? {} : { external_id }),
    ...(connection_ids === null ? {} : { ids: connection_ids }),
  };
}
