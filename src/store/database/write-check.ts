import { type Kysely, sql } from "kysely";
import { Fault } from "../../contracts/fault.ts";
import type { BasicLogger } from "../../contracts/telemetry.ts";
import type { DatabaseEngine } from "./database-engine.ts";
import type { Database } from "./schema.ts";
import { now } from "./time.ts";

/** Health checks may come often, so that not each of them writes. */
const CHECK_EVERY_MS = 5_000;
const CHECK_EVERY_MS_AFTER_FAILURE = 1_000;
/** How long a failed write counts. A small write may succeed on a full disk where larger ones fail. */
const FAILURE_COUNTS_FOR_MS = 10_000;

export interface WriteCheckOptions {
  database: Kysely<Database>;
  withRelaxedDurability: DatabaseEngine["withRelaxedDurability"];
  log?: BasicLogger | undefined;
  /** In milliseconds. */
  clock?: () => number;
}

/** Whether the database can be read and written to. With a full disk, only reads work. */
export function createWriteCheck({ database, withRelaxedDurability, log, clock = Date.now }: WriteCheckOptions) {
  let lastWrite: Promise<void> | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let failure: { at: number; cause: unknown } | undefined;
  /** Whether the last check found that writes fail. */
  let failing = false;

  async function write(): Promise<void> {
    const checked_at = now();
    await withRelaxedDurability(database, (connection) =>
      connection
        .insertInto("write_checks")
        .values({ id: 1, checked_at })
        .onConflict((conflict) => conflict.column("id").doUpdateSet({ checked_at }))
        .execute(),
    );
  }

  function report(error: unknown): void {
    if (failing === (error !== undefined)) return;
    failing = error !== undefined;
    const { message } = ((error as Error | undefined)?.cause ?? error ?? {}) as Partial<Error>;
    if (failing) log?.warn({ reason: message }, "the database can be read but not written to: is its disk full?");
    else log?.info("the database can be written to again");
  }

  async function checkWrites(): Promise<void> {
    const interval = failing ? CHECK_EVERY_MS_AFTER_FAILURE : CHECK_EVERY_MS;
    if (!lastWrite || clock() - checkedAt >= interval) {
      checkedAt = clock();
      lastWrite = write();
    }
    await lastWrite;
    if (failure && clock() - failure.at < FAILURE_COUNTS_FOR_MS)
      throw new Fault("store_unavailable", "The database cannot be written to", { cause: failure.cause });
  }

  return {
    /** Notes that a write failed because the disk is full or read-only. */
    failed(cause: unknown): void {
      failure = { at: clock(), cause };
    },

    /** Rejects if the database cannot be read, or not be written to. */
    async ping(): Promise<void> {
      await sql`select 1`.execute(database);
      try {
        await checkWrites();
        report(undefined);
      } catch (error) {
        report(error);
        throw error;
      }
    },
  };
}
