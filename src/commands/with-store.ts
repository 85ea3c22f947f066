import { type Config, readConfig } from "../config/index.ts";
import type { Workspace } from "../contracts/entities.ts";
import type { Store } from "../contracts/store.ts";
import { openStore } from "../open-store.ts";
import { createLogger, type Logger } from "../runtime/logger.ts";
import type { Keyring } from "../store/secrets/vault.ts";

export interface StoreContext {
  store: Store;
  keyring: Keyring;
  config: Config;
  log: Logger;
}

/** Opens the configured store for a command, and closes it afterwards. Only with `create` it may be a new one. */
export async function withStore<Result>(
  work: (context: StoreContext) => Promise<Result>,
  { create = false, env = process.env }: { create?: boolean; env?: NodeJS.ProcessEnv } = {},
): Promise<Result> {
  const config = readConfig(env);
  const log = createLogger("silent");
  const { store, keyring } = await openStore(config, log, { create });
  try {
    return await work({ store, keyring, config, log });
  } finally {
    await store.close();
  }
}

/** The workspace with this name, or all without one. */
export async function findWorkspaces(store: Store, name: string | undefined): Promise<Workspace[]> {
  if (name === undefined) return store.workspaces.list();
  const workspace = await store.workspaces.byName(name);
  if (!workspace) throw new Error(`there is no workspace "${name}"`);
  return [workspace];
}
