import { Counter, Gauge, Registry } from "prom-client";
import type { Coordination } from "../contracts/coordination.ts";
import type { Store } from "../contracts/store.ts";
import { subscriptionStatuses } from "../contracts/subscriptions.ts";
import type { Telemetry } from "../contracts/telemetry.ts";
import type { Tracing } from "../contracts/tracing.ts";
import { createFastCounter, createFastHistogram } from "./fast-metrics.ts";
import type { Logger } from "./logger.ts";
import { respondsToPing } from "./ping-with-timeout.ts";
import { collectProcessMetrics, createWorkerCounters, type MetricsReport } from "./process-metrics.ts";
import { VERSION } from "./version.ts";

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40];

export interface Metrics {
  request(surface: string, method: string, status: number, milliseconds: number): void;
  /** A response was not sent to its end. Its request is counted by `request` as well. */
  unfinishedResponse(surface: string, outcome: string): void;
  logEntriesDropped(count: number): void;
  webhookAttempted(outcome: string): void;
  /** A run of a subscription ended. */
  subscriptionRun(outcome: string): void;
  /** What could not be sent to OpenTelemetry. */
  telemetryDropped(signal: string, count: number): void;
  telemetry(log: Logger, tracing?: Tracing): Telemetry;
  /** Adds metrics for the service's dependencies, whose state is read with each scrape. */
  watch(dependencies: {
    store: Pick<Store, "ping" | "events" | "jobs" | "subscriptions" | "webhooks">;
    coordination: Pick<Coordination, "sharing">;
  }): void;
  /** The metrics of this process, to be added to those of other workers. */
  report(): Promise<MetricsReport>;
  /** These, and what the database contains. */
  reportAll(): Promise<MetricsReport>;
  /** In Prometheus' text format. */
  render(): Promise<{ type: string; body: string }>;
}

interface MetricsOptions {
  /** In a worker: the reports of all workers added up, in Prometheus' text format. */
  sumOverWorkers?: (() => Promise<string>) | undefined;
}

