import { newApiKey, newId } from "../../src/contracts/identity.ts";
import type { TestService } from "./service.ts";

/** A workspace beside the sandbox's, as `plugboard keys create` makes it; returns its API key. */
export async function newWorkspace({ parts }: Pick<TestService, "parts">, name: string): Promise<string> {
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
