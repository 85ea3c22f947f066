import type { Store } from "../../contracts/store.ts";
import type { Engine } from "../../engine/index.ts";
import { findIntegration } from "../shared/find-integration.ts";
import { ErrorPage, FlowError } from "./errors.ts";
import type { ConnectFlow } from "./flow.ts";

const MAX_LENGTH: Record<string, number> = {
  client_id: 100,
  integration_id: 100,
  connection_id: 100,
  redirect_uri: 2_000,
  external_id: 255,
  state: 2_000,
};

/** A parameter, or why it is invalid. Empty counts as absent (RFC 6749, 3.1). */
function readParameter(parameters: URLSearchParams, name: string): { value: string | null; problem?: string } {
  const given = parameters.getAll(name);
  if (given.length > 1) return { value: null, problem: `${name} is given more than once` };
  const value = given[0] || null;
  if (value === null) return { value };
  if (value.length > MAX_LENGTH[name]!)
    return { value: null, problem: `${name} is longer than ${MAX_LENGTH[name]} characters` };
  if (/\p{Cc}/u.test(value)) return { value: null, problem: `${name} contains control characters` };
  return { value };
}

/**
 * Reads and validates the parameters of `/authorize`. Until the redirect URI is known to belong to the application,
 * errors are shown on a page.
 */
export async function readConnectFlow(
  query: string,
  { store, engine }: { store: Store; engine: Pick<Engine, "providerOf"> },
): Promise<ConnectFlow> {
  const parameters = new URLSearchParams(query);
  const clientId = readParameter(parameters, "client_id");
  const workspace = clientId.value ? await store.workspaces.byClientId(clientId.value) : undefined;
  if (!workspace)
    throw new ErrorPage(
      "This link does not work",
      clientId.problem ?? "The application that sent you here is unknown: its client_id is missing or wrong.",
    );
  const redirect = readParameter(parameters, "redirect_uri");
  const redirectUri = redirect.value;
  if (redirectUri === null || !workspace.redirect_uris.includes(redirectUri))
    throw new ErrorPage(
      "This link does not work",
      redirect.problem ??
        "The address to return to is not registered for this application. If you are its developer: redirect_uri must exactly match one of the workspace's redirect_uris.",
    );

  const state = readParameter(parameters, "state");
  const invalidRequest = (description: string) =>
    new FlowError({ redirectUri, state: state.value }, "invalid_request", description);
  const optional = (name: string) => {
    const { value, problem } = readParameter(parameters, name);
    if (problem) throw invalidRequest(problem);
    return value;
  };
  if (state.problem) throw invalidRequest(state.problem);
  const externalId = optional("external_id");
  const integrationId = optional("integration_id");
  if (!integrationId) throw invalidRequest("integration_id is missing");
  const { integration, problem } = await findIntegration(store, workspace.id, integrationId);
  if (!integration) throw invalidRequest(problem);
  const provider = await engine.providerOf(workspace.id, integration.identifier);
  if (!provider) throw invalidRequest("The integration's provider is unknown");

  const connectionId = optional("connection_id");
  const connection = connectionId ? await store.connections.get(workspace.id, connectionId) : undefined;
  if (connectionId && !connection) throw invalidRequest("There is no such connection in this workspace");
  if (connection && connection.integration_id !== integration.id)
    throw invalidRequest("The connection belongs to another integration");
  return {
    workspace,
    integration,
    provider,
    redirectUri,
    externalId,
    state: state.value,
    connection,
    session: undefined,
  };
}
