import type { IncomingHttpHeaders } from "node:http";
import type { BoundOperation } from "../contracts/operation.ts";
import type { SpanEnd, TraceCarrier, Tracing } from "../contracts/tracing.ts";
import { httpMethod } from "../engine/index.ts";
import type { OpenTelemetry } from "../runtime/otel/index.ts";
import type { Trace } from "../surfaces/shared/trace.ts";

export interface TracedRequest {
  id: string;
  method: string;
  headers: IncomingHttpHeaders & TraceCarrier;
  trace: Trace;
  /** Of a request that Fastify serves. */
  routeOptions?: { url?: string | undefined };
}

/** Health checks and emulated providers are not what somebody traces. */
const NOT_TRACED = ["service", "sandbox"];
const DIRECT_ROUTES: Record<string, string> = { proxy: "/proxy/*" };

/** The spans of requests. Attributes have no query, no part of a path, no address and no name of a person. */
export function createRequestSpans(
  tracing: Tracing,
  requests: OpenTelemetry["requests"],
  operations: readonly BoundOperation[],
) {
  const routes = new Map(operations.map(({ id, route }) => [id, `/unified${route}`]));

  const routeOf = (surface: string, { trace, routeOptions }: TracedRequest): string | undefined =>
    routeOptions ? routeOptions.url : (DIRECT_ROUTES[surface] ?? routes.get(trace.operation ?? ""));

  function describe(surface: string, request: TracedRequest, status: number, errorSource: string | null): SpanEnd {
    const { id, method, trace } = request;
    const { connection } = trace;
    const route = routeOf(surface, request);
    const { name, attributes } = httpMethod(method);
    return {
      name: route ? `${name} ${route}` : name,
      isError: status >= 500,
      attributes: {
        ...attributes,
        "http.route": route,
        "url.scheme": "http",
        "url.path": route ?? `/${surface}`,
        "http.response.status_code": status,
        "error.type": status >= 500 ? String(status) : undefined,
        "plugboard.surface": surface,
        "plugboard.request_id": id,
        "plugboard.operation": trace.operation,
        "plugboard.workspace_id": trace.workspaceId,
        "plugboard.provider": connection?.provider.manifest.id,
        "plugboard.connection_id": connection?.record.id,
        "plugboard.integration_id": connection?.record.integration_id,
        "plugboard.outcome": trace.outcome,
        "plugboard.error_source": errorSource,
      },
    };
  }

  return {
    start(surface: string, request: TracedRequest): void {
      if (NOT_TRACED.includes(surface)) return;
      const span = tracing.startServer(request.headers);
      request.trace.span = span;
      if (span.isSampled) requests.set(request.id, span);
    },
    end(surface: string, request: TracedRequest, status: number, errorSource: string | null): void {
      const { span } = request.trace;
      if (!span) return;
      requests.delete(request.id);
      span.end(() => describe(surface, request, status, errorSource));
    },
  };
}

export type RequestSpans = ReturnType<typeof createRequestSpans>;
