import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Fault, type FaultKind, invalidInput } from "../../contracts/fault.ts";
import { setChallenge, withScope } from "../shared/challenge.ts";
import { fieldErrors } from "../shared/field-errors.ts";
import { toFault } from "../shared/framework-errors.ts";
import { traceFailure } from "../shared/trace.ts";
import { notFound } from "./route.ts";
import { schemaProblems } from "./validation.ts";

interface PlatformRendering {
  status: number;
  message: string;
}

const invalid = { status: 400, message: "Invalid request" };
const missing = { status: 404, message: "Not found" };
const unavailable = { status: 503, message: "Service unavailable" };
const badGateway = { status: 502, message: "The provider did not return a valid response" };

const renderings: Record<FaultKind, PlatformRendering> = {
  unauthorized: { status: 401, message: "Not authorized" },
  insufficient_scope: { status: 403, message: "Insufficient scope" },
  origin_refused: { status: 403, message: "Origin not allowed" },
  invalid_input: invalid,
  too_large: { status: 413, message: "Body too large" },
  conflict: { status: 409, message: "Conflict" },
  not_found: missing,
  record_missing: missing,
  connection_missing: missing,
  integration_missing: missing,
  operation_unsupported: missing,
  mcp_unsupported: missing,
  credentials_unreadable: missing,
  refresh_failed: badGateway,
  refresh_unavailable: unavailable,
  rate_limited: { status: 429, message: "Too many requests" },
  upstream_timeout: badGateway,
  upstream_unreachable: badGateway,
  upstream_forbidden: badGateway,
  upstream_malformed: badGateway,
  idempotency_key_reused: { status: 422, message: "Idempotency key reused" },
  request_in_progress: { status: 409, message: "Request in progress" },
  outcome_unknown: { status: 409, message: "Outcome unknown" },
  overloaded: unavailable,
  store_unavailable: unavailable,
  internal: { status: 500, message: "Internal error" },
};

const RETRY_AFTER_SECONDS = 5;

function toPlatformFault(error: unknown): Fault {
  const problems = schemaProblems(error);
  return problems.length > 0 ? invalidInput(...problems) : toFault(error);
}

export function sendPlatformError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const fault = toPlatformFault(error);
  traceFailure(request.trace, fault);
  if (fault.kind === "internal") request.log.error({ err: error, request_id: request.id }, "request failed");
  const { status, message } = renderings[fault.kind];
  setChallenge(reply, status, fault);
  if (status === 429 || status === 503) reply.header("retry-after", fault.retryAfter ?? RETRY_AFTER_SECONDS);
  const detail = ["conflict", "too_large"].includes(fault.kind) ? `: ${fault.message}` : "";
  const errors = fault.kind === "invalid_input" ? { errors: fieldErrors(fault.problems) } : {};
  return reply.code(status).send({ success: false, message: withScope(message, fault) + detail, ...errors });
}

export function registerErrorHandlers(app: FastifyInstance): void {
  app.setErrorHandler(sendPlatformError);
  app.setNotFoundHandler(() => {
    throw notFound();
  });
}
