import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "./config.ts";
import type { Store } from "./contracts/store.ts";
import type { Logger } from "./runtime/logger.ts";
import { createStore } from "./store/index.ts";
import { keysFromFile, keysFromText } from "./store/key-source.ts";
import { createKeyring, type Keyring } from "./store/vault.ts";

export const keyFile = (dataDir: string) => join(dataDir, "encryption.key");

/** Opens the configured store and the keys that encrypt its secrets. */
export async function openStore(
  config: Pick<Config, "dataDir" | "databaseUrl" | "encryptionKey">,
  log: Logger,
): Promise<{ store: Store; keyring: Keyring }> {
  const { dataDir, databaseUrl, encryptionKey } = config;
  if (!databaseUrl) mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const keyring = createKeyring(encryptionKey ? keysFromText(encryptionKey) : keysFromFile(keyFile(dataDir)));
  const url = databaseUrl ?? `sqlite:${join(dataDir, "plugboard.db")}`;
  return { store: await createStore({ url, keyring, log }), keyring };
}
