import { statSync } from "node:fs";
import { commandEntry } from "../command-entry.ts";
import { type Config, ConfigError } from "../config/index.ts";
import { backUp } from "../moving/backup.ts";
import { databaseFile, keyFile } from "../open-store.ts";
import { createProgress } from "./progress.ts";
import { readArgs, UsageError } from "./usage.ts";
import { withStore } from "./with-store.ts";

/** Copies the embedded database to a file while the service runs. */
export async function run(args: string[]): Promise<void> {
  const { positionals } = readArgs({ args, options: {}, allowPositionals: true });
  const [file, ...others] = positionals;
  if (!file || others.length > 0) throw new UsageError("backup needs the name of one new file");
  const progress = createProgress("copied");
  const { content, config } = await withStore(async ({ store, keyring, config }) => {
    requireEmbedded(config);
    // First, so that there is no backup without its entry.
    await store.audit.append(commandEntry("backup", null, { action: "store.backup", id: null }));
    const content = await backUp(databaseFile(config.dataDir), file, { keyring, progress: progress.report });
    return { content, config };
  });
  progress.end();
  const { workspaces, connections } = content;
  const megabytes = (statSync(file).size / 1e6).toFixed(1);
  console.log(`${file}: ${megabytes} MB, with ${workspaces} workspaces and ${connections} connections; checked`);
  console.log(`The encryption key is not in it, and it is of no use without: keep ${keyPlace(config)}, elsewhere`);
}

export function requireEmbedded({ databaseUrl }: Config): void {
  if (databaseUrl)
    throw new ConfigError(["DATABASE_URL: this command is for the embedded store; docs/backup.md is about Postgres"]);
}

const keyPlace = ({ encryptionKey, encryptionKeyCommand, dataDir }: Config): string => {
  if (encryptionKey) return "ENCRYPTION_KEY";
  return encryptionKeyCommand ? "the key that ENCRYPTION_KEY_COMMAND prints" : keyFile(dataDir);
};
