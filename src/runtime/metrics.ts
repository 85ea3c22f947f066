import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { Coordination } from "../contracts/coordination.ts";
import type { Store } from "../contracts/store.ts";
import type { Telemetry } from "../contracts/telemetry.ts";
import { createDurations, createTally } from "./fast-metrics.ts";
import type { Logger } from "./logger.ts";
import { answers } from "./ping-with-timeout.ts";

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40];

export interface Metrics {
  request(surface: string, method: string, status: number, milliseconds: number): void;
  logEntriesDropped(count: number): void;
  telemetry(log: Logger): Telemetry;
  /** Tells of what the service leans on, as it is at each look. */
  watch(parts: { store: Pick<Store, "ping">; coordination: Pick<Coordination, "sharing"> }): void;
  /** In the text format of Prometheus. */
  render(): Promise<{ type: string; body: string }>;
}

/** A registry of its own for each service, so that two in one process do not count together. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const countRequest = createTally(
    { name: "plugboard_requests_total", help: "Requests answered, by surface, method and status", registry },
    ["surface", "method", "status"],
  );
  const timeRequest = createDurations(
    {
      name: "plugboard_request_duration_seconds",
      help: "Time from a request to the end of its answer, by surface",
      registry,
    },
    "surface",
    SECONDS,
  );
  const countUpstream = createTally(
    {
      name: "plugboard_upstream_calls_total",
      help: "Calls to providers, by provider and status (or: timeout, unreachable, overloaded)",
      registry,
    },
    ["provider", "status"],
  );
  const timeUpstream = createDurations(
    {
      name: "plugboard_upstream_call_duration_seconds",
      help: "Time from a call to a provider to its answer, by provider",
      registry,
    },
    "provider",
    SECONDS,
  );
  const refreshes = new Counter({
    name: "plugboard_token_refreshes_total",
    help: "Token refreshes, by provider and outcome",
    labelNames: ["provider", "outcome"],
    registers,
  });
  const dropped = new Counter({
    name: "plugboard_request_log_dropped_total",
    help: "Request log entries that were not written: the queue was full or the store did not take them",
    registers,
  });

  return {
    request(surface, method, status, milliseconds) {
      countRequest(surface, method, status);
      timeRequest(surface, milliseconds / 1000);
    },
    logEntriesDropped: (count) => dropped.inc(count),
    telemetry: (log) => ({
      upstream(provider, status, milliseconds) {
        countUpstream(provider, status);
        timeUpstream(provider, milliseconds / 1000);
      },
      refresh({ provider, outcome }) {
        refreshes.inc({ provider, outcome });
        if (outcome !== "renewed") log.warn({ provider, outcome }, "a token was not renewed");
      },
      warn: (message, details) => log.warn(details ?? {}, message),
    }),
    watch({ store, coordination: { sharing } }) {
      new Gauge({
        name: "plugboard_store_up",
        help: "1: the database answers; 0: calls go on from memory for a while, and nothing can be changed",
        registers,
        async collect() {
          this.set(Number(await answers(store)));
        },
      });
      if (!sharing) return;
      new Gauge({
        name: "plugboard_redis_up",
        help: "1: rate limits and changes are shared over Redis; 0: this process goes on by itself",
        registers,
        collect() {
          this.set(Number(sharing.works));
        },
      });
      new Counter({
        name: "plugboard_redis_outages_total",
        help: "How often Redis ceased to answer this process",
        registers,
        collect() {
          this.reset();
          this.inc(sharing.outages);
        },
      });
    },
    render: async () => ({ type: registry.contentType, body: await registry.metrics() }),
  };
}
