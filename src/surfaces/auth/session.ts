import type { FastifyInstance, FastifyReply } from "fastify";
import { Fault } from "../../contracts/fault.ts";
import { brandOf, withLogo } from "./brand.ts";
import { chooserPage } from "./chooser-page.ts";
import { canceled, createConnectPage, MAX_FORM_BYTES } from "./connect-page.ts";
import type { AuthParts } from "./parts.ts";
import { publicAddress } from "./public-address.ts";
import { type ConnectResult, sendResultPage, webOrigins } from "./result-page.ts";
import { searchPolicy } from "./security-headers.ts";
import { usedSession } from "./session-errors.ts";
import { createSessionReader, type Visit } from "./session-flow.ts";

/** The pages of a connect session: the choice of a provider, the connect page, and the result. */
export function sessionRoutes(app: FastifyInstance, parts: AuthParts): void {
  const { store, engine, browserCookie, assets } = parts;
  const page = createConnectPage(parts);
  const sessions = createSessionReader(parts);

  async function result({
    session,
    workspace,
  }: Pick<Visit, "session" | "workspace">): Promise<ConnectResult | undefined> {
    // With a redirect, the application's server confirms the connection with the code, and the browser is told nothing.
    if (session.connected_id === null || session.redirect_uri !== null) return undefined;
    const connection = await store.connections.get(workspace.id, session.connected_id);
    if (!connection) throw usedSession();
    const { id: connection_id, integration_id, integration_identifier } = connection;
    return { status: "connected", connection_id, integration_id, integration_identifier };
  }

  async function showResult(reply: FastifyReply, visit: Visit) {
    const connected = await result(visit);
    if (connected?.status !== "connected") throw usedSession();
    const provider = await engine.providerOf(visit.workspace.id, connected.integration_identifier);
    return sendResultPage(reply, assets, {
      title: `${provider?.manifest.name ?? connected.integration_identifier} is connected`,
      message: `${visit.workspace.name} can now use your account. You can close this window.`,
      result: connected,
      workspace: visit.workspace,
    });
  }

  app.get("/connect", async (request, reply) => {
    const elsewhere = publicAddress(request, "/connect", parts);
    if (elsewhere) return reply.redirect(elsewhere);
    const visit = await sessions.visit(request);
    const { session, workspace } = visit;
    if (session.connected_id !== null)
      return session.continueUrl ? reply.redirect(session.continueUrl) : showResult(reply, visit);
    if (visit.query.has("cancel"))
      throw canceled({ redirectUri: session.redirect_uri, state: null, session, workspace });
    const browser = browserCookie.set(request, reply);
    const { flow, choices } = await sessions.flow(visit);
    if (flow) return page.show(reply, flow, { browser, chooserUrl: choices.length > 1 ? session.url : undefined });
    const brand = brandOf(workspace, assets);
    const search = visit.query.get("q") ?? "";
    return reply
      .type("text/html; charset=utf-8")
      .header("content-security-policy", withLogo(searchPolicy, brand))
      .send(chooserPage({ application: workspace.name, brand, choices, url: session.url, search }, assets));
  });

  app.post("/connect", { bodyLimit: MAX_FORM_BYTES }, async (request, reply) => {
    const visit = await sessions.visit(request);
    const { connected_id, redirect_uri } = visit.session;
    // The form was submitted twice. With a redirect, the second answer needs a code as well: see `finish`.
    if (connected_id !== null && redirect_uri === null) return reply.redirect(visit.session.url);
    const { flow, choices } = await sessions.flow(visit);
    if (!flow) return reply.redirect(visit.session.url);
    return page.submit(request, reply, flow, choices.length > 1 ? visit.session.url : undefined);
  });

  /**
   * How a session stands, for the script of the application's page: a provider's page can separate the window from the
   * page that opened it, which then gets no message.
   */
  app.get("/connect/result", async (request, reply) => {
    const { session: token } = request.query as { session?: string | string[] };
    const found = await sessions.find(String(token));
    if (!found) throw new Fault("not_found", "no such connect session");
    const { origin } = request.headers;
    reply.header("vary", "origin");
    if (origin && webOrigins(found.workspace.redirect_uris).includes(origin))
      reply.header("access-control-allow-origin", origin);
    return (await result(found)) ?? { status: "open" };
  });
}
