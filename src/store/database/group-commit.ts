import type { Kysely } from "kysely";
import { Fault } from "../../contracts/fault.ts";
import type { Database } from "./schema.ts";

/** SQLite blocks the process while a transaction runs, so after this time the rest is left to the next one. */
const MAX_GROUP_MS = 20;

/** What is written in a transaction. It may be called twice, because the first transaction may be rolled back. */
export type Work<Result> = (transaction: Kysely<Database>) => Promise<Result>;

interface Waiting {
  work: Work<unknown>;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** How background work writes. Several callers may share a transaction, and each fails only by itself. */
export interface Writer {
  write<Result>(work: Work<Result>): Promise<Result>;
  /** For a single statement, which needs no transaction of its own. */
  writeOne<Result>(work: Work<Result>): Promise<Result>;
}

export function createWriter(database: Kysely<Database>, groupsCommits: boolean): Writer {
  if (!groupsCommits)
    return { write: (work) => database.transaction().execute(work), writeOne: (work) => work(database) };
  const commit = createGroupCommit(database);
  return { write: commit, writeOne: commit };
}

/**
 * Runs what several callers write in one transaction, because each commit of SQLite waits for the disk and blocks the
 * process meanwhile. Each caller gets its result after the commit.
 */
function createGroupCommit(database: Kysely<Database>) {
  const waiting: Waiting[] = [];
  let isRunning = false;

  const commitAlone = ({ work, resolve, reject }: Waiting) =>
    database.transaction().execute(work).then(resolve, reject);

  async function commitGroup(): Promise<void> {
    const group: Waiting[] = [];
    const results: unknown[] = [];
    try {
      await database.transaction().execute(async (transaction) => {
        const end = performance.now() + MAX_GROUP_MS;
        do {
          group.push(waiting.shift()!);
          results.push(await group.at(-1)!.work(transaction));
        } while (waiting.length > 0 && performance.now() < end);
      });
    } catch (error) {
      if (group.length === 0) group.push(...waiting.splice(0));
      const isUnavailable = error instanceof Fault && error.kind === "store_unavailable";
      if (group.length === 1 || isUnavailable) for (const { reject } of group) reject(error);
      // One of them has failed, and the others were rolled back with it.
      else for (const one of group) await commitAlone(one);
      return;
    }
    for (const [index, { resolve }] of group.entries()) resolve(results[index]);
  }

  async function commitAll(): Promise<void> {
    while (waiting.length > 0) {
      // What is ready in this turn of the event loop is written together.
      await new Promise((resolve) => setImmediate(resolve));
      await commitGroup();
    }
    isRunning = false;
  }

  return <Result>(work: Work<Result>): Promise<Result> =>
    new Promise((resolve, reject) => {
      waiting.push({ work, resolve: resolve as Waiting["resolve"], reject });
      if (isRunning) return;
      isRunning = true;
      void commitAll();
    });
}
