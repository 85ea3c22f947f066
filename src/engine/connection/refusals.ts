import type { Coordination } from "../../contracts/coordination.ts";
import type { ConnectionChange, Store } from "../../contracts/store.ts";
import type { Telemetry } from "../../contracts/telemetry.ts";
import { BoundedMap } from "../../runtime/bounded-map.ts";
import type { ConnectionContext } from "./connection-context.ts";

/** A single refusal may be about what was asked for: some providers answer 401 to what a user is not allowed to do. */
const MAX_REFUSALS = 3;
const MAX_CONNECTIONS = 10_000;
const REASON = `the provider refused the credentials with status 401, ${MAX_REFUSALS} times in a row`;

interface RefusalsOptions {
  store: Pick<Store, "connections">;
  coordination: Pick<Coordination, "invalidate">;
  telemetry: Pick<Telemetry, "warn">;
}

/**
 * Marks connections whose credentials cannot be refreshed as invalid once the provider keeps refusing them, and as
 * valid again once it accepts them. It counts in memory and writes only when that changes.
 */
export function createRefusals({ store, coordination, telemetry }: RefusalsOptions) {
  const counts = new BoundedMap<{ updatedAt: string; count: number }>(MAX_CONNECTIONS);
  /** The stored version of a connection that was changed last. Calls in progress still have that version. */
  const changed = new BoundedMap<string>(MAX_CONNECTIONS);

  async function change({ record }: ConnectionContext, change: ConnectionChange, message: string): Promise<void> {
    const { id, workspace_id, integration_identifier: provider, credentials, updated_at } = record;
    if (changed.get(id) === updated_at) return;
    changed.set(id, updated_at);
    const details = { connection_id: id, workspace_id, provider };
    try {
      if (!(await store.connections.updateIfUnchanged(id, credentials, change))) return;
      await coordination.invalidate("connection", id);
      telemetry.warn(message, change.invalid_reason ? { ...details, reason: change.invalid_reason } : details);
    } catch {
      // The call itself does not depend on it: the next one tries again.
      changed.delete(id);
    }
  }

  return {
    /** Notes that the provider refused the credentials. */
    refused(connection: ConnectionContext): Promise<void> | undefined {
      const { id, is_valid, updated_at: updatedAt } = connection.record;
      // Without an id it is not stored yet.
      if (!is_valid || id === "") return undefined;
      const before = counts.get(id);
      // Other credentials, or another change of the connection, start a new count.
      const count = (before?.updatedAt === updatedAt ? before.count : 0) + 1;
      counts.set(id, { updatedAt, count });
      if (count < MAX_REFUSALS) return undefined;
      return change(connection, { is_valid: false, invalid_reason: REASON }, "a connection became invalid");
    },

    /** Notes that the provider accepted the credentials. */
    accepted(connection: ConnectionContext): Promise<void> | undefined {
      const { id, is_valid } = connection.record;
      if (counts.size > 0) counts.delete(id);
      if (is_valid || id === "") return undefined;
      return change(connection, { is_valid: true, invalid_reason: null }, "a connection is valid again");
    },
  };
}
