import type { TestService } from "./service.ts";
import { newWorkspace } from "./workspace.ts";

let workspaces = 0;

/**
 * The service with another connection of a provider than the ready-made one, in a workspace of its own. What is not
 * given of `integration` and `connection` is as the sandbox has it for this type.
 */
export async function connectedBy(
  service: TestService,
  provider: string,
  integration: { type: "oauth2" | "api_key" | "basic"; [field: string]: unknown },
  connection: Record<string, unknown> = {},
): Promise<TestService & { platform(path: string): Promise<any> }> {
  const apiKey = await newWorkspace(service, `connected-${process.pid}-${++workspaces}`);
  const platform = async (path: string, body?: object): Promise<any> => {
    const response = await fetch(`${service.url}/platform/v1${path}`, {
      method: body ? "POST" : "GET",
      headers: { authorization: `Bearer ${apiKey}`, ...(body ? { "content-type": "application/json" } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const client = integration.type === "oauth2" ? { client_id: "sandbox", client_secret: "sandbox" } : {};
  const { id } = await platform("/integrations", {
    identifier: provider,
    base_url: "sandbox",
    ...client,
    ...integration,
  });
  const { credentials } = service.sandbox.credentials(provider, integration.type);
  const { token: auth_token, ...rest } = credentials;
  const made = await platform("/connections", {
    integration_id: id,
    ...(auth_token ? { auth_token } : {}),
    ...rest,
    ...connection,
  });
  return { ...service, apiKey, connections: { ...service.connections, [provider]: made.id }, platform };
}
