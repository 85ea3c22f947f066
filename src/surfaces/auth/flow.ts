import type { Connection, Integration, Workspace } from "../../contracts/entities.ts";
import type { Provider } from "../../contracts/provider.ts";
import type { Store } from "../../contracts/store.ts";
import { ErrorPage, RedirectError } from "./errors.ts";

/** A request to connect an account, found to be sound. */
export interface Flow {
  workspace: Workspace;
  integration: Integration;
  provider: Provider;
  /** One of the workspace's, to the letter. */
  redirectUri: string;
  externalId: string | null;
  /** The application's own, handed back as it came. */
  state: string | null;
  /** The connection that is being renewed. */
  connection: Connection | undefined;
}

const MAX_LENGTH: Record<string, number> = {
  client_id: 100,
  integration_id: 100,
  connection_id: 100,
  redirect_uri: 2_000,
  external_id: 255,
  state: 2_000,
};

/** A parameter, or why it cannot be taken. Absent and empty are one (RFC 6749, 3.1). */
function read(parameters: URLSearchParams, name: string): { value: string | null; problem?: string } {
  const given = parameters.getAll(name);
  if (given.length > 1) return { value: null, problem: `${name} was given more than once` };
  const value = given[0] || null;
  if (value === null) return { value };
  if (value.length > MAX_LENGTH[name]!)
    return { value: null, problem: `${name} is longer than ${MAX_LENGTH[name]} characters` };
  if (/\p{Cc}/u.test(value)) return { value: null, problem: `${name} holds control characters` };
  return { value };
}

/** Reads and checks what an application asks for. Until its address is known to be its own, errors end on a page. */
export async function readFlow(
  query: string,
  { store, providers }: { store: Store; providers: ReadonlyMap<string, Provider> },
): Promise<Flow> {
  const parameters = new URLSearchParams(query);
  const clientId = read(parameters, "client_id");
  const workspace = clientId.value ? await store.workspaces.byClientId(clientId.value) : undefined;
  if (!workspace)
    throw new ErrorPage(
      "This link does not work",
      clientId.problem ?? "The application that sent you here is not known: its client_id is missing or wrong.",
    );
  const redirect = read(parameters, "redirect_uri");
  const redirectUri = redirect.value;
  if (redirectUri === null || !workspace.redirect_uris.includes(redirectUri))
    throw new ErrorPage(
      "This link does not work",
      redirect.problem ??
        "The address to return to is not registered for this application. If you run it: redirect_uri must equal one of the workspace's redirect_uris to the letter.",
    );

  const state = read(parameters, "state");
  const wrong = (description: string) =>
    new RedirectError({ redirectUri, state: state.value }, "invalid_request", description);
  const optional = (name: string) => {
    const { value, problem } = read(parameters, name);
    if (problem) throw wrong(problem);
    return value;
  };
  if (state.problem) throw wrong(state.problem);
  const externalId = optional("external_id");
  const integrationId = optional("integration_id");
  if (!integrationId) throw wrong("integration_id is missing");
  const integration =
    (await store.integrations.get(workspace.id, integrationId)) ??
    (await store.integrations.byIdentifier(workspace.id, integrationId));
  if (!integration) throw wrong("There is no such integration in this workspace");
  const provider = providers.get(integration.identifier);
  if (!provider) throw wrong("The integration's provider is not known");

  const connectionId = optional("connection_id");
  const connection = connectionId ? await store.connections.get(workspace.id, connectionId) : undefined;
  if (connectionId && !connection) throw wrong("There is no such connection in this workspace");
  if (connection && connection.integration_id !== integration.id)
    throw wrong("The connection belongs to another integration");
  return { workspace, integration, provider, redirectUri, externalId, state: state.value, connection };
}