/** Each service has its own registries, so that two services in one process are counted separately. */
export function createMetrics({ sumOverWorkers }: MetricsOptions = {}): Metrics {
  const registry = new Registry();
  const registers = [registry];
  /** What the database contains, which is the same for all processes: read by one of them, and not added up. */
  const sharedRegistry = new Registry();
  collectProcessMetrics(registry);
  createWorkerCounters(registry);
  new Gauge({
    name: "plugboard_build_info",
    help: "The version of Plugboard, as a label",
    labelNames: ["version"],
    aggregator: "max",
    registers,
  }).set({ version: VERSION }, 1);
  new Gauge({ name: "plugboard_workers", help: "Processes that serve requests", registers }).set(1);

  const countRequest = createFastCounter(
    {
      name: "plugboard_requests_total",
      help: "Requests, by surface, method and status (499: the connection was closed before the whole response was sent)",
      registry,
    },
    ["surface", "method", "status"],
  );
  const timeRequest = createFastHistogram(
    {
      name: "plugboard_request_duration_seconds",
      help: "Time from a request to the end of its response, by surface",
      registry,
    },
    "surface",
    BUCKETS_SECONDS,
  );
  const unfinished = new Counter({
    name: "plugboard_unfinished_responses_total",
    help: "Responses that were not sent to their end, by surface and outcome (client_disconnected, provider_broke_off, service_stopped or request_timeout)",
    labelNames: ["surface", "outcome"],
    registers,
  });
  for (const surface of ["unified", "proxy", "mcp"])
    for (const outcome of ["client_disconnected", "provider_broke_off"]) unfinished.inc({ surface, outcome }, 0);
  const countUpstream = createFastCounter(
    {
      name: "plugboard_upstream_calls_total",
      help: "Calls to providers, by provider and status (HTTP status, timeout, unreachable, overloaded or malformed). A response whose format turns out to be wrong is counted by its status, and as malformed",
      registry,
    },
    ["provider", "status"],
  );
  const timeUpstream = createFastHistogram(
    {
      name: "plugboard_upstream_call_duration_seconds",
      help: "Time from a call to a provider to its response, by provider",
      registry,
    },
    "provider",
    BUCKETS_SECONDS,
  );
  const refreshes = new Counter({
    name: "plugboard_token_refreshes_total",
    help: "Token refreshes, by provider and outcome",
    labelNames: ["provider", "outcome"],
    registers,
  });
  const skippedItems = new Counter({
    name: "plugboard_skipped_items_total",
    help: "Items of providers' lists that could not be read and were left out, by provider and operation",
    labelNames: ["provider", "operation"],
    registers,
  });
  const webhookAttempts = new Counter({
    name: "plugboard_webhook_attempts_total",
    help: "Attempts to deliver an event, by outcome (delivered, rejected, timeout, unreachable or forbidden)",
    labelNames: ["outcome"],
    registers,
  });
  for (const outcome of ["delivered", "rejected", "timeout", "unreachable", "forbidden"])
    webhookAttempts.inc({ outcome }, 0);
  const dropped = new Counter({
    name: "plugboard_request_log_dropped_total",
    help: "Request log entries dropped because the queue was full or the database did not accept them",
    registers,
  });
  const telemetryDropped = new Counter({
    name: "plugboard_telemetry_dropped_total",
    help: "Spans, metrics and log records that were not sent to OpenTelemetry: the queue was full, or they were not accepted",
    labelNames: ["signal"],
    registers,
  });
  const subscriptionRuns = new Counter({
    name: "plugboard_subscription_runs_total",
    help: "Runs of subscriptions, by outcome: finished; continues (a long walk let others run); waiting (for a rate limit); failed; sleeping (the connection is invalid)",
    labelNames: ["outcome"],
    registers,
  });

  return {
    request(surface, method, status, milliseconds) {
      countRequest(surface, method, status);
      timeRequest(surface, milliseconds / 1000);
    },
    unfinishedResponse: (surface, outcome) => unfinished.inc({ surface, outcome }),
    logEntriesDropped: (count) => dropped.inc(count),
    webhookAttempted: (outcome) => webhookAttempts.inc({ outcome }),
    telemetryDropped: (signal, count) => telemetryDropped.inc({ signal }, count),
    subscriptionRun: (outcome) => subscriptionRuns.inc({ outcome }),
    telemetry: (log, tracing) => ({
      tracing,
      upstream(provider, status, milliseconds) {
        countUpstream(provider, status);
        timeUpstream(provider, milliseconds / 1000);
      },
      malformed(details) {
        countUpstream(details.provider, "malformed");
        log.warn(details, "a provider's response does not have the documented format");
      },
      skipped(items) {
        const { provider, operation, count } = items;
        skippedItems.inc({ provider, operation }, count);
        log.warn(items, "items of a provider's list could not be read and were left out");
      },
      refresh(refresh) {
        const { provider, outcome } = refresh;
        refreshes.inc({ provider, outcome });
        if (outcome !== "renewed") log.warn(refresh, "token refresh failed");
      },
      warn: (message, details) => log.warn(details ?? {}, message),
    }),
    watch({ store, coordination: { sharing } }) {
      const shared = [sharedRegistry];
      new Gauge({
        name: "plugboard_store_up",
        help: "1: the database can be read and written to; 0: calls are served from memory for a while, and nothing can be changed",
        aggregator: "min",
        registers,
        async collect() {
          this.set(Number(await respondsToPing(store)));
        },
      });
      /** Left out of a scrape while the database is unavailable. */
      const whenAvailable = (read: () => Promise<void>) => read().catch(() => {});
      new Gauge({
        name: "plugboard_subscriptions",
        help: "Subscriptions, by status",
        labelNames: ["status"],
        registers: shared,
        collect() {
          return whenAvailable(async () => {
            const counts = await store.subscriptions.statuses();
            for (const status of subscriptionStatuses) this.set({ status }, counts[status] ?? 0);
          });
        },
      });
      new Gauge({
        name: "plugboard_subscriptions_due",
        help: "Subscriptions that are due and that no process has begun to run",
        registers: shared,
        collect() {
          return whenAvailable(async () => this.set((await store.jobs.backlog("subscription")).due));
        },
      });
      new Gauge({
        name: "plugboard_subscriptions_lag_seconds",
        help: "For how long the first of them has been due",
        registers: shared,
        collect() {
          return whenAvailable(async () => this.set((await store.jobs.backlog("subscription")).oldestMs / 1000));
        },
      });
      const eventGauges: [name: string, help: string, read: () => Promise<number>][] = [
        [
          "plugboard_event_publish_lag_seconds",
          "For how long the oldest event has waited for its place in the log",
          async () => (await store.events.publishLagMs()) / 1000,
        ],
        [
          "plugboard_webhooks_due",
          "Webhooks that have something to deliver and that no process has begun to serve",
          async () => (await store.jobs.backlog("webhook")).due,
        ],
        [
          "plugboard_webhooks_lag_seconds",
          "For how long the first of them has been due",
          async () => (await store.jobs.backlog("webhook")).oldestMs / 1000,
        ],
        [
          "plugboard_webhooks_disabled",
          "Webhooks that were turned off because their endpoints kept failing",
          () => store.webhooks.countDisabled(),
        ],
      ];
      for (const [name, help, read] of eventGauges)
        new Gauge({
          name,
          help,
          registers: shared,
          collect() {
            return whenAvailable(async () => this.set(await read()));
          },
        });
      if (!sharing) return;
      new Gauge({
        name: "plugboard_redis_up",
        help: "1: rate limits and changes are shared over Redis; 0: a process works on its own",
        aggregator: "min",
        registers,
        collect() {
          this.set(Number(sharing.works));
        },
      });
      new Counter({
        name: "plugboard_redis_outages_total",
        help: "How often Redis became unavailable to a process",
        registers,
        collect() {
          this.reset();
          this.inc(sharing.outages);
        },
      });
    },
    report: () => registry.getMetricsAsJSON(),
    reportAll: async () => (await Promise.all([registry.getMetricsAsJSON(), sharedRegistry.getMetricsAsJSON()])).flat(),
    async render() {
      const parts = [sumOverWorkers ? sumOverWorkers() : registry.metrics(), sharedRegistry.metrics()];
      return { type: registry.contentType, body: (await Promise.all(parts)).join("\n") };
    },
  };
}
