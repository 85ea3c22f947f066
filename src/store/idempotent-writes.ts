import { sql } from "kysely";
import type { Store } from "../contracts/store.ts";
import type { StoreContext } from "./database/context.ts";
import type { SecretLocation } from "./secrets/vault.ts";

const answerLocation = (id: string): SecretLocation => ({ table: "idempotent_writes", id, column: "answer" });

/** Uses the database's clock, because the clocks of the processes may differ. */
export function idempotentWrites({
  database,
  keyring,
  secrets,
  stamp,
  clock,
}: StoreContext): Store["idempotentWrites"] {
  const inMs = (milliseconds: number) => sql<number>`${clock} + ${sql.lit(Math.ceil(milliseconds) * 1000)}`;
  /** Only while the caller still owns the write: another process may have taken it over. */
  const owned = (id: string, owner: string) =>
    database.updateTable("idempotent_writes").where("id", "=", id).where("owner", "=", owner);

  return {
    async begin({ id, workspace_id, fingerprint, owner }, { leaseMs, keepMs }) {
      const fresh = {
        fingerprint,
        owner,
        state: "running" as const,
        answer: null,
        lease_expires_at: inMs(leaseMs),
        expires_at: inMs(keepMs),
      };
      const begun = await database
        .insertInto("idempotent_writes")
        .values({ id, workspace_id, created_at: stamp(), ...fresh })
        .onConflict((conflict) =>
          conflict
            .column("id")
            .doUpdateSet(fresh)
            // An expired key may be used again. A process that stopped before it sent anything left nothing behind.
            .where((row) =>
              row.or([
                row("idempotent_writes.expires_at", "<=", clock),
                row.and([
                  row("idempotent_writes.state", "=", "running"),
                  row("idempotent_writes.lease_expires_at", "<=", clock),
                  row("idempotent_writes.fingerprint", "=", fingerprint),
                ]),
              ]),
            ),
        )
        .returning("id")
        .executeTakeFirst();
      if (begun) return { state: "begun" };
      const row = await database
        .selectFrom("idempotent_writes")
        .select(["state", "fingerprint", "answer"])
        .select((select) => select("lease_expires_at", ">", clock).as("is_leased"))
        .where("id", "=", id)
        .executeTakeFirst();
      // It was released in between: the client may try again immediately.
      if (!row) return { state: "running", fingerprint };
      if (row.state === "done") {
        const answer = secrets.decrypt(row.answer!, answerLocation(id));
        return answer === undefined
          ? { state: "unknown", fingerprint: row.fingerprint }
          : { state: "done", fingerprint: row.fingerprint, answer };
      }
      const running = row.state !== "unknown" && Boolean(row.is_leased);
      return { state: running ? "running" : "unknown", fingerprint: row.fingerprint };
    },

    async markSent(id, owner, leaseMs) {
      const { numUpdatedRows } = await owned(id, owner)
        .set({ state: "sent", lease_expires_at: inMs(leaseMs) })
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async renew(id, owner, leaseMs) {
      await owned(id, owner)
        .set({ lease_expires_at: inMs(leaseMs) })
        .execute();
    },

    async finish(id, owner, answer) {
      await owned(id, owner)
        .set({ state: "done", answer: keyring.encrypt(answer, answerLocation(id)) })
        .execute();
    },

    async markUnknown(id, owner) {
      await owned(id, owner).set({ state: "unknown" }).execute();
    },

    async release(id, owner) {
      await database.deleteFrom("idempotent_writes").where("id", "=", id).where("owner", "=", owner).execute();
    },

    async sweep() {
      await database.deleteFrom("idempotent_writes").where("expires_at", "<=", clock).execute();
    },
  };
}
