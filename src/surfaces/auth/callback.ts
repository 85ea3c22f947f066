import type { FastifyInstance, FastifyRequest } from "fastify";
import type { PendingConsent, Workspace } from "../../contracts/entities.ts";
import { NotConnected } from "../../engine/index.ts";
import { newId } from "../../runtime/ids.ts";
import { splitUrl } from "../shared/split-url.ts";
import { ErrorPage, FlowError } from "./errors.ts";
import { endingOf, type OpenSession } from "./flow.ts";
import type { AuthParts } from "./parts.ts";
import { expiredSession, unregisteredAddress, usedSession } from "./session-errors.ts";

/** The address to which every provider redirects the browser after consent. */
export function callbackRoute(app: FastifyInstance, parts: AuthParts): void {
  const { store, engine, signer, browserCookie, finish, connectUrls } = parts;

  /** The consent that the callback belongs to. It can be taken once, and only in the browser that started it. */
  async function takeConsent(request: FastifyRequest, state: string): Promise<PendingConsent> {
    const [id = "", signature = ""] = state.split(".", 2);
    const browser = browserCookie.read(request);
    if (!browser || !signer.verifyText(signature, "state", id, browser))
      throw new ErrorPage(
        "This cannot be completed here",
        "It was started in another browser, or the link was modified. Nothing was connected. Please go back to the application and start again.",
      );
    const consent = await store.connectFlows.take(id);
    if (consent?.browser !== browser)
      throw new ErrorPage(
        "This link has expired",
        "It was already used, or it is more than ten minutes old. Please go back to the application. If the account is not connected there, start again.",
      );
    return consent;
  }

  async function sessionOf({ session_id }: PendingConsent): Promise<OpenSession | undefined> {
    if (session_id === null) return undefined;
    const session = await store.connectSessions.get(session_id);
    if (!session) throw expiredSession();
    if (session.connected_id !== null) throw usedSession();
    return { ...session, url: connectUrls.of(session.id) };
  }

  /** Where the flow ends and what for, from the session if there is one. */
  async function readTarget(consent: PendingConsent, workspace: Workspace | undefined) {
    const session = await sessionOf(consent);
    const { redirect_uri: redirectUri, external_id: externalId, connection_id } = session ?? consent;
    if (!workspace || (redirectUri !== null && !workspace.redirect_uris.includes(redirectUri)))
      throw unregisteredAddress();
    return { workspace, session, redirectUri, externalId, state: consent.client_state, connection_id };
  }

  app.get("/callback", async (request, reply) => {
    const parameters = new URLSearchParams(splitUrl(request.url)[1]);
    const consent = await takeConsent(request, parameters.getAll("state").join(" "));
    const { workspace_id } = consent;
    request.trace.workspaceId = workspace_id;
    const { connection_id, ...flow } = await readTarget(consent, await store.workspaces.get(workspace_id));
    const integration = await store.integrations.get(workspace_id, consent.integration_id);
    if (!integration) throw new FlowError(endingOf(flow), "invalid_request", "The integration has been deleted");
    const started = {
      settings: consent.settings,
      codeVerifier: consent.code_verifier,
      signIn: consent.sign_in,
      state: parameters.get("state")!,
    };
    const grant = await engine.connect.complete(integration, started, parameters).catch((error: unknown) => {
      throw error instanceof NotConnected ? new FlowError(endingOf(flow), error.error, error.message) : error;
    });
    const connectionId = connection_id ?? newId("conn");
    request.trace.connectionId = connectionId;
    const reconnects = connection_id !== null;
    return reply.redirect(
      await finish({ ...flow, integration, connectionId, reconnects, attempt: consent.id, request }, grant),
    );
  });
}
