import { type Fault, type FaultKind, invalidInput } from "../../contracts/fault.ts";
import { setChallenge, withScope } from "./challenge.ts";
import { isMalformedPath, toFault } from "./framework-errors.ts";
import type { SurfaceReply, SurfaceRequest } from "./surface-types.ts";
import { traceFailure } from "./trace.ts";

/** The body is JSON with a code, plain text, or empty: see "Proxy and MCP" in the specification. */
type ForwardingRendering = { status: number } & (
  | { code?: string; message: string }
  | { text: string }
  | { empty: true }
);

const notFound: ForwardingRendering = { status: 404, code: "not_found", message: "Not found" };
const badGateway: ForwardingRendering = { status: 502, text: "Error fetching proxied request" };
const unavailable: ForwardingRendering = { status: 503, empty: true };

const renderings: Record<FaultKind, ForwardingRendering> = {
  unauthorized: { status: 401, message: "Not authorized" },
  insufficient_scope: { status: 403, code: "insufficient_scope", message: "Insufficient scope" },
  origin_refused: { status: 403, code: "origin_not_allowed", message: "Origin not allowed" },
  invalid_input: { status: 400, code: "request_invalid", message: "Invalid request" },
  too_large: { status: 413, code: "body_too_large", message: "Body too large" },
  conflict: { status: 409, code: "conflict", message: "Conflict" },
  not_found: notFound,
  record_missing: notFound,
  connection_missing: { status: 400, code: "connection_invalid", message: "Missing or invalid connection ID" },
  refresh_failed: { status: 400, code: "connection_refresh_failed", message: "Failed to refresh connection" },
  refresh_unavailable: unavailable,
  credentials_unreadable: {
    status: 400,
    code: "connection_unreadable",
    message: "The connection's stored credentials cannot be decrypted",
  },
  integration_missing: { status: 400, code: "integration_not_found", message: "Integration not found for connection" },
  operation_unsupported: notFound,
  mcp_unsupported: { status: 400, code: "mcp_not_supported", message: "MCP is not supported for this integration" },
  rate_limited: { status: 429, code: "rate_limit", message: "Too many requests" },
  upstream_timeout: { status: 408, text: "Request timed out" },
  upstream_unreachable: badGateway,
  upstream_forbidden: badGateway,
  upstream_malformed: badGateway,
  idempotency_key_reused: { status: 422, code: "idempotency_key_reused", message: "Idempotency key reused" },
  request_in_progress: { status: 409, code: "request_in_progress", message: "Request in progress" },
  outcome_unknown: { status: 409, code: "outcome_unknown", message: "Outcome unknown" },
  overloaded: { status: 503, code: "overloaded", message: "Too many calls to this provider are waiting" },
  store_unavailable: unavailable,
  internal: { status: 500, empty: true },
};

/** For invalid input, the code names the part of the request: `path_invalid`, `header_invalid`, `method_invalid`. */
function render({ kind, problems: [problem] }: Fault): ForwardingRendering {
  if (kind !== "invalid_input" || !problem) return renderings[kind];
  const [part = "request", name] = problem.path;
  return { status: 400, code: `${part}_invalid`, message: `${name ?? `The ${part}`} ${problem.message}` };
}

/** Any path may exist at the provider, so a malformed one is invalid input and not a missing route. */
const toForwardingFault = (error: unknown): Fault =>
  isMalformedPath(error)
    ? invalidInput({ path: ["path"], message: "contains invalid percent-encoding" })
    : toFault(error);

export function sendForwardingError(error: unknown, request: SurfaceRequest, reply: SurfaceReply) {
  const fault = toForwardingFault(error);
  traceFailure(request.trace, fault);
  if (fault.kind === "internal")
    request.log.error({ err: fault.cause ?? fault, request_id: request.id }, "forwarded request failed");
  const rendering = render(fault);
  const { status } = rendering;
  setChallenge(reply, status, fault);
  if (fault.retryAfter !== undefined) reply.header("retry-after", String(fault.retryAfter));
  reply.code(status);
  if ("empty" in rendering) return reply.send();
  if ("text" in rendering) {
    reply.type("text/plain; charset=utf-8");
    return reply.send(rendering.text);
  }
  const { code, message } = rendering;
  return reply.send({ status, ...(code ? { code } : {}), message: withScope(message, fault) });
}
