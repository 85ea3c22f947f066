import { existsSync, mkdirSync, statSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { type Config, ConfigError } from "./config/index.ts";
import type { Store } from "./contracts/store.ts";
import type { Logger } from "./runtime/logger.ts";
import { createStore, MissingStoreError } from "./store/index.ts";
import { KeyMismatchError } from "./store/secrets/key-check.ts";
import { keysFromCommand, keysFromFile, keysFromText } from "./store/secrets/key-source.ts";
import { createKeyring, type Keyring, type KeySource } from "./store/secrets/vault.ts";

export const keyFile = (dataDir: string) => join(dataDir, "encryption.key");
export const databaseFile = (dataDir: string) => join(dataDir, "plugboard.db");

export type StoreConfig = Pick<Config, "dataDir" | "databaseUrl" | "encryptionKey" | "encryptionKeyCommand">;

/** The keys that were given; undefined if they are in the key file. */
export function givenKeys({ encryptionKey, encryptionKeyCommand }: StoreConfig): KeySource | undefined {
  if (encryptionKey) return keysFromText(encryptionKey);
  if (!encryptionKeyCommand) return undefined;
  try {
    return keysFromCommand(encryptionKeyCommand);
  } catch (error) {
    throw new ConfigError([`ENCRYPTION_KEY_COMMAND: ${(error as Error).message}`]);
  }
}

/**
 * Opens the configured store and the keys that encrypt its secrets. Wrong or missing keys are a `ConfigError`, and so is
 * a folder that cannot be used. Without `create`, a store that does not exist is one too.
 */
export async function openStore(
  config: StoreConfig,
  log: Logger,
  { create = true }: { create?: boolean } = {},
): Promise<{ store: Store; keyring: Keyring }> {
  try {
    return await open(config, log, create);
  } catch (error) {
    const { path, message } = error as NodeJS.ErrnoException;
    if (config.databaseUrl || !path) throw error;
    throw new ConfigError([
      `DATA_DIR: must be a folder in which this user can read and write, or that can be created; ${message}. plugboard doctor says more`,
    ]);
  }
}

async function open(config: StoreConfig, log: Logger, create: boolean): Promise<{ store: Store; keyring: Keyring }> {
  const { dataDir, databaseUrl } = config;
  const given = givenKeys(config);
  const file = databaseFile(dataDir);
  if (!databaseUrl) {
    // Before anything is created: a mistyped folder must not become an empty store.
    if (!create && !hasContent(file)) throw new ConfigError([describeMissing(config)]);
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    if (!given) requireKeyFile(dataDir, file);
  }
  const keyring = createKeyring(given ?? keysFromFile(keyFile(dataDir)));
  try {
    return { store: await createStore({ url: databaseUrl ?? `sqlite:${file}`, keyring, log, create }), keyring };
  } catch (error) {
    if (error instanceof MissingStoreError) throw new ConfigError([describeMissing(config)]);
    throw error instanceof KeyMismatchError ? new ConfigError([describeMismatch(config, error.message)]) : error;
  }
}

function describeMissing({ dataDir, databaseUrl }: StoreConfig): string {
  const next = "Correct it, or create a store there first: plugboard start, or plugboard keys create";
  if (databaseUrl) {
    const { host, pathname } = new URL(databaseUrl);
    return `DATABASE_URL: the database ${host}${pathname} has no store of Plugboard. ${next}`;
  }
  const relative = isAbsolute(dataDir) ? "" : `, which is ${dataDir} in the folder in which the command runs`;
  return `DATA_DIR: there is no store in ${resolve(dataDir)}${relative}. ${next}`;
}

const hasContent = (file: string) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;

/** The keys of a database that is put in place afterwards. None are made, because they would be others. */
export function openKeyring(config: StoreConfig): Keyring {
  const given = givenKeys(config);
  const file = keyFile(config.dataDir);
  if (!given && !existsSync(file))
    throw new ConfigError([
      `DATA_DIR: the key file ${file} does not exist. Put the key of the backup there, or set ENCRYPTION_KEY if it was given there`,
    ]);
  return createKeyring(given ?? keysFromFile(file));
}

/**
 * An existing database needs its own key: a new one would not decrypt anything in it. The database is looked for first,
 * because another process that starts right now creates its key before it.
 */
export function requireKeyFile(dataDir: string, database: string): void {
  if (hasContent(database) && !existsSync(keyFile(dataDir)))
    throw new ConfigError([
      `DATA_DIR: ${database} exists, but its key file ${keyFile(dataDir)} does not. Put the key file back, or set ENCRYPTION_KEY if the key was given there`,
    ]);
}

export function describeMismatch(
  { dataDir, databaseUrl, encryptionKey, encryptionKeyCommand }: StoreConfig,
  reason: string,
): string {
  if (!encryptionKey && !encryptionKeyCommand)
    return `DATA_DIR: the keys in ${keyFile(dataDir)} are not those of the database: ${reason}`;
  const unset = !databaseUrl && existsSync(keyFile(dataDir)) ? `, or unset it to use ${keyFile(dataDir)}` : "";
  return `${encryptionKeyCommand ? "ENCRYPTION_KEY_COMMAND" : "ENCRYPTION_KEY"}: ${reason}${unset}`;
}
