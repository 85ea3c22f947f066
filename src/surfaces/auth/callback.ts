import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ConnectSession } from "../../contracts/entities.ts";
import { NotConnected } from "../../engine/index.ts";
import { newId } from "../../runtime/ids.ts";
import { splitUrl } from "../shared/split-url.ts";
import { ErrorPage, RedirectError } from "./errors.ts";
import type { AuthParts } from "./parts.ts";

/** The address to which every provider redirects the browser after consent. */
export function callbackRoute(app: FastifyInstance, { store, engine, signer, browserCookie, finish }: AuthParts): void {
  /** The session that the callback belongs to. It can be taken once, and only in the browser that started it. */
  async function takeSession(request: FastifyRequest, state: string): Promise<ConnectSession> {
    const [id = "", signature = ""] = state.split(".", 2);
    const browser = browserCookie.read(request);
    if (!browser || !signer.verifyText(signature, "state", id, browser))
      throw new ErrorPage(
        "This cannot be completed here",
        "It was started in another browser, or the link was modified. Nothing was connected. Please go back to the application and start again.",
      );
    const session = await store.connectFlows.take(id);
    if (session?.browser !== browser)
      throw new ErrorPage(
        "This link has expired",
        "It was already used, or it is more than ten minutes old. Please go back to the application. If the account is not connected there, start again.",
      );
    return session;
  }

  app.get("/callback", async (request, reply) => {
    const parameters = new URLSearchParams(splitUrl(request.url)[1]);
    const session = await takeSession(request, parameters.getAll("state").join(" "));
    const { workspace_id, redirect_uri: redirectUri, client_state, connection_id } = session;
    request.trace.workspaceId = workspace_id;
    const workspace = await store.workspaces.get(workspace_id);
    if (!workspace?.redirect_uris.includes(redirectUri))
      throw new ErrorPage(
        "This cannot be completed",
        "The address to return to is no longer registered for this application. Nothing was connected.",
      );
    const returnTo = { redirectUri, state: client_state };
    const integration = await store.integrations.get(workspace_id, session.integration_id);
    if (!integration) throw new RedirectError(returnTo, "invalid_request", "The integration has been deleted");
    const started = {
      settings: session.settings,
      codeVerifier: session.code_verifier,
      state: parameters.get("state")!,
    };
    const grant = await engine.connect.complete(integration, started, parameters).catch((error: unknown) => {
      throw error instanceof NotConnected ? new RedirectError(returnTo, error.error, error.message) : error;
    });
    const connectionId = connection_id ?? newId("conn");
    request.trace.connectionId = connectionId;
    return reply.redirect(
      await finish(
        {
          ...returnTo,
          workspace,
          integration,
          externalId: session.external_id,
          connectionId,
          reconnects: connection_id !== null,
        },
        grant,
      ),
    );
  });
}
