import { categories as table } from "./categories/index.ts";
import type { Config } from "./config/index.ts";
import type { Coordination } from "./contracts/coordination.ts";
import type { Category } from "./contracts/operation.ts";
import type { Store } from "./contracts/store.ts";
import type { TelemetrySettings } from "./contracts/telemetry.ts";
import { createCoordination } from "./coordination/index.ts";
import { createEngine, type Engine } from "./engine/index.ts";
import { createBackground } from "./events/index.ts";
import { openStore } from "./open-store.ts";
import { toProvider } from "./provider-document/read.ts";
import { loadRegistry, type Registry } from "./registry.ts";
import { deleteInBatches } from "./runtime/delete-in-batches.ts";
import { createGracefulClose, waitForConnectionsToClose } from "./runtime/graceful-close.ts";
import type { Logger } from "./runtime/logger.ts";
import { createMetrics, type Metrics } from "./runtime/metrics.ts";
import type { OpenTelemetry } from "./runtime/otel/index.ts";
import { createRequestLog, type RequestLog } from "./runtime/request-log.ts";
import { collectGarbage } from "./runtime/v8.ts";
import { createSandbox, type Sandbox } from "./sandbox/index.ts";
import { prepareSandboxWorkspace, SANDBOX_SECRET, type SandboxFile } from "./sandbox-workspace.ts";
import { createOriginPolicy } from "./server/allowed-origins.ts";
import { createApp } from "./server/app.ts";
import { createRequestSpans } from "./server/request-spans.ts";

export interface Service {
  store: Store;
  coordination: Coordination;
  engine: Engine;
  requestLog: RequestLog;
  /** The emulated providers and the content of `sandbox.json`, if the sandbox is on. */
  sandbox: { host: Sandbox; file: SandboxFile } | undefined;
  /** Returns the address on which it listens. */
  listen(): Promise<string>;
  /**
   * Lets requests in progress finish, writes the pending request log, and closes everything. With `drainMs`, idle
   * connections stay open that long for one more request, so that no client loses one.
   */
  stop(options?: { drainMs?: number }): Promise<void>;
}

/** How long requests in progress may take to finish during shutdown. */
const SHUTDOWN_TIMEOUT_MS = 10_000;
const SWEEP_INTERVAL_MS = 10 * 60_000;

/** The available operations and providers, and the emulators of the providers. */
export interface Catalogue extends Registry {
  categories?: readonly Category[];
}

