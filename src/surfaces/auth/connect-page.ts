import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { connectsAtProvider } from "../../contracts/manifest.ts";
import { type Grant, NotConnected } from "../../engine/index.ts";
import { refusedHost } from "../shared/refused-host.ts";
import { countAttempt } from "./attempt-limits.ts";
import { brandOf, withLogo } from "./brand.ts";
import { ErrorPage, FlowError } from "./errors.ts";
import { assertMayWait } from "./finish.ts";
import { type ConnectFlow, endingOf } from "./flow.ts";
import { formFields, type ReadForm, readForm, withKeyProblem, withSettingProblem } from "./form.ts";
import { connectPage, type Field } from "./pages.ts";
import type { AuthParts } from "./parts.ts";
import { siteName } from "./return-url.ts";
import { formPolicy } from "./security-headers.ts";
import { startedElsewhere } from "./session-errors.ts";
import { createTickets, FLOW_TTL_MS } from "./tickets.ts";

export const MAX_FORM_BYTES = 65_536;

interface FormView {
  flow: ConnectFlow;
  browser: string;
  fields: Field[];
  /** Where the user can choose another provider. */
  chooserUrl?: string | undefined;
  problem?: string;
  status?: number;
}

/** The page that sends the user to the provider or asks for credentials, and the submission of its form. */
export function createConnectPage(parts: AuthParts) {
  const { store, coordination, engine, signer, browserCookie, finish, url, assets } = parts;
  const tickets = createTickets(signer);

  function sendForm(reply: FastifyReply, { flow, browser, fields, chooserUrl, problem, status = 200 }: FormView) {
    const { workspace, integration, provider, redirectUri, connection } = flow;
    const isOAuth = integration.type === "oauth2";
    const isAtProvider = connectsAtProvider(provider.manifest, integration.type);
    const brand = brandOf(workspace, assets);
    const markup = connectPage(
      {
        // Whose server it is, only the integration knows.
        provider: (provider.manifest.mcpOnly && integration.name) || provider.manifest.name,
        application: workspace.name,
        brand,
        reconnects: connection !== undefined,
        consent: isAtProvider && (isOAuth ? "sign-in" : "install"),
        scopes: isOAuth ? (integration.scopes ?? provider.manifest.auth.oauth2?.scopes ?? []) : [],
        fields,
        problem,
        mcpClient: flow.session?.mcpClient,
        returnsTo: redirectUri === null ? undefined : siteName(redirectUri),
        chooserUrl,
        ticket: tickets.issue(flow, browser),
      },
      assets,
    );
    return reply
      .code(status)
      .type("text/html; charset=utf-8")
      .header(
        "content-security-policy",
        withLogo(formPolicy(url, redirectUri ?? "", integration.base_url ?? integration.mcp_url ?? ""), brand),
      )
      .send(markup);
  }

  /** The settings that the user has to fill in. */
  const requiredSettings = (flow: ConnectFlow) =>
    engine.connect.asks(flow.integration).catch((error: unknown) => {
      throw toFlowError(flow, error);
    });

  /** Each submission gets its own consent: a second click, or one after going back, does not break the first. */
  async function startConsent(flow: ConnectFlow, browser: string, { settings }: ReadForm): Promise<string> {
    const { session } = flow;
    const id = randomBytes(24).toString("base64url");
    const state = `${id}.${signer.signText("state", id, browser)}`;
    const consent = await engine.connect.begin(flow.integration, settings, state);
    const target = session
      ? { redirect_uri: null, external_id: null, client_state: null, connection_id: null }
      : {
          redirect_uri: flow.redirectUri,
          external_id: flow.externalId,
          client_state: flow.state,
          connection_id: flow.connection?.id ?? null,
        };
    await store.connectFlows.open({
      id,
      workspace_id: flow.workspace.id,
      integration_id: flow.integration.id,
      session_id: session?.id ?? null,
      ...target,
      code_verifier: consent.codeVerifier,
      sign_in: consent.signIn ?? null,
      browser,
      settings,
      expires_at: new Date(Date.now() + FLOW_TTL_MS).toISOString(),
    });
    return consent.url;
  }

  return {
    async show(
      reply: FastifyReply,
      flow: ConnectFlow,
      { browser, chooserUrl }: Pick<FormView, "browser" | "chooserUrl">,
    ) {
      const fields = formFields(flow, await requiredSettings(flow));
      return sendForm(reply, { flow, browser, fields, chooserUrl });
    },

    async submit(request: FastifyRequest, reply: FastifyReply, flow: ConnectFlow, chooserUrl?: string) {
      const body = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
      const browser = browserCookie.read(request);
      const ticketId = browser && tickets.read(body.get("ticket") ?? "", flow, browser);
      if (!ticketId) throw invalidTicket(browser !== undefined);
      if (body.get("decision") === "cancel") throw canceled(flow);
      const { session, connection } = flow;
      if (session && !(await store.connectSessions.begin(session.id, browser))) throw startedElsewhere();
      if (!session) await assertMayWait(store, flow.workspace);

      const form = readForm(flow, await requiredSettings(flow), body);
      const view = { flow, browser, fields: form.fields, chooserUrl };
      if (!form.valid) return sendForm(reply, { ...view, status: 400 });
      const refused = await refusedHost(engine, flow.provider.manifest, flow.integration, form.settings);
      if (refused) {
        const fields = withSettingProblem(form.fields, refused.name, "This address must not be called");
        return sendForm(reply, { ...view, fields, status: 400 });
      }
      const isDiscovered = flow.provider.manifest.auth.oauth2?.discovered === true;
      if (connectsAtProvider(flow.provider.manifest, flow.integration.type) && !isDiscovered)
        return reply.redirect(
          await startConsent(flow, browser, form).catch((error: unknown) => {
            throw toFlowError(flow, error);
          }),
        );
      const { credentials, settings } = form;
      const keyProblem = engine.connect.keyProblem(flow.provider.manifest, flow.integration, credentials, settings);
      if (keyProblem) return sendForm(reply, { ...view, fields: withKeyProblem(form.fields, keyProblem), status: 400 });
      const waitSeconds = await countAttempt(coordination, flow.integration.id, request);
      if (waitSeconds !== undefined) {
        request.trace.outcome = "rate_limited";
        reply.header("retry-after", waitSeconds);
        const problem = `Too many attempts. Please try again in ${waitSeconds} second${waitSeconds === 1 ? "" : "s"}.`;
        return sendForm(reply, { ...view, problem, status: 429 });
      }
      let grant: Grant;
      try {
        // The server is asked how to sign in there, so the user can try again here.
        if (flow.integration.type === "oauth2") return reply.redirect(await startConsent(flow, browser, form));
        grant = await engine.connect.check(flow.integration, form.credentials, form.settings);
      } catch (error) {
        if (!(error instanceof NotConnected)) throw error;
        request.trace.outcome = error.error;
        const status = error.error === "access_denied" ? 400 : 502;
        return sendForm(reply, { ...view, problem: error.message, status });
      }
      const connectionId = connection?.id ?? ticketId;
      request.trace.connectionId = connectionId;
      const granted = { ...flow, connectionId, reconnects: connection !== undefined, attempt: ticketId, request };
      return reply.redirect(await finish(granted, grant));
    },
  };
}

export const canceled = (flow: Parameters<typeof endingOf>[0]) =>
  new FlowError(endingOf(flow), "access_denied", "The user canceled");

const toFlowError = (flow: ConnectFlow, error: unknown) =>
  error instanceof NotConnected ? new FlowError(endingOf(flow), error.error, error.message) : error;

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
