import { randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Grant, NotConnected } from "../../engine/index.ts";
import { splitUrl } from "../shared/split-url.ts";
import { type ConnectFlow, readConnectFlow } from "./connect-flow.ts";
import { ErrorPage, RedirectError } from "./errors.ts";
import { formFields, type ReadForm, readForm } from "./form.ts";
import { connectPage, type Field } from "./pages.ts";
import type { AuthParts } from "./parts.ts";
import { siteName } from "./return-url.ts";
import { formPolicy } from "./security-headers.ts";
import { createTickets, FLOW_TTL_MS } from "./tickets.ts";

const REDIRECTED = "&redirected=true";

/** The page on which a user starts to connect an account, and the submission of its form. */
export function authorizeRoutes(app: FastifyInstance, parts: AuthParts): void {
  const { store, engine, signer, browserCookie, finish, url, styleUrl } = parts;
  const tickets = createTickets(signer);
  const readFlow = (request: FastifyRequest) =>
    readConnectFlow(splitUrl(request.url)[1] ?? "", { store, providers: engine.providers });

  interface FormView {
    flow: ConnectFlow;
    browser: string;
    fields: Field[];
    problem?: string;
    status?: number;
  }

  function sendForm(reply: FastifyReply, { flow, browser, fields, problem, status = 200 }: FormView) {
    const { workspace, integration, provider, redirectUri, connection } = flow;
    const consent = integration.type === "oauth2";
    const markup = connectPage(
      {
        provider: provider.manifest.name,
        application: workspace.name,
        reconnects: connection !== undefined,
        consent,
        scopes: consent ? (integration.scopes ?? provider.manifest.auth.oauth2?.scopes ?? []) : [],
        fields,
        problem,
        returnsTo: siteName(redirectUri),
        ticket: tickets.issue(flow, browser),
      },
      styleUrl,
    );
    return reply
      .code(status)
      .type("text/html; charset=utf-8")
      .header("content-security-policy", formPolicy(url, redirectUri, integration.base_url ?? ""))
      .send(markup);
  }

  /** The same page at the public address. Once only, since a reverse proxy may change the host of every request. */
  function publicPage({ headers, url: requested }: FastifyRequest): string | undefined {
    const query = splitUrl(requested)[1] ?? "";
    if (!headers.host || !parts.isOtherHost(headers.host) || query.endsWith(REDIRECTED)) return undefined;
    return `${url}/authorize?${query}${REDIRECTED}`;
  }

  app.get("/authorize", async (request, reply) => {
    const elsewhere = publicPage(request);
    if (elsewhere) return reply.redirect(elsewhere);
    const flow = await readFlow(request);
    request.trace.workspaceId = flow.workspace.id;
    const browser = browserCookie.set(request, reply);
    const fields = formFields(flow, requiredSettings(flow));
    return sendForm(reply, { flow, browser, fields });
  });

  app.post("/authorize", { bodyLimit: 65_536 }, async (request, reply) => {
    const flow = await readFlow(request);
    request.trace.workspaceId = flow.workspace.id;
    const body = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    const browser = browserCookie.read(request);
    const connectionId = browser && tickets.read(body.get("ticket") ?? "", flow, browser);
    if (!connectionId) throw invalidTicket(browser !== undefined);
    if (body.get("decision") === "cancel") throw new RedirectError(flow, "access_denied", "The user canceled");

    const form = readForm(flow, requiredSettings(flow), body);
    if (!form.valid) return sendForm(reply, { flow, browser, fields: form.fields, status: 400 });
    if (flow.integration.type === "oauth2") return reply.redirect(await startConsent(flow, browser, form));
    let grant: Grant;
    try {
      grant = await engine.connect.check(flow.integration, form.credentials, form.settings);
    } catch (error) {
      if (!(error instanceof NotConnected)) throw error;
      request.trace.outcome = error.error;
      const status = error.error === "access_denied" ? 400 : 502;
      return sendForm(reply, { flow, browser, fields: form.fields, problem: error.message, status });
    }
    const { connection } = flow;
    request.trace.connectionId = connection?.id ?? connectionId;
    return reply.redirect(
      await finish({ ...flow, connectionId: connection?.id ?? connectionId, reconnects: !!connection }, grant),
    );
  });

  /** The settings that the user has to fill in. */
  function requiredSettings(flow: ConnectFlow) {
    try {
      return engine.connect.asks(flow.integration);
    } catch (error) {
      throw toRedirectError(flow, error);
    }
  }

  /** Each submission gets its own session: a second click, or one after going back, does not break the first. */
  async function startConsent(flow: ConnectFlow, browser: string, { settings }: ReadForm): Promise<string> {
    const id = randomBytes(24).toString("base64url");
    const state = `${id}.${signer.signText("state", id, browser)}`;
    const consent = await engine.connect.begin(flow.integration, settings, state).catch((error: unknown) => {
      throw toRedirectError(flow, error);
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
      expires_at: new Date(Date.now() + FLOW_TTL_MS).toISOString(),
    });
    return consent.url;
  }
}

const toRedirectError = (flow: ConnectFlow, error: unknown) =>
  error instanceof NotConnected ? new RedirectError(flow, error.error, error.message) : error;

const invalidTicket = (hasCookie: boolean) =>
  hasCookie
    ? new ErrorPage(
        "This page has expired",
        "It was open for more than ten minutes, or it was modified. Please start again.",
        {
          startAgain: true,
        },
      )
    : new ErrorPage(
        "Your browser was not recognized",
        "This page needs a cookie to make sure that only you can complete the connection. Please allow cookies for this site and start again.",
        { startAgain: true },
      );
