import { Fault, type ProviderFailure } from "../../contracts/fault.ts";
import type { CallTrace } from "../../contracts/telemetry.ts";
import type { Span, TraceCarrier } from "../../contracts/tracing.ts";
import type { ConnectionContext } from "../../engine/index.ts";

/** What a surface records about a request for the request log. */
export interface Trace extends CallTrace {
  /** Undefined if requests are not traced. */
  span?: Span;
  workspaceId: string | null;
  /** False if the request is left out of the request log. */
  logged: boolean;
  /** As the client sent it: it need not exist. */
  connectionId: string | null;
  integrationId: string | null;
  /** Set once it is known that the request may use it. */
  connection?: ConnectionContext;
  /** The operation of the table, or what an MCP client asked for. */
  operation: string | null;
  /** The MCP client and the person that it calls for. */
  mcpUser?: { client: string | null; person: string | null };
  /** Error code, or the result of the token revocation. */
  outcome: string | null;
  /** Set if the response is the provider's own error, or if it is about an error although its status is not. */
  errorSource: "plugboard" | "provider" | null;
  /** What the request failed with. */
  failure?: Fault | ProviderFailure;
  /** Set if we break the response off ourselves: what to record instead of the client's disconnecting. */
  brokenOff?: { status: number; outcome: string };
  /** Whether the client ends the response by disconnecting, so that it keeps its status. */
  endless?: boolean;
  /** What goes on if the client disconnects. The request is recorded after it. */
  work?: Promise<unknown>;
}

export const newTrace = (): Trace => ({
  workspaceId: null,
  logged: true,
  connectionId: null,
  integrationId: null,
  operation: null,
  outcome: null,
  errorSource: null,
  upstreamCalls: 0,
  upstream: [],
});

/** Where an MCP message says which trace it belongs to: `_meta` of its parameters. */
export function messageCarrier(message: unknown): TraceCarrier {
  const { params } = (message ?? {}) as { params?: { _meta?: unknown } };
  const meta = params?._meta;
  return typeof meta === "object" && meta !== null ? meta : {};
}

/** Records which connection a request uses, once it is known that it may. */
export function traceConnection(trace: Trace, connection: ConnectionContext): void {
  trace.integrationId = connection.record.integration_id;
  trace.connection = connection;
}

/** Records what a request failed with. */
export function traceFailure(trace: Trace, failure: Fault | ProviderFailure): void {
  trace.failure = failure;
  if (failure instanceof Fault) trace.outcome = failure.kind;
  else {
    trace.outcome = `provider_${failure.status}`;
    trace.errorSource = "provider";
  }
}

declare module "fastify" {
  interface FastifyRequest {
    trace: Trace;
  }
}
