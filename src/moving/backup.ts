import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
} from "node:fs";
import type { NewAuditEntry } from "../contracts/audit.ts";
import { checkDatabase, copyDatabase, leaveWriteAheadLog } from "../store/database/sqlite-copy.ts";
import { createStore } from "../store/index.ts";
import { syncDirectory } from "../store/secrets/key-source.ts";
import type { Keyring } from "../store/secrets/vault.ts";
import { createComplete } from "./new-file.ts";

interface CopyOptions {
  keyring: Keyring;
  progress: (done: number) => void;
}

/** Copies the database, which may be in use, to a new file, and makes sure that it could be restored. */
export async function backUp(database: string, file: string, { keyring, progress }: CopyOptions) {
  let content: ReturnType<typeof checkDatabase> | undefined;
  await createComplete(file, async (partial) => {
    removeDatabase(partial);
    createPrivate(partial);
    await copyDatabase(database, partial, progress);
    await openOnce(partial, keyring);
    content = checkDatabase(partial);
    sync(partial);
  });
  syncDirectory(file);
  return content!;
}

/**
 * Puts a backup in the place of the database, which is kept beside it. The backup is copied and checked first; one of
 * an earlier version is migrated. Returns where the old database is.
 */
export async function restore(
  file: string,
  database: string,
  { keyring, progress, entry }: CopyOptions & { entry: NewAuditEntry },
) {
  requireReadable(file);
  requireUnused(database);
  const partial = `${database}.partial`;
  try {
    removeDatabase(partial);
    createPrivate(partial);
    const content = await copyAndCheck(file, partial, progress);
    await openOnce(partial, keyring, entry);
    leaveWriteAheadLog(partial);
    sync(partial);
    requireUnused(database);
    const kept = existsSync(database) ? keepBeside(database) : undefined;
    renameSync(partial, database);
    syncDirectory(database);
    return { ...content, kept };
  } finally {
    removeDatabase(partial);
  }
}

async function copyAndCheck(file: string, partial: string, progress: CopyOptions["progress"]) {
  try {
    await copyDatabase(file, partial, progress);
    return checkDatabase(partial);
  } catch (error) {
    throw new Error(`${file} is damaged, or not a backup of Plugboard: ${(error as Error).message}`);
  }
}

/** Opens a copy as the service would: it is migrated, and its keys are checked. */
async function openOnce(file: string, keyring: Keyring, entry?: NewAuditEntry): Promise<void> {
  const store = await createStore({ url: `sqlite:${file}`, keyring });
  if (entry) await store.audit.append(entry);
  await store.close();
}

/** SQLite does not say why a file cannot be opened, and it would be taken for a damaged one. */
function requireReadable(file: string): void {
  try {
    const handle = openSync(file, "r");
    try {
      readSync(handle, Buffer.alloc(1));
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    throw new Error(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}

function requireUnused(database: string): void {
  if (existsSync(database) && !leaveWriteAheadLog(database))
    throw new Error(`a process uses ${database}: stop the service, then try again`);
}

/** A second name for the old file, so that the database is at no moment missing. */
function keepBeside(database: string): string {
  const name = `${database}.before-${new Date().toISOString().replaceAll(":", "-").slice(0, 19)}`;
  let kept = name;
  for (let count = 2; existsSync(kept); count += 1) kept = `${name}-${count}`;
  try {
    linkSync(database, kept);
  } catch {
    // Some file systems have no links. A file that another restore has just kept is not overwritten.
    copyFileSync(database, kept, constants.COPYFILE_EXCL);
  }
  // Only a damaged database still has them, and they would be taken for those of the new one.
  if (existsSync(`${database}-wal`)) renameSync(`${database}-wal`, `${kept}-wal`);
  rmSync(`${database}-shm`, { force: true });
  return kept;
}

/** An empty file that only its owner can read: SQLite keeps the mode. */
const createPrivate = (file: string) => closeSync(openSync(file, "wx", 0o600));

function sync(file: string): void {
  const handle = openSync(file, "r+");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** With what SQLite keeps beside it: a log that stays behind would be taken for that of the next file. */
const removeDatabase = (file: string) => {
  for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(file + suffix, { force: true });
};
