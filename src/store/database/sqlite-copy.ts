import { backup, DatabaseSync } from "node:sqlite";

const PAGES_PER_STEP = 1_000;
const BUSY = 5;

/**
 * Copies a database that may be in use, as it is at this moment. A transaction keeps that moment: otherwise each write
 * of another process would start the copy from the beginning.
 */
export async function copyDatabase(from: string, to: string, progress?: (done: number) => void): Promise<void> {
  const source = new DatabaseSync(from, { readOnly: true });
  try {
    source.exec("begin");
    source.prepare("select count(*) from sqlite_schema").get();
    await backup(source, to, {
      rate: PAGES_PER_STEP,
      progress: ({ totalPages, remainingPages }) => progress?.(1 - remainingPages / totalPages),
    });
  } finally {
    source.close();
  }
}

/**
 * Reads all of a database that nobody else uses, which is one file afterwards, and counts what matters most in it.
 * Throws if it is damaged.
 */
export function checkDatabase(file: string): { workspaces: number; connections: number } {
  const database = new DatabaseSync(file);
  try {
    database.exec("pragma journal_mode = delete");
    const problems = database.prepare("pragma integrity_check(5)").all() as { integrity_check: string }[];
    if (problems[0]?.integrity_check !== "ok")
      throw new Error(problems.map(({ integrity_check }) => integrity_check).join("; "));
    const count = (table: string) =>
      (database.prepare(`select count(*) as count from ${table}`).get() as { count: number }).count;
    return { workspaces: count("workspaces"), connections: count("connections") };
  } finally {
    database.close();
  }
}

/**
 * Whether no process has the database open: only then can its write-ahead log be left, which this also does. A damaged
 * one counts as unused.
 */
export function leaveWriteAheadLog(file: string): boolean {
  const database = new DatabaseSync(file);
  try {
    database.exec("pragma journal_mode = delete");
    return true;
  } catch (error) {
    return (error as { errcode?: number }).errcode !== BUSY;
  } finally {
    database.close();
  }
}
