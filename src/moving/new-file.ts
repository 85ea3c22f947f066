import { existsSync, renameSync, rmSync } from "node:fs";

/** Creates a file under a temporary name, and renames it when it is complete. */
export async function createComplete(file: string, write: (partial: string) => Promise<void>): Promise<void> {
  if (existsSync(file)) throw new Error(`${file} exists already: give another name`);
  const partial = `${file}.partial`;
  // Of a process that was killed.
  rmSync(partial, { force: true });
  try {
    await write(partial);
    renameSync(partial, file);
  } finally {
    rmSync(partial, { force: true });
  }
}
