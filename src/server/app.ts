import type { KeyObject } from "node:crypto";
import type { IncomingMessage } from "node:http";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RouteOptions,
} from "fastify";
import type { SurfaceName } from "../config/index.ts";
import type { Category } from "../contracts/operation.ts";
import { createSigner } from "../engine/index.ts";
import type { GracefulClose } from "../runtime/graceful-close.ts";
import { health } from "../runtime/health.ts";
import type { Logger } from "../runtime/logger.ts";
import type { Metrics } from "../runtime/metrics.ts";
import type { RequestLog } from "../runtime/request-log.ts";
import { SANDBOX_WORKSPACE } from "../sandbox-workspace.ts";
import { dashboard } from "../surfaces/dashboard/index.ts";
import { docs } from "../surfaces/docs/index.ts";
import { declareAccess } from "../surfaces/shared/access.ts";
import { errorSourceHeader, markErrors } from "../surfaces/shared/error-source.ts";
import { MAX_BODY_BYTES } from "../surfaces/shared/json-body.ts";
import { createMcpAddresses } from "../surfaces/shared/mcp-addresses.ts";
import { resourceMetadataRoutes, serverMetadataRoutes } from "../surfaces/shared/mcp-metadata.ts";
import { createMcpSignIns } from "../surfaces/shared/mcp-sign-ins.ts";
import { clientCancellation } from "../surfaces/shared/relay.ts";
import type { DirectSurface } from "../surfaces/shared/surface-types.ts";
import { newTrace } from "../surfaces/shared/trace.ts";
import { unifiedDocument } from "../surfaces/unified/openapi.ts";
import { MAX_PARAMETER_LENGTH } from "../surfaces/unified/plain-path.ts";
import { serveDirectly } from "./direct.ts";
import { buildLazySerializer } from "./lazy-serializers.ts";
import { observe, observeOne } from "./observed-requests.ts";
import { requestId } from "./request-id.ts";
import type { RequestSpans } from "./request-spans.ts";
import { createSurfaces, documentedUrl, type SurfacesOptions } from "./surfaces.ts";
import { closeUnfinished, limitBodyTimes, refuseAsHttpAsks, sendClientError } from "./unfinished-requests.ts";

export interface AppDependencies extends Omit<SurfacesOptions, "operations" | "addresses" | "signIns"> {
  log: Logger;
  metrics: Metrics;
  requestLog: RequestLog;
  /** Undefined if traces are off. */
  spans?: RequestSpans | undefined;
  /** The table of operations. */
  categories: readonly Category[];
  /** Keys that sign what a browser keeps while somebody signs in to the dashboard, the current one first. */
  signInKeys: () => readonly KeyObject[];
  /** The emulated providers, if the sandbox is on. */
  sandbox?: FastifyPluginAsync | undefined;
  /** Whether another worker has not been ready yet. */
  starting?: (() => boolean) | undefined;
  /** Whether the service is shutting down. */
  stopping?: () => boolean;
  gracefulClose?: Pick<GracefulClose, "requestHold">;
}

