import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance } from "fastify";
import { invalidInput } from "../../contracts/fault.ts";
import { isSessionToken } from "../../contracts/session-token.ts";
import { authenticate, basicAuthKey, bearerToken } from "../shared/caller.ts";
import { parseJsonBodies } from "../shared/json-body.ts";
import { serveDocument } from "../shared/openapi-document.ts";
import { createParameterCheck, warningHeader } from "../shared/unknown-parameters.ts";
import { apiKeyRoutes } from "./api-keys.ts";
import { auditRoutes } from "./audit.ts";
import { connectSessionRoutes } from "./connect-sessions.ts";
import { connectionRoutes } from "./connections.ts";
import { customFieldRoutes } from "./custom-fields.ts";
import { registerErrorHandlers } from "./errors.ts";
import { eventRoutes } from "./events.ts";
import { integrationRoutes } from "./integrations.ts";
import { logRoutes } from "./logs.ts";
import { mcpGrantRoutes } from "./mcp-grants.ts";
import { describeRoutes } from "./openapi.ts";
import type { PlatformApp, PlatformOptions } from "./options.ts";
import { providerRoutes } from "./providers.ts";
import { subscriptionRoutes } from "./subscriptions.ts";
import { toolPackRoutes } from "./tool-packs.ts";
import { usageRoutes } from "./usage.ts";
import { validateWithAjv } from "./validation.ts";
import { webhookRoutes } from "./webhooks.ts";
import { workspaceRoutes } from "./workspace.ts";

/** Names the query parameters that a route does not have. A dry run that it does not have would be the real thing. */
function checkParameterNames(app: FastifyInstance, headerPrefix: string): void {
  app.addHook("onRoute", (route) => {
    const { properties = {} } = (route.schema?.querystring ?? {}) as { properties?: object };
    const check = createParameterCheck(Object.keys(properties));
    const hasNoDryRun = route.method !== "GET" && !("dry_run" in properties);
    route.preHandler = async (request, reply) => {
      const { dry_run = "false" } = request.query as { dry_run?: unknown };
      if (hasNoDryRun && dry_run !== "false")
        throw invalidInput({ path: ["dry_run"], message: "This route has no dry run. Nothing was changed" });
      const warning = check(request.query as object);
      if (warning) reply.header(warningHeader(headerPrefix), warning);
    };
  });
}

/** The Platform API: integrations, connections, API keys, tool packs, the workspace, providers, the request log, events and webhooks. */
export async function platform(app: FastifyInstance, options: PlatformOptions): Promise<void> {
  registerErrorHandlers(app);
  validateWithAjv(app);
  app.removeAllContentTypeParsers();
  parseJsonBodies(app, { allowEmpty: true });
  serveDocument(app, describeRoutes(app, options));

  app.decorateRequest("caller");
  app.decorateRequest("workspace", {
    getter() {
      return this.caller.workspace;
    },
  });
  await app.register(async (instance) => {
    instance.addHook("onRequest", async (request) => {
      const { authorization } = request.headers;
      const key = bearerToken(authorization) ?? basicAuthKey(authorization);
      await authenticate(options.engine, request, key, request.routeOptions.config.access!);
      // The dashboard reads several times for each of its pages: nobody's calls would be found among its own.
      request.trace.logged = request.method !== "GET" || !isSessionToken(key);
    });
    instance.addHook("onRoute", (route) => {
      const { access, action } = route.schema!;
      if (!["GET", "HEAD"].includes(String(route.method)) && !action)
        throw new Error(`${route.method} ${route.url} does not say what the audit log calls it`);
      route.config = { ...route.config, access: access! };
    });
    checkParameterNames(instance, options.headerPrefix);
    const routes = instance.withTypeProvider<TypeBoxTypeProvider>() as unknown as PlatformApp;
    for (const add of [
      integrationRoutes,
      connectionRoutes,
      connectSessionRoutes,
      mcpGrantRoutes,
      apiKeyRoutes,
      toolPackRoutes,
      customFieldRoutes,
      workspaceRoutes,
      providerRoutes,
      logRoutes,
      usageRoutes,
      auditRoutes,
      eventRoutes,
      webhookRoutes,
      subscriptionRoutes,
    ])
      add(routes, options);
  });
}
