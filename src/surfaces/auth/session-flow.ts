import type { FastifyRequest } from "fastify";
import type { ListedIntegration, Workspace } from "../../contracts/entities.ts";
import { splitUrl } from "../shared/split-url.ts";
import type { Choice } from "./chooser-page.ts";
import { FlowError } from "./errors.ts";
import { type ConnectFlow, endingOf, type OpenSession } from "./flow.ts";
import type { AuthParts } from "./parts.ts";
import { allowedElsewhere, expiredSession, startedElsewhere, unregisteredAddress } from "./session-errors.ts";

/** More than anybody would read through. */
const MAX_CHOICES = 500;

export interface Visit {
  session: OpenSession;
  workspace: Workspace;
  query: URLSearchParams;
}

/** Reads the connect session that a request is about. Its user and its integrations come from the store alone. */
export function createSessionReader({ store, engine, connectUrls, browserCookie, signIns }: AuthParts) {
  /** The session of a token, whoever asks; undefined if it is unknown or has expired. */
  async function find(token: string): Promise<{ session: OpenSession; workspace: Workspace } | undefined> {
    const id = connectUrls.read(token);
    const session = id === undefined ? undefined : await store.connectSessions.get(id);
    const workspace = session && (await store.workspaces.get(session.workspace_id));
    if (!workspace) return undefined;
    const { mcp_sign_in_id, mcp_grant_id } = session;
    const signIn = mcp_sign_in_id === null ? undefined : await signIns.proven(mcp_sign_in_id);
    const continueUrl = signIn && signIns.consentUrl(signIn);
    const mcpClient = mcp_grant_id === null ? undefined : await store.mcpGrants.get(workspace.id, mcp_grant_id);
    if (mcp_grant_id !== null && !mcpClient) return undefined;
    return { session: { ...session, url: connectUrls.of(session.id), continueUrl, mcpClient }, workspace };
  }

  async function allowed({ id }: Workspace, session: OpenSession): Promise<ListedIntegration[]> {
    const all = await store.integrations.list(id, { offset: 0, limit: MAX_CHOICES });
    return all.filter((each) => session.integrations?.includes(each.id) ?? true);
  }

  return {
    find,

    /** The session of a page. After it was begun, only the same browser may see it. */
    async visit(request: FastifyRequest): Promise<Visit> {
      const query = new URLSearchParams(splitUrl(request.url)[1]);
      const found = await find(query.getAll("session").join(" "));
      if (!found) throw expiredSession();
      const { session, workspace } = found;
      request.trace.workspaceId = workspace.id;
      request.trace.connectionId = session.connected_id ?? session.connection_id;
      if (session.browser !== null && session.browser !== browserCookie.read(request))
        throw session.mcpClient ? allowedElsewhere(session.mcpClient.client_name) : startedElsewhere();
      const { redirect_uri } = session;
      if (redirect_uri !== null && !workspace.redirect_uris.includes(redirect_uri)) throw unregisteredAddress();
      return { session, workspace, query };
    },

    /** The flow for the integration that the user has chosen, or the choices. */
    async flow({ session, workspace, query }: Visit): Promise<{ flow?: ConnectFlow; choices: Choice[] }> {
      const { redirect_uri: redirectUri } = session;
      const ending = endingOf({ redirectUri, state: null, session, workspace });
      const invalidRequest = (description: string) => new FlowError(ending, "invalid_request", description);

      const providers = await engine.providersOf(workspace.id);
      const choices: Choice[] = [];
      for (const { id, identifier, name, type } of await allowed(workspace, session)) {
        const provider = providers.get(identifier)?.manifest.name;
        if (provider) choices.push({ id, name, provider, type, url: `${session.url}&integration=${id}` });
      }
      if (choices.length === 0) throw invalidRequest("The integration has been deleted");
      const wanted = query.get("integration");
      const chosen = choices.length === 1 ? choices[0] : choices.find(({ id }) => id === wanted);
      const stored = chosen && (await store.integrations.get(workspace.id, chosen.id));
      const integration = stored && { ...stored, scopes: session.scopes ?? stored.scopes };
      const provider = integration && providers.get(integration.identifier);
      if (!provider) return { choices };

      const connection = session.connection_id
        ? await store.connections.get(workspace.id, session.connection_id)
        : undefined;
      if (session.connection_id && !connection) throw invalidRequest("The connection has been deleted");
      const { external_id: externalId } = session;
      return {
        flow: { workspace, integration, provider, redirectUri, externalId, state: null, connection, session },
        choices,
      };
    },
  };
}