/** Creates the HTTP server with every surface mounted. It does not listen yet. */
export async function createApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const {
    config,
    log,
    metrics,
    store,
    coordination,
    engine,
    categories,
    sandbox,
    starting = () => false,
    stopping = () => false,
    gracefulClose,
  } = dependencies;

  const { headerPrefix } = config;
  const operations = categories.flatMap(({ bound }) => bound);

  const { urls } = config;
  const addresses = createMcpAddresses({
    store,
    unifiedUrl: urls.unified,
    authUrl: urls.auth,
    isLocal: !config.givenUrls.has("unified"),
    sandboxWorkspace: SANDBOX_WORKSPACE,
  });
  const signer = createSigner(dependencies.signingKeys);
  const signIns = createMcpSignIns({ store, signer, authUrl: urls.auth });
  const surfaces = createSurfaces({ ...dependencies, operations, addresses, signIns });
  const direct: Record<string, DirectSurface> = {};
  const findSurface = (url: string) => surfaces.find(({ name }) => url.startsWith(`/${name}/`));

  function initRequest(request: FastifyRequest, reply: FastifyReply): void {
    request.trace = newTrace();
    // One logger for all requests: Fastify would create a child logger for each.
    request.log = log as FastifyBaseLogger;
    reply.log = request.log;
    reply.header("x-request-id", request.id);
  }

  const rewriteUrl = config.hosts.size > 0 ? hostRewriter(config.hosts) : undefined;
  const app = Fastify({
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    bodyLimit: MAX_BODY_BYTES,
    schemaController: { compilersFactory: { buildSerializer: buildLazySerializer } },
    routerOptions: { ignoreTrailingSlash: true, caseSensitive: true, maxParamLength: MAX_PARAMETER_LENGTH },
    // Time for a whole request to arrive: long uploads through the Proxy are allowed, endless ones are not.
    requestTimeout: 3_600_000,
    http: {
      headersTimeout: 30_000,
      maxHeaderSize: 32_768,
      requireHostHeader: false,
      // Twice what is read from a provider in one piece: with Node's default, each piece would pause the provider's
      // socket, although the operating system has already taken it.
      highWaterMark: 128 * 1024,
    },
    // During shutdown, a request on an open connection is still served, and the connection is closed after it.
    return503OnClosing: false,
    ...(rewriteUrl ? { rewriteUrl } : {}),
    clientErrorHandler: (error, socket) => sendClientError(error.code, socket, headerPrefix),
    frameworkErrors(error, request, anyReply) {
      const reply = anyReply as unknown as FastifyReply;
      initRequest(request, reply);
      const { name = "", sendError = sendPlainError } = findSurface(request.url) ?? {};
      if (name) observeOne(dependencies, name, request, reply.raw);
      reply.raw.on("finish", () => closeUnfinished(request));
      const send = (refused: unknown) => {
        reply.header(errorSourceHeader(headerPrefix), "plugboard");
        sendError(refused, request, reply);
      };
      // A surface with any path looks at it itself, after the key.
      const serve = direct[name]?.find(request.url, request.raw);
      const sent = serve ? serve(request, reply, clientCancellation(reply)).catch(send) : Promise.try(send, error);
      sent.catch((failure) => {
        log.error({ err: failure, request_id: request.id }, "could not send an error");
        reply.raw.destroy();
      });
    },
  });

  // A route that does not say what it needs would be open to everybody.
  const routes: RouteOptions[] = [];
  app.addHook("onRoute", (route) => void routes.push(route));
  app.addHook("onReady", async () => {
    for (const { method, url, config } of routes)
      if (!config?.access) throw new Error(`${method} ${url} does not declare what access it needs`);
  });
  app.decorateRequest("trace");
  app.addHook("onRequest", (request, reply, done) => {
    initRequest(request, reply);
    const hold = gracefulClose?.requestHold;
    if (hold) hold.then(() => done());
    else done();
  });
  limitBodyTimes(app, { headerPrefix });
  app.setErrorHandler(sendPlainError);
  app.setNotFoundHandler((_, reply) =>
    reply
      .code(404)
      .header(errorSourceHeader(headerPrefix), "plugboard")
      .send({ success: false, message: "Not found", docs: `${config.localUrl}/docs` }),
  );

  for (const { name, mount } of surfaces)
    await app.register(
      async (instance) => {
        observe(instance, name, dependencies);
        markErrors(instance, headerPrefix);
        const served = await mount(instance);
        if (served) direct[name] = served;
      },
      { prefix: `/${name}` },
    );
  await app.register(async (instance) => {
    observe(instance, "service", dependencies);
    markErrors(instance, headerPrefix);
    declareAccess(instance, "public");
    await health(instance, { store, coordination, metrics, starting, stopping });
    await docs(instance, {
      unifiedDocument: () => unifiedDocument({ categories, headerPrefix, serverUrl: documentedUrl(config, "unified") }),
      urls,
      dashboard: config.dashboard,
    });
    resourceMetadataRoutes(instance, addresses);
    serverMetadataRoutes(instance, addresses);
  });
  if (config.dashboard) {
    const url = config.dashboardUrl;
    await app.register(
      async (instance) => {
        observe(instance, "dashboard", dependencies);
        markErrors(instance, headerPrefix);
        const { sandbox } = config;
        const peopleOnly = config.dashboardSignIn === "oidc";
        const signingKeys = dependencies.signInKeys;
        const shared = { store, coordination, engine, operations, headerPrefix, signIns };
        dashboard(instance, { ...shared, urls, url, sandbox, peopleOnly, signingKeys });
      },
      { prefix: "/dashboard" },
    );
    // Programs get what they would get without a dashboard.
    app.get("/", { config: { access: "public" } }, (request, reply) =>
      request.headers.accept?.includes("text/html") ? reply.redirect("/dashboard", 302) : reply.callNotFound(),
    );
  }
  if (sandbox)
    await app.register(
      async (instance) => {
        observe(instance, "sandbox", dependencies);
        declareAccess(instance, "public");
        await sandbox(instance, {});
      },
      { prefix: "/sandbox" },
    );
  let closing = false;
  app.addHook("preClose", async () => {
    closing = true;
  });
  serveDirectly(app.server, {
    surfaces: direct,
    log,
    errorSourceHeader: errorSourceHeader(headerPrefix),
    requestId,
    rewriteUrl,
    isOff: () => !config.directPath || closing || gracefulClose?.requestHold !== undefined,
    observe: (surface, request, response) =>
      observeOne(dependencies, surface, request, response, () => closeUnfinished(request)),
  });
  refuseAsHttpAsks(app.server, { headerPrefix, requestId });
  return app;
}

function hostRewriter(hosts: ReadonlyMap<string, SurfaceName>) {
  return ({ headers, url = "/" }: { headers: IncomingMessage["headers"]; url?: string }) => {
    const host = headers.host?.toLowerCase().replace(/:(?:80|443)$/, "");
    const surface = host && hosts.get(host);
    return surface ? `/${surface}${url}` : url;
  };
}

/** For errors outside of every surface. */
function sendPlainError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const { statusCode = 500 } = error as { statusCode?: number };
  if (statusCode >= 500) request.log.error({ err: error, request_id: request.id }, "request failed");
  const message = statusCode >= 500 ? "Internal error" : "Invalid request";
  return reply.code(statusCode).send({ success: false, message });
}
