import type { Integration } from "../../contracts/entities.ts";
import type { Store } from "../../contracts/store.ts";

/**
 * A workspace's integration by its id or, if the workspace has only one of a provider, by its identifier. Otherwise why
 * there is none.
 */
export async function findIntegration(
  store: Pick<Store, "integrations">,
  workspaceId: string,
  idOrIdentifier: string,
): Promise<{ integration: Integration; problem?: undefined } | { integration?: undefined; problem: string }> {
  const byId = await store.integrations.get(workspaceId, idOrIdentifier);
  if (byId) return { integration: byId };
  const [integration, ...others] = await store.integrations.ofProvider(workspaceId, idOrIdentifier);
  if (!integration) return { problem: "There is no such integration in this workspace" };
  if (others.length > 0)
    return { problem: `This workspace has several integrations of ${idOrIdentifier}: use the id of one of them` };
  return { integration };
}
