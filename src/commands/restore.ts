import { mkdirSync } from "node:fs";
import { commandEntry } from "../command-entry.ts";
import { readConfig } from "../config/index.ts";
import { restore } from "../moving/backup.ts";
import { databaseFile, openKeyring } from "../open-store.ts";
import { requireEmbedded } from "./backup.ts";
import { createProgress } from "./progress.ts";
import { readArgs, UsageError } from "./usage.ts";

/** Puts a backup in the place of the embedded database, while the service is stopped. */
export async function run(args: string[]): Promise<void> {
  const { positionals } = readArgs({ args, options: {}, allowPositionals: true });
  const [file, ...others] = positionals;
  if (!file || others.length > 0) throw new UsageError("restore needs the name of one backup");
  const config = readConfig(process.env);
  requireEmbedded(config);
  const keyring = openKeyring(config);
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const progress = createProgress("copied");
  const { workspaces, connections, kept } = await restore(file, databaseFile(config.dataDir), {
    keyring,
    progress: progress.report,
    entry: commandEntry("restore", null, { action: "store.restore", id: null }),
  });
  progress.end();
  console.log(`Restored ${workspaces} workspaces and ${connections} connections to ${config.dataDir}`);
  if (kept) console.log(`What was there before is in ${kept}`);
}
