import type { ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import type { Config } from "../config/index.ts";
import type { ErrorSource } from "../contracts/entities.ts";
import { Fault, faultSources } from "../contracts/fault.ts";
import type { Logger } from "../runtime/logger.ts";
import type { Metrics } from "../runtime/metrics.ts";
import type { RequestLog } from "../runtime/request-log.ts";
import { splitUrl } from "../surfaces/shared/split-url.ts";
import type { Trace } from "../surfaces/shared/trace.ts";
import { failureDetails } from "./failure-details.ts";
import type { RequestSpans, TracedRequest } from "./request-spans.ts";

const MAX_LOGGED_PATH_LENGTH = 500;

interface Observers {
  log: Logger;
  metrics: Pick<Metrics, "request" | "unfinishedResponse">;
  requestLog: Pick<RequestLog, "add">;
  config: Pick<Config, "failureDetails">;
  /** Undefined if traces are off. */
  spans?: RequestSpans | undefined;
  /** Whether the service is shutting down. */
  stopping?: () => boolean;
}

interface Observed extends TracedRequest {
  url: string;
}

/** The connection was closed before the whole response was sent. nginx has the same status for it. */
const CLOSED = 499;
const CLIENT_DISCONNECTED = "client_disconnected";

/** Counts and logs each request of a surface. */
export function observe(instance: FastifyInstance, surface: string, observers: Observers): void {
  instance.addHook("onRequest", (request, reply, done) => {
    observeOne(observers, surface, request, reply.raw);
    done();
  });
}

/** Counts and logs a request when its response has been sent, or its connection was closed before that. */
export function observeOne(
  observers: Observers,
  surface: string,
  request: Observed,
  raw: ServerResponse,
  afterFinish?: () => void,
): void {
  const startedAt = performance.now();
  observers.spans?.start(surface, request);
  let isRecorded = false;
  // A connection can also be closed just before all of a response counts as sent.
  const isFirst = () => {
    const was = isRecorded;
    isRecorded = true;
    return !was;
  };
  raw.on("finish", () => {
    if (isFirst()) record(observers, surface, request, raw.statusCode, performance.now() - startedAt);
    afterFinish?.();
  });
  raw.on("close", () => {
    if (isRecorded) return;
    void recordUnfinished(observers, surface, request, raw, performance.now() - startedAt, isFirst);
  });
}

/** Counts and logs a request whose response cannot be sent to its end, once nothing is done for it any more. */
async function recordUnfinished(
  observers: Observers,
  surface: string,
  request: Observed,
  { statusCode }: ServerResponse,
  milliseconds: number,
  isFirst: () => boolean,
): Promise<void> {
  const { trace } = request;
  const closed = {
    status: trace.endless ? statusCode : CLOSED,
    outcome: observers.stopping?.() ? "service_stopped" : CLIENT_DISCONNECTED,
  };
  await trace.work?.catch(() => {});
  // Calls that were canceled just now are still being noted.
  await new Promise((resolve) => setImmediate(resolve));
  if (!isFirst()) return;
  const { status, outcome } = trace.brokenOff ?? closed;
  trace.outcome = outcome;
  observers.metrics.unfinishedResponse(surface, outcome);
  record(observers, surface, request, status, milliseconds);
}

/** Whose error it is. A client that disconnects is nobody's. */
function errorSource({ outcome, errorSource: source, failure }: Trace, status: number): ErrorSource | null {
  if (outcome === CLIENT_DISCONNECTED) return null;
  if (source === "provider") return source;
  if (source === null && status < 400) return null;
  if (failure instanceof Fault) return faultSources[failure.kind];
  return status < 500 ? "application" : "plugboard";
}

/** Counts and logs a request that has ended. */
function record(
  { log, metrics, requestLog, config, spans }: Observers,
  surface: string,
  request: Observed,
  status: number,
  milliseconds: number,
): void {
  const { id, method, url, trace } = request;
  metrics.request(surface, method, status, milliseconds);
  if (trace.workspaceId !== null && trace.logged) {
    const error_source = errorSource(trace, status);
    requestLog.add({
      at: Date.now(),
      workspace_id: trace.workspaceId,
      connection_id: trace.connectionId,
      integration_id: trace.integrationId,
      request_id: id,
      surface,
      method,
      path: loggedPath(url),
      operation: trace.operation,
      mcp_client: trace.mcpUser?.client,
      person: trace.mcpUser?.person,
      status,
      outcome: trace.outcome,
      error_source,
      duration_ms: Math.round(milliseconds * 10) / 10,
      upstream_calls: trace.upstreamCalls,
      upstream: trace.upstream,
      failure: error_source !== null && config.failureDetails ? failureDetails({ url, trace }) : null,
    });
  }
  if (log.isLevelEnabled("debug"))
    log.debug(
      { request_id: id, surface, method, path: loggedPath(url), status, ms: milliseconds },
      "request completed",
    );
  // After what is logged, which belongs to the span.
  spans?.end(surface, request, status, errorSource(trace, status));
}

/** Without the query, which may contain secrets, and without what makes a hook's address impossible to guess. */
function loggedPath(url: string): string {
  const path = splitUrl(url)[0].slice(0, MAX_LOGGED_PATH_LENGTH);
  return path.startsWith("/auth/hooks/") ? path.replace(/^(\/auth\/hooks\/[^./]*)\..*/, "$1") : path;
}