/** Wires everything together. The service is ready to listen. */
export async function createService(
  config: Config,
  log: Logger,
  catalogue: Partial<Catalogue> = {},
  { metrics = createMetrics(), starting }: { metrics?: Metrics; starting?: (() => boolean) | undefined } = {},
): Promise<Service> {
  // Before anything is opened: if a provider is invalid, nothing is to be served.
  const registry = await loadRegistry(config);
  const { categories, providers, emulators } = { categories: table, ...registry, ...catalogue };
  const operations = categories.flatMap(({ bound }) => bound);
  const { store, keyring } = await openStore(config, log);
  const coordination = await createCoordination({ redisUrl: config.redisUrl, store, log });
  metrics.watch({ store, coordination });
  const otel = config.telemetry && (await startOpenTelemetry(config, config.telemetry, log, metrics));
  const requestLog = createRequestLog({
    store,
    maxEntries: config.requestLogEntries,
    dropped: metrics.logEntriesDropped,
    failed: (error) => log.warn({ err: error }, "could not write the request log"),
  });
  const callbackUrl = `${config.urls.auth}/callback`;
  const engine = createEngine({
    store,
    coordination,
    providers,
    readDocument: (document) => toProvider(JSON.parse(document), "workspace"),
    accountOperation: operations.find(({ id }) => id === "identity.getMe"),
    telemetry: metrics.telemetry(log, otel?.tracing),
    upstreamTimeoutMs: config.upstreamTimeoutMs,
    upstreamRetryTimeoutMs: config.upstreamRetryTimeoutMs,
    upstreamMaxBodyBytes: config.upstreamMaxBodyMb * 1024 * 1024,
    upstreamMaxValues: config.upstreamMaxValues,
    allowPrivateUpstreams: config.allowPrivateUpstreams,
    proxy: config.proxy,
    sandboxUrl: config.sandbox ? `${config.localUrl}/sandbox` : undefined,
    publicSandboxUrl: config.sandbox ? publicSandboxUrl(config) : undefined,
    callbackUrl,
    hooksUrl: `${config.urls.auth}/hooks`,
    localHooksUrl: `${config.localUrl}/auth/hooks`,
    hookKeys: () => keyring.derive("hook"),
    signInCallbackUrl: `${config.dashboardUrl}/oidc/callback`,
    sealingKeys: () => keyring.derive("cursor"),
    oidc: config.oidc,
    peopleOnly: config.dashboardSignIn === "oidc",
    collectYoungObjects: () => collectGarbage({ type: "minor" }),
  });
  const host = config.sandbox
    ? createSandbox({
        providers,
        emulators,
        secret: SANDBOX_SECRET,
        callbackUrl,
        allowsOrigin: createOriginPolicy(config),
      })
    : undefined;
  const emulated = providers.filter(({ manifest }) => manifest.id in emulators);

  const background = createBackground({
    store,
    engine,
    operations,
    rateLimit: config.unifiedRateLimit,
    log,
    onOutcome: metrics.subscriptionRun,
    retentionDays: config.eventRetentionDays,
    attempted: metrics.webhookAttempted,
    tracing: otel?.tracing,
  });

  let stopping = false;
  let drainMs = 0;
  const gracefulClose = createGracefulClose();
  const app = await createApp({
    config,
    log,
    metrics,
    requestLog,
    spans: otel?.tracing && createRequestSpans(otel.tracing, otel.requests, operations),
    store,
    coordination,
    engine,
    categories,
    signingKeys: () => keyring.derive("connect"),
    signInKeys: () => keyring.derive("sign-in"),
    wakeSubscriptions: background.wakeSubscriptions,
    hint: background.hint,
    sandbox: host?.plugin,
    starting,
    stopping: () => stopping,
    gracefulClose,
  });
  // From here on, each response tells its client to close the connection.
  app.addHook("preClose", async () => {
    if (drainMs > 0) await waitForConnectionsToClose(app.server, drainMs);
  });
  const sweeping = new AbortController();
  const sweeper = setInterval(() => {
    Promise.all([
      store.connectFlows.sweep(),
      store.idempotentWrites.sweep(),
      store.dashboard.sweep(),
      store.mcpGrants.sweep(),
      sweepAudit(store, config.auditRetentionDays, sweeping.signal),
    ]).catch((error) => log.warn({ err: error }, "could not remove what has expired"));
  }, SWEEP_INTERVAL_MS);
  sweeper.unref();

  async function stop(options: { drainMs?: number } = {}): Promise<void> {
    stopping = true;
    drainMs = options.drainMs ?? 0;
    // Before the HTTP server: they may be reading from the emulated providers that it serves.
    await background.stopSubscriptions();
    const timer = setTimeout(() => app.server.closeAllConnections(), SHUTDOWN_TIMEOUT_MS);
    const backgroundStopped = background.stop();
    if (drainMs > 0) await gracefulClose.stopListening(app.server);
    await app.close();
    clearTimeout(timer);
    clearInterval(sweeper);
    sweeping.abort();
    await backgroundStopped;
    await requestLog.close();
    await engine.close();
    await otel?.close();
    await coordination.close();
    await store.close();
  }

  /** If startup fails, nothing stays open. */
  const stopOnFailure = <Result>(work: Promise<Result>) =>
    work.catch(async (error: unknown) => {
      await stop();
      throw error;
    });

  const file =
    host &&
    (await stopOnFailure(prepareSandboxWorkspace({ store, coordination, sandbox: host, providers: emulated, config })));
  return {
    store,
    coordination,
    engine,
    requestLog,
    sandbox: host && file && { host, file },
    async listen() {
      const url = await stopOnFailure(app.listen({ host: config.host, port: config.port }));
      background.start();
      return url;
    },
    stop,
  };
}

/** Loaded here, so that it costs nothing if it is off. */
async function startOpenTelemetry(
  { proxy }: Config,
  settings: TelemetrySettings,
  log: Logger,
  metrics: Metrics,
): Promise<OpenTelemetry> {
  const { createOpenTelemetry } = await import("./runtime/otel/index.ts");
  return createOpenTelemetry({ settings, proxy, log, metrics: metrics.reportAll, dropped: metrics.telemetryDropped });
}

const DAY_MS = 24 * 3_600_000;
/** In one transaction, which every other change in the workspace waits for. */
const MAX_SWEPT = 200;

async function sweepAudit({ audit }: Store, retentionDays: number, signal: AbortSignal): Promise<void> {
  if (retentionDays === 0) return;
  const before = new Date(Date.now() - retentionDays * DAY_MS).toISOString();
  for (const workspaceId of await audit.withOlder(before))
    await deleteInBatches((limit) => audit.sweep(workspaceId, before, limit), MAX_SWEPT, signal);
}

/** Next to the Auth API if its path ends with `/auth`, since a reverse proxy forwards both; otherwise local. */
const publicSandboxUrl = ({ urls, localUrl }: Config): string =>
  urls.auth.endsWith("/auth") ? urls.auth.replace(/auth$/, "sandbox") : `${localUrl}/sandbox`;
