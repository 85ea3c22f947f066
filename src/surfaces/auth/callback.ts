import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ConnectSession } from "../../contracts/entities.ts";
import { NotConnected } from "../../engine/index.ts";
import { newId } from "../../runtime/ids.ts";
import { splitUrl } from "../shared/split-url.ts";
import { ErrorPage, RedirectError } from "./errors.ts";
import type { AuthParts } from "./parts.ts";

/** Where every provider sends the browser back to. */
export function callbackRoute(app: FastifyInstance, { store, engine, signer, browserCookie, finish }: AuthParts): void {
  /** The flow that the answer belongs to, once, and only in the browser that began it. */
  async function takeSession(request: FastifyRequest, state: string): Promise<ConnectSession> {
    const [id = "", signature = ""] = state.split(".", 2);
    const browser = browserCookie.of(request);
    if (!browser || !signer.verifyText(signature, "state", id, browser))
      throw new ErrorPage(
        "This cannot be finished here",
        "It was begun in another browser, or the address was changed on its way. Nothing was connected. Please go back to the application and start again.",
      );
    const session = await store.connectFlows.take(id);
    if (session?.browser !== browser)
      throw new ErrorPage(
        "This step is over",
        "It was finished before, or more than ten minutes ago. Please go back to the application: if the account is not connected there, start again.",
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
        "This cannot be finished",
        "The application no longer takes you back to where you came from. Nothing was connected.",
      );
    const back = { redirectUri, state: client_state };
    const integration = await store.integrations.get(workspace_id, session.integration_id);
    if (!integration) throw new RedirectError(back, "invalid_request", "The integration was deleted meanwhile");
    const begun = { settings: session.settings, codeVerifier: session.code_verifier, state: parameters.get("state")! };
    const grant = await engine.connect.complete(integration, begun, parameters).catch((error: unknown) => {
      throw error instanceof NotConnected ? new RedirectError(back, error.error, error.message) : error;
    });
    const connectionId = connection_id ?? newId("conn");
    request.trace.connectionId = connectionId;
    return reply.redirect(
      await finish(
        {
          ...back,
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
