import type { KeyObject } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { Coordination } from "../../contracts/coordination.ts";
import { Fault } from "../../contracts/fault.ts";
import type { BoundOperation } from "../../contracts/operation.ts";
import type { Store } from "../../contracts/store.ts";
import { createSigner, type Engine } from "../../engine/index.ts";
import type { McpSignIns } from "../shared/mcp-sign-ins.ts";
import { assetRoutes } from "./assets.ts";
import { auditRoutes } from "./pages/audit.ts";
import { connectRoutes } from "./pages/connect.ts";
import { connectionRoutes } from "./pages/connection.ts";
import { connectionListRoutes } from "./pages/connections.ts";
import { customFieldRoutes } from "./pages/custom-fields.ts";
import { createErrorSender } from "./pages/errors.ts";
import { eventRoutes } from "./pages/events.ts";
import { explorerRoutes } from "./pages/explorer.ts";
import { integrationRoutes } from "./pages/integration.ts";
import { integrationListRoutes } from "./pages/integrations.ts";
import { keyRoutes } from "./pages/keys.ts";
import { mcpRoutes } from "./pages/mcp.ts";
import { mcpSignInRoutes } from "./pages/mcp-sign-in.ts";
import { newIntegrationRoutes } from "./pages/new-integration.ts";
import { overviewRoutes } from "./pages/overview.ts";
import { providerRoutes } from "./pages/provider.ts";
import { providerListRoutes } from "./pages/providers.ts";
import { requestRoutes } from "./pages/request.ts";
import { requestListRoutes } from "./pages/requests.ts";
import { sandboxRoutes } from "./pages/sandbox.ts";
import { settingsRoutes } from "./pages/settings.ts";
import { subscriptionRoutes } from "./pages/subscription.ts";
import { subscriptionListRoutes } from "./pages/subscriptions.ts";
import { toolPackRoutes } from "./pages/tool-packs.ts";
import { webhookRoutes } from "./pages/webhook.ts";
import { webhookListRoutes } from "./pages/webhooks.ts";
import { createRoutes } from "./routes.ts";
import { oidcRoutes } from "./session/oidc.ts";
import { securityHeaders } from "./session/security-headers.ts";
import { createSessionCookie } from "./session/session.ts";
import { createSignIns, signInRoutes } from "./session/sign-in.ts";
import { createWorkspaceSwitch } from "./session/switch-workspace.ts";

export interface DashboardOptions {
  /** For sessions only: everything else comes from the APIs. */
  store: Store;
  coordination: Coordination;
  engine: Pick<Engine, "authenticate" | "refused" | "callbackUrl" | "openIdConnect">;
  /** The table of operations. */
  operations: readonly BoundOperation[];
  headerPrefix: string;
  /** Public addresses of the APIs, for code to copy. */
  urls: { unified: string; platform: string; proxy: string };
  /** The dashboard's public address. */
  url: string;
  sandbox: boolean;
  /** Whether links and API keys do not sign in. */
  peopleOnly: boolean;
  /** Keys that sign what a browser keeps while somebody signs in, the current one first. */
  signingKeys: () => readonly KeyObject[];
  signIns: Pick<McpSignIns, "consentUrl">;
}

const MAX_FORM_BYTES = 512 * 1024;

/** Pages for people, made from what our own APIs return to the workspace that is signed in. */
export function dashboard(app: FastifyInstance, options: DashboardOptions): void {
  const { store, coordination, engine, operations, headerPrefix, urls, url, sandbox, peopleOnly } = options;
  const { openIdConnect } = engine;
  const cookie = createSessionCookie(url);
  app.setErrorHandler(createErrorSender(cookie));
  app.setNotFoundHandler(() => {
    throw new Fault("not_found", "no such page");
  });
  app.addHook("onRequest", async (_, reply) => void reply.headers(securityHeaders));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: MAX_FORM_BYTES },
    async (_: unknown, body: string) => new URLSearchParams(body),
  );
  assetRoutes(app);
  const workspaceSwitch = createWorkspaceSwitch({ store, coordination, oidc: openIdConnect?.settings });
  const switchFields = workspaceSwitch.fields;
  const routes = createRoutes(app, { engine, cookie, dashboardUrl: url, switchFields });
  const signInOptions = { store, coordination, cookie, dashboardUrl: url, openIdConnect, peopleOnly };
  const signIns = createSignIns(signInOptions);
  signInRoutes(app, routes, signIns, signInOptions);
  const signer = createSigner(options.signingKeys);
  if (openIdConnect)
    oidcRoutes(app, {
      openIdConnect,
      signIns,
      store,
      refused: engine.refused,
      coordination,
      dashboardUrl: url,
      signer,
    });
  workspaceSwitch.routes(routes);
  overviewRoutes(routes);
  connectionListRoutes(routes);
  connectionRoutes(routes, { operations, headerPrefix });
  connectRoutes(routes);
  integrationListRoutes(routes);
  newIntegrationRoutes(routes, { sandbox, callbackUrl: engine.callbackUrl });
  integrationRoutes(routes);
  providerListRoutes(routes);
  providerRoutes(routes, { headerPrefix });
  explorerRoutes(routes, { operations, headerPrefix, urls });
  requestListRoutes(routes);
  requestRoutes(routes, operations);
  eventRoutes(routes);
  subscriptionListRoutes(routes, { operations });
  subscriptionRoutes(routes, { operations });
  webhookListRoutes(routes, { operations });
  webhookRoutes(routes, { operations });
  mcpRoutes(routes, { unifiedUrl: urls.unified });
  mcpSignInRoutes(routes, { store, signIns: options.signIns });
  keyRoutes(routes);
  toolPackRoutes(routes, { operations });
  customFieldRoutes(routes, { operations, headerPrefix });
  auditRoutes(routes, { platformUrl: urls.platform });
  settingsRoutes(routes);
  if (sandbox) sandboxRoutes(routes, { operations });
}
