import type { FastifyInstance } from "fastify";
import type { Logger } from "./runtime/logger.ts";
import type { Metrics } from "./runtime/metrics.ts";
import type { RequestLog } from "./runtime/request-log.ts";
import { splitUrl } from "./surfaces/shared/split-url.ts";
import type { Trace } from "./surfaces/shared/trace.ts";

const MAX_LOGGED_PATH_LENGTH = 500;

interface Observers {
  log: Logger;
  metrics: Pick<Metrics, "request">;
  requestLog: Pick<RequestLog, "add">;
}

/** What is known of a request when its response has been sent. */
interface Completed {
  id: string;
  method: string;
  url: string;
  trace: Trace;
}

/** Counts and logs each response of a surface. */
export function observe(instance: FastifyInstance, surface: string, observers: Observers): void {
  instance.addHook("onResponse", (request, reply, done) => {
    record(observers, surface, request, reply.statusCode, reply.elapsedTime);
    done();
  });
}

/** Counts and logs a request whose response has been sent. */
export function record(
  { log, metrics, requestLog }: Observers,
  surface: string,
  { id, method, url, trace }: Completed,
  status: number,
  milliseconds: number,
): void {
  metrics.request(surface, method, status, milliseconds);
  if (trace.workspaceId !== null && trace.logged)
    requestLog.add({
      at: Date.now(),
      workspace_id: trace.workspaceId,
      connection_id: trace.connectionId,
      integration_id: trace.integrationId,
      request_id: id,
      surface,
      method,
      path: loggedPath(url),
      status,
      outcome: trace.outcome,
      error_source: trace.errorSource ?? (status >= 400 ? "plugboard" : null),
      duration_ms: Math.round(milliseconds * 10) / 10,
      upstream_calls: trace.upstreamCalls,
      upstream: trace.upstream,
    });
  if (log.isLevelEnabled("debug"))
    log.debug(
      { request_id: id, surface, method, path: loggedPath(url), status, ms: milliseconds },
      "request completed",
    );
}

/** Without the query, which may contain secrets. */
const loggedPath = (url: string): string => splitUrl(url)[0].slice(0, MAX_LOGGED_PATH_LENGTH);
