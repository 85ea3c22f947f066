import { createStrictPlatform } from "./platform.ts";
import type { TestService } from "./service.ts";

let workspaces = 0;

/**
 * The service with a connection other than the ready-made one, in a new workspace. Fields that `integration` and
 * `connection` leave out are the sandbox's values for this type.
 */
export async function connectedBy(
  service: TestService,
  provider: string,
  integration: { type: "oauth2" | "api_key" | "basic"; [field: string]: unknown },
  connection: Record<string, unknown> = {},
): Promise<TestService & { platform(path: string): Promise<any> }> {
  const apiKey = await service.createWorkspace(`connected-${process.pid}-${++workspaces}`);
  const platform = createStrictPlatform(service, apiKey);
  const client = integration.type === "oauth2" ? { client_id: "sandbox", client_secret: "sandbox" } : {};
  const { id } = await platform("POST", "/integrations", {
    identifier: provider,
    base_url: "sandbox",
    ...client,
    ...integration,
  });
  const { credentials } = service.sandbox.credentials(provider, integration.type);
  const { token: auth_token, ...rest } = credentials;
  const created = await platform("POST", "/connections", {
    integration_id: id,
    ...(auth_token ? { auth_token } : {}),
    ...rest,
    ...connection,
  });
  return {
    ...service,
    apiKey,
    connections: { ...service.connections, [provider]: created.id },
    platform: (path) => platform("GET", path),
  };
}
