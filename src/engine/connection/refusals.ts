import type { Coordination } from "../../contracts/coordination.ts";
import type { Store } from "../../contracts/store.ts";
import type { Telemetry } from "../../contracts/telemetry.ts";
import { BoundedMap } from "../../runtime/bounded-map.ts";
import type { ConnectionContext } from "./connection-context.ts";

/** A single refusal may be about what was asked for: some providers answer 401 to what a user is not allowed to do. */
const MAX_REFUSALS = 3;
const MAX_CONNECTIONS = 10_000;
const REASON = `the provider refused the credentials with status 401, ${MAX_REFUSALS} times in a row`;

interface RefusalsOptions {
  /** Whether the provider's API refuses these credentials altogether. */
  isRefusedByApi(connection: ConnectionContext): Promise<boolean>;
  store: Pick<Store, "connections">;
  coordination: Pick<Coordination, "invalidate">;
  telemetry: Pick<Telemetry, "warn">;
}

/**
 * Marks connections whose credentials cannot be refreshed as invalid once the provider keeps refusing them, whatever
 * is asked for. It counts in memory.
 */
export function createRefusals({ isRefusedByApi, store, coordination, telemetry }: RefusalsOptions) {
  const counts = new BoundedMap<{ updatedAt: string; count: number }>(MAX_CONNECTIONS);
  /** The stored version of a connection that was marked last. Calls in progress still have that version. */
  const marked = new BoundedMap<string>(MAX_CONNECTIONS);

  async function markIfRefused(connection: ConnectionContext): Promise<void> {
    const { id, workspace_id, integration_identifier: provider, credentials, updated_at } = connection.record;
    if (!(await isRefusedByApi(connection))) return counts.delete(id);
    if (marked.get(id) === updated_at) return;
    marked.set(id, updated_at);
    try {
      const change = { is_valid: false, invalid_reason: REASON };
      if (!(await store.connections.updateIfUnchanged(id, credentials, change))) return;
      await coordination.invalidate("connection", id);
      const details = { connection_id: id, workspace_id, provider, reason: REASON };
      telemetry.warn("a connection became invalid", details);
    } catch {
      // The call itself does not depend on it: the next one tries again.
      marked.delete(id);
    }
  }

  return {
    /** Notes that the provider refused the credentials. */
    async refused(connection: ConnectionContext): Promise<void> {
      const { id, updated_at: updatedAt } = connection.record;
      // Without an id it is not stored yet.
      if (id === "") return;
      const before = counts.get(id);
      // Other credentials, or another change of the connection, start a new count.
      const count = (before?.updatedAt === updatedAt ? before.count : 0) + 1;
      counts.set(id, { updatedAt, count });
      if (count >= MAX_REFUSALS) await markIfRefused(connection);
    },

    /** Notes that the provider accepted the credentials. */
    accepted({ record }: ConnectionContext): void {
      if (counts.size > 0) counts.delete(record.id);
    },
  };
}
