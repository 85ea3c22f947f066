import type { ConnectionChange } from "../../../src/contracts/connections.ts";
import type { Connection } from "../../../src/contracts/entities.ts";
import type { Provider } from "../../../src/contracts/provider.ts";
import { startService, type TestService } from "../../support/service.ts";
import { type Application, createApplication } from "./application.ts";
import { type ScriptedProvider, startScriptedProvider } from "./scripted-provider.ts";
import { scriptedCatalogue } from "./toy-providers.ts";

export const HOUR = 3_600_000;
export const inMs = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

/** A connection that a test calls over, and its stored state. */
export interface ScriptedConnection {
  id: string;
  application: Application;
  call(): Promise<{ status: number; body: any }>;
  stored(): Promise<Connection | undefined>;
  change(change: ConnectionChange): Promise<void>;
}

export interface ScriptedService {
  service: TestService;
  provider: ScriptedProvider;
  /** A connection whose token was issued an hour ago and expires in `expiresInMs`, which may be negative. */
  addConnection(of: Provider, expiresInMs: number, refreshToken?: string | null): Promise<ScriptedConnection>;
  close(): Promise<void>;
}

/** A service whose providers all lead to one scripted server. */
export async function startScriptedService(
  providers: Provider[],
  env: Record<string, string> = {},
): Promise<ScriptedService> {
  const provider = await startScriptedProvider();
  const service = await startService({
    env: { ALLOW_PRIVATE_UPSTREAMS: "true", ...env },
    catalogue: scriptedCatalogue(...providers),
  });
  const { store, coordination } = service.parts;
  const applications = new Map<Provider, Application>();
  for (const one of providers)
    applications.set(one, await createApplication(service, one, "oauth2", { integration: { base_url: provider.url } }));

  return {
    service,
    provider,
    async addConnection(of, expiresInMs, refreshToken = "refresh-0") {
      const application = applications.get(of)!;
      provider.acceptedTokens.add("access-0");
      const { id } = await application.platform("POST", "/connections", {
        integration_id: application.integrationId,
        auth_token: "access-0",
        refresh_token: refreshToken,
      });
      const change = async (change: ConnectionChange) => {
        await store.connections.update(id, change);
        await coordination.invalidate("connection", id);
      };
      await change({ expires_at: inMs(expiresInMs), refreshed_at: inMs(-HOUR) });
      const stored = async () => (await store.connections.load(id))?.connection;
      return { id, application, call: () => application.call(id), stored, change };
    },
    async close() {
      await service.close();
      await provider.close();
    },
  };
}
