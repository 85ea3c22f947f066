import { sql } from "kysely";
import type { Store } from "../contracts/store.ts";
import type { StoreContext } from "./database/context.ts";

/** Uses the database's clock, because the clocks of the processes may differ. */
export function locks({ database, clock }: StoreContext): Store["locks"] {
  return {
    async acquire(key, owner, ttlMs) {
      const expires_at = sql<number>`${clock} + ${sql.lit(Math.ceil(ttlMs) * 1000)}`;
      const row = await database
        .insertInto("locks")
        .values({ key, owner, expires_at })
        .onConflict((conflict) =>
          conflict.column("key").doUpdateSet({ owner, expires_at }).where("locks.expires_at", "<=", clock),
        )
        .returning("owner")
        .executeTakeFirst();
      return row !== undefined;
    },

    async release(key, owner) {
      await database.deleteFrom("locks").where("key", "=", key).where("owner", "=", owner).execute();
    },
  };
}
