import { readConfig } from "../../src/config.ts";
import type { Store } from "../../src/contracts/store.ts";
import { openStore } from "../../src/open-store.ts";
import { newApiKey, newId } from "../../src/runtime/ids.ts";
import { createLogger } from "../../src/runtime/logger.ts";

/** A workspace beside the sandbox's, as `plugboard keys create` makes it; returns its API key. */
export async function newWorkspace({ parts }: { parts: { store: Store } }, name: string): Promise<string> {
  const workspace = await parts.store.workspaces.create({
    id: newId("ws"),
    name,
    client_id: newId("client"),
    redirect_uris: [],
  });
  const { key, hash, prefix } = newApiKey();
  await parts.store.keys.create({ id: newId("key"), workspace_id: workspace.id, name: null, prefix, hash });
  return key;
}

/** API keys of new workspaces in the store of processes that are started with this environment. */
export async function newWorkspaces(env: Record<string, string>, ...names: string[]): Promise<string[]> {
  const { store } = await openStore(readConfig(env), createLogger("silent"));
  try {
    return await Promise.all(names.map((name) => newWorkspace({ parts: { store } }, name)));
  } finally {
    await store.close();
  }
}
