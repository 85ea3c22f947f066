import type { FastifyInstance } from "fastify";
import type { Coordination } from "../../contracts/coordination.ts";
import { Fault } from "../../contracts/fault.ts";
import type { BoundOperation } from "../../contracts/operation.ts";
import type { Store } from "../../contracts/store.ts";
import type { Engine } from "../../engine/index.ts";
import { assetRoutes } from "./assets.ts";
import { connectRoutes } from "./connect.ts";
import { connectionRoutes } from "./connection.ts";
import { connectionListRoutes } from "./connections.ts";
import { createErrorSender } from "./errors.ts";
import { eventRoutes } from "./events.ts";
import { explorerRoutes } from "./explorer.ts";
import { integrationRoutes } from "./integration.ts";
import { integrationListRoutes } from "./integrations.ts";
import { keyRoutes } from "./keys.ts";
import { newIntegrationRoutes } from "./new-integration.ts";
import { overviewRoutes } from "./overview.ts";
import { requestRoutes } from "./requests.ts";
import { createRoutes } from "./routes.ts";
import { sandboxRoutes } from "./sandbox.ts";
import { securityHeaders } from "./security-headers.ts";
import { createSessionCookie } from "./session.ts";
import { settingsRoutes } from "./settings.ts";
import { signInRoutes } from "./sign-in.ts";
import { webhookRoutes } from "./webhook.ts";
import { webhookListRoutes } from "./webhooks.ts";

export interface DashboardOptions {
  /** For sessions only: everything else comes from the APIs. */
  store: Store;
  coordination: Coordination;
  engine: Pick<Engine, "authenticate" | "callbackUrl">;
  /** The table of operations. */
  operations: readonly BoundOperation[];
  headerPrefix: string;
  /** Public addresses of the APIs, for code to copy. */
  urls: { unified: string; platform: string; proxy: string };
  /** The dashboard's public address. */
  url: string;
  sandbox: boolean;
}

const MAX_FORM_BYTES = 512 * 1024;

/** Pages for people, made from what our own APIs return to the workspace that is signed in. */
export function dashboard(app: FastifyInstance, options: DashboardOptions): void {
  const { store, coordination, engine, operations, headerPrefix, urls, url, sandbox } = options;
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
  const routes = createRoutes(app, { engine, cookie, dashboardUrl: url, sandbox });
  signInRoutes(app, routes, { store, coordination, cookie, dashboardUrl: url });
  overviewRoutes(routes);
  connectionListRoutes(routes);
  connectionRoutes(routes, { operations, headerPrefix });
  connectRoutes(routes);
  integrationListRoutes(routes);
  newIntegrationRoutes(routes, { sandbox, callbackUrl: engine.callbackUrl });
  integrationRoutes(routes);
  explorerRoutes(routes, { operations, headerPrefix, urls });
  requestRoutes(routes);
  eventRoutes(routes);
  webhookListRoutes(routes);
  webhookRoutes(routes);
  keyRoutes(routes);
  settingsRoutes(routes);
  if (sandbox) sandboxRoutes(routes, { operations });
}
