import { randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Grant, NotConnected } from "../../engine/index.ts";
import { splitUrl } from "../shared/split-url.ts";
import { ErrorPage, RedirectError } from "./errors.ts";
import { type Flow, readFlow } from "./flow.ts";
import { fieldsOf, type ReadForm, readForm } from "./form.ts";
import { connectPage, type Field } from "./pages.ts";
import type { AuthParts } from "./parts.ts";
import { siteOf } from "./return-url.ts";
import { formPolicy } from "./security-headers.ts";
import { createTickets, FLOW_LIFE_MS } from "./tickets.ts";

/** The page on which a user begins, and what becomes of it. */
export function authorizeRoutes(app: FastifyInstance, parts: AuthParts): void {
  const { store, engine, signer, browserCookie, finish, url, styleUrl } = parts;
  const tickets = createTickets(signer);
  const flowOf = (request: FastifyRequest) =>
    readFlow(splitUrl(request.url)[1] ?? "", { store, providers: engine.providers });

  interface Shown {
    flow: Flow;
    browser: string;
    fields: Field[];
    problem?: string;
    status?: number;
  }

  function show(reply: FastifyReply, { flow, browser, fields, problem, status = 200 }: Shown) {
    const { workspace, integration, provider, redirectUri, connection } = flow;
    const consent = integration.type === "oauth2";
    const page = connectPage(
      {
        provider: provider.manifest.name,
        application: workspace.name,
        reconnects: connection !== undefined,
        consent,
        scopes: consent ? (integration.scopes ?? provider.manifest.auth.oauth2?.scopes ?? []) : [],
        fields,
        problem,
        returnsTo: siteOf(redirectUri),
        ticket: tickets.issue(flow, browser),
      },
      styleUrl,
    );
    return reply
      .code(status)
      .type("text/html; charset=utf-8")
      .header("content-security-policy", formPolicy(url, redirectUri, integration.base_url ?? ""))
      .send(page);
  }

  app.get("/authorize", async (request, reply) => {
    const flow = await flowOf(request);
    request.trace.workspaceId = flow.workspace.id;
    const browser = browserCookie.mark(request, reply);
    const fields = fieldsOf(flow, asksOf(flow));
    return show(reply, { flow, browser, fields });
  });

  app.post("/authorize", { bodyLimit: 65_536 }, async (request, reply) => {
    const flow = await flowOf(request);
    request.trace.workspaceId = flow.workspace.id;
    const body = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    const browser = browserCookie.of(request);
    const connectionId = browser && tickets.read(body.get("ticket") ?? "", flow, browser);
    if (!connectionId) throw stalePage(browser !== undefined);
    if (body.get("decision") === "cancel") throw new RedirectError(flow, "access_denied", "The user cancelled");

    const form = readForm(flow, asksOf(flow), body);
    if (!form.sound) return show(reply, { flow, browser, fields: form.fields, status: 400 });
    if (flow.integration.type === "oauth2") return reply.redirect(await sendToConsent(flow, browser, form));
    let grant: Grant;
    try {
      grant = await engine.connect.check(flow.integration, form.credentials, form.settings);
    } catch (error) {
      if (!(error instanceof NotConnected)) throw error;
      request.trace.outcome = error.error;
      const status = error.error === "access_denied" ? 400 : 502;
      return show(reply, { flow, browser, fields: form.fields, problem: error.message, status });
    }
    const { connection } = flow;
    request.trace.connectionId = connection?.id ?? connectionId;
    return reply.redirect(
      await finish({ ...flow, connectionId: connection?.id ?? connectionId, reconnects: !!connection }, grant),
    );
  });

  function asksOf(flow: Flow) {
    try {
      return engine.connect.asks(flow.integration);
    } catch (error) {
      throw returned(flow, error);
    }
  }

  /** Each time anew: a second click, or one after coming back, has a way of its own and takes nothing from the first. */
  async function sendToConsent(flow: Flow, browser: string, { settings }: ReadForm): Promise<string> {
    const id = randomBytes(24).toString("base64url");
    const state = `${id}.${signer.signText("state", id, browser)}`;
    const consent = await engine.connect.begin(flow.integration, settings, state).catch((error: unknown) => {
      throw returned(flow, error);
    });
    await store.connectFlows.open({
      id,
      workspace_id: flow.workspace.id,
      integration_id: flow.integration.id,
      redirect_uri: flow.redirectUri,
      external_id: flow.externalId,
      client_state: flow.state,
      connection_id: flow.connection?.id ?? null,
      code_verifier: consent.codeVerifier,
      browser,
      settings,
      expires_at: new Date(Date.now() + FLOW_LIFE_MS).toISOString(),
    });
    return consent.url;
  }
}

const returned = (flow: Flow, error: unknown) =>
  error instanceof NotConnected ? new RedirectError(flow, error.error, error.message) : error;

const stalePage = (hasCookie: boolean) =>
  hasCookie
    ? new ErrorPage(
        "This page has expired",
        "It was open for more than ten minutes, or was changed. Please start again.",
        {
          startAgain: true,
        },
      )
    : new ErrorPage(
        "Your browser was not recognised",
        "This page needs a cookie, to make sure that nobody else finishes what you begin. Please allow cookies for this address and start again.",
        { startAgain: true },
      );
