import { readConfig } from "../../src/config/index.ts";
import type { Workspace } from "../../src/contracts/entities.ts";
import type { Store } from "../../src/contracts/store.ts";
import { openStore } from "../../src/open-store.ts";
import { newApiKey, newId } from "../../src/runtime/ids.ts";
import { createLogger } from "../../src/runtime/logger.ts";

/** A new workspace with one API key, as `plugboard keys create` makes it. */
export async function createWorkspace(store: Store, name: string): Promise<{ workspace: Workspace; key: string }> {
  const workspace = await store.workspaces.create({
    id: newId("ws"),
    name,
    client_id: newId("client"),
    redirect_uris: [],
  });
  const { key, hash, prefix } = newApiKey();
  await store.keys.create({ id: newId("key"), workspace_id: workspace.id, name: null, prefix, hash });
  return { workspace, key };
}

/** Creates workspaces in the store of processes that are started with this environment; returns their API keys. */
export async function createWorkspaces(env: Record<string, string>, ...names: string[]): Promise<string[]> {
  const { store } = await openStore(readConfig(env), createLogger("silent"));
  try {
    return await Promise.all(names.map(async (name) => (await createWorkspace(store, name)).key));
  } finally {
    await store.close();
  }
}
