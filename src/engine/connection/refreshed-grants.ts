import type { Credentials } from "../../contracts/authentication.ts";
import type { ConnectionChange } from "../../contracts/connections.ts";
import type { Coordination } from "../../contracts/coordination.ts";
import type { Connection } from "../../contracts/entities.ts";
import type { Store } from "../../contracts/store.ts";
import type { Telemetry } from "../../contracts/telemetry.ts";
import { retry } from "../http/retry.ts";
import type { ConnectionContext } from "./connection-context.ts";
import type { Identities } from "./identify.ts";
import type { Revoker } from "./revoke.ts";

/** How long storing a refreshed grant is retried: the provider may have revoked the old one. */
export const MAX_STORING_MS = 30_000;

/** A refreshed grant that is not stored yet. */
export interface RefreshedGrant {
  /** The credentials that it was exchanged for: it is stored only while the connection still has them. */
  used: Partial<Credentials>;
  change: ConnectionChange & Pick<Connection, "credentials">;
}

interface RefreshedGrantsOptions {
  store: Store;
  coordination: Coordination;
  identities: Identities;
  revoke: Revoker;
  telemetry: Telemetry;
}

/** Stores refreshed grants, and keeps those that the store does not take for now. */
export function createRefreshedGrants(options: RefreshedGrantsOptions) {
  const { store, coordination, identities, revoke, telemetry } = options;
  const unsaved = new Map<string, RefreshedGrant>();

  return {
    /** A grant of this connection that only this process knows. */
    unsaved: (connection: ConnectionContext): RefreshedGrant | undefined => unsaved.get(connection.record.id),

    /** Stores a grant before anybody uses it, unless the connection has a newer one or was deleted. */
    async save(connection: ConnectionContext, grant: RefreshedGrant): Promise<ConnectionContext> {
      const { id, workspace_id } = connection.record;
      try {
        const saved = await retry(() => store.connections.updateIfUnchanged(id, grant.used, grant.change), {
          forMs: MAX_STORING_MS,
        });
        unsaved.delete(id);
        if (!saved && !(await store.connections.get(workspace_id, id)))
          await revoke({ ...connection.record, credentials: grant.change.credentials }, connection.integration);
      } catch (error) {
        unsaved.set(id, grant);
        telemetry.warn(
          "a refreshed token could not be stored: it is lost if this process ends before the store recovers",
          { connection_id: id },
        );
        throw error;
      }
      await coordination.invalidate("connection", id);
      return identities.reload(connection);
    },

    /** Marks a connection as invalid because the provider refused `used`. */
    async markInvalid(connection: ConnectionContext, used: RefreshedGrant["used"], reason: string): Promise<void> {
      const { id } = connection.record;
      const change = { is_valid: false, invalid_reason: reason };
      await store.connections.updateIfUnchanged(id, used, change);
      await coordination.invalidate("connection", id);
    },
  };
}
