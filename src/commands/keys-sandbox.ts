// What `keys create --sandbox` needs. In its own file because it loads every provider.
import type { Config } from "../config/index.ts";
import type { Workspace } from "../contracts/entities.ts";
import type { Store } from "../contracts/store.ts";
import { createCoordination } from "../coordination/index.ts";
import { loadRegistry } from "../registry.ts";
import type { Logger } from "../runtime/logger.ts";
import { createSandbox } from "../sandbox/index.ts";
import { exampleCall, fillWorkspace, SANDBOX_SECRET, type SandboxContent } from "../sandbox-workspace.ts";

/** The emulated providers, of which a workspace gets connections. */
export async function loadEmulated(config: Config) {
  const { providers, emulators } = await loadRegistry(config);
  const emulated = providers.filter(({ manifest }) => manifest.id in emulators);
  return {
    /** Gives the workspace an integration and a connection for every emulated provider. A service may be running meanwhile. */
    async connectSandbox({ store, log }: { store: Store; log: Logger }, workspace: Workspace): Promise<SandboxContent> {
      const sandbox = createSandbox({ providers, emulators, secret: SANDBOX_SECRET });
      const coordination = await createCoordination({ redisUrl: config.redisUrl, store, log });
      try {
        return await fillWorkspace({ store, coordination, sandbox, providers: emulated }, workspace);
      } finally {
        await coordination.close();
      }
    },
    /** The first call to make with the new key. */
    firstCall(created: Pick<SandboxContent, "connections"> & { api_key: string }): string[] {
      const call = exampleCall({ ...created, urls: config.urls }, providers, config.headerPrefix);
      return [
        `It has a connection to each of ${Object.keys(created.connections).length} emulated providers: GET ${config.urls.platform}/v1/connections lists them.`,
        ...(call ? ["While the service runs, try:", `  ${call}`] : []),
      ];
    },
  };
}
