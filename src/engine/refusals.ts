import type { NewAuditEntry } from "../contracts/audit.ts";
import type { Store } from "../contracts/store.ts";
import type { Telemetry } from "../contracts/telemetry.ts";
import { BoundedMap } from "../runtime/bounded-map.ts";

/** More refusals of one actor within a minute are not written: nobody should be able to fill the disk with them. */
const MAX_PER_MINUTE = 60;
const MINUTE_MS = 60_000;
const MAX_ACTORS = 1_000;

/** Writes attempts that were refused to the audit log. What is refused stays refused, whether or not that succeeds. */
export function createRefusals(store: Pick<Store, "audit">, { warn }: Pick<Telemetry, "warn">) {
  const counts = new BoundedMap<number>(MAX_ACTORS, MINUTE_MS);

  return async function refused(entry: Omit<NewAuditEntry, "outcome" | "changes">): Promise<void> {
    const minute = Math.floor(Date.now() / MINUTE_MS);
    const actor = `${entry.workspace_id} ${entry.actor.kind} ${entry.actor.id} ${minute}`;
    const count = (counts.get(actor) ?? 0) + 1;
    counts.set(actor, count);
    if (count > MAX_PER_MINUTE) return;
    // The last one says that there are more.
    const changes = count === MAX_PER_MINUTE ? ["further attempts in this minute are not listed"] : null;
    try {
      await store.audit.append({ ...entry, outcome: "refused", changes });
    } catch (error) {
      warn("could not write a refused attempt to the audit log", { err: error });
    }
  };
}
