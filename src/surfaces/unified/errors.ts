import Type from "typebox";
import { Fault, type FaultKind, ProviderFailure } from "../../contracts/fault.ts";
import { CancelledError } from "../../engine/index.ts";
import { setChallenge } from "../shared/challenge.ts";
import { toFault } from "../shared/framework-errors.ts";
import type { SurfaceReply, SurfaceRequest } from "../shared/surface-types.ts";
import { traceFailure } from "../shared/trace.ts";

/** Why a call is a 404, for programs. */
const reasons = [
  "connection_not_found",
  "connection_invalid",
  "connection_unavailable",
  "integration_deleted",
  "operation_not_supported",
  "record_not_found",
  "endpoint_not_found",
] as const;

interface UnifiedRendering {
  status: number;
  code: number;
  message: string;
  reason?: (typeof reasons)[number];
}

const notFound = (reason: (typeof reasons)[number]): UnifiedRendering => ({
  status: 404,
  code: 7002,
  message: "Not Found",
  reason,
});
const invalid: UnifiedRendering = { status: 400, code: 7001, message: "Input Validation Error" };
const badGateway: UnifiedRendering = { status: 502, code: 7004, message: "Provider Unreachable" };
const unavailable: UnifiedRendering = { status: 503, code: 7005, message: "Service Unavailable" };

/** How the Unified API reports each fault. The specification gives the statuses and messages of most. */
export const renderings: Record<FaultKind, UnifiedRendering> = {
  unauthorized: { status: 401, code: 1000, message: "Not Authorized" },
  insufficient_scope: { status: 403, code: 1003, message: "Insufficient Scope" },
  origin_refused: { status: 403, code: 1002, message: "Origin Not Allowed" },
  invalid_input: invalid,
  too_large: invalid,
  conflict: invalid,
  not_found: notFound("endpoint_not_found"),
  record_missing: notFound("record_not_found"),
  connection_missing: notFound("connection_not_found"),
  refresh_failed: notFound("connection_invalid"),
  refresh_unavailable: notFound("connection_unavailable"),
  credentials_unreadable: notFound("connection_invalid"),
  integration_missing: notFound("integration_deleted"),
  operation_unsupported: notFound("operation_not_supported"),
  mcp_unsupported: notFound("operation_not_supported"),
  rate_limited: { status: 429, code: 1001, message: "Too Many Requests" },
  upstream_timeout: { status: 408, code: 7003, message: "Request Timed Out" },
  upstream_unreachable: badGateway,
  upstream_forbidden: badGateway,
  upstream_malformed: badGateway,
  idempotency_key_reused: { status: 422, code: 7010, message: "Idempotency Key Reused" },
  request_in_progress: { status: 409, code: 7011, message: "Request In Progress" },
  outcome_unknown: { status: 409, code: 7012, message: "Outcome Unknown" },
  overloaded: unavailable,
  store_unavailable: unavailable,
  internal: { status: 500, code: 7000, message: "Internal Error" },
};

export const ErrorBody = Type.Object(
  {
    success: Type.Literal(false),
    errors: Type.Array(
      Type.Object(
        {
          code: Type.Number(),
          message: Type.String(),
          path: Type.Optional(Type.Array(Type.String(), { description: "Where the problem is" })),
          detail: Type.Optional(Type.String({ description: "What is wrong and how to fix it" })),
          reason: Type.Optional(Type.String({ enum: [...reasons], description: "Of a 404: what was not found" })),
        },
        { title: "UnifiedProblem" },
      ),
    ),
  },
  { title: "UnifiedError" },
);

const errorBody = (fault: Fault) => {
  const { code, message, reason } = renderings[fault.kind];
  const errors =
    fault.kind === "invalid_input"
      ? fault.problems.map((problem) => ({ code, message, path: problem.path, detail: problem.message }))
      : [{ code, message, ...(fault.message ? { detail: fault.message } : {}), ...(reason ? { reason } : {}) }];
  return { success: false, errors };
};

const unserializable = (cause: unknown) =>
  new Fault("upstream_malformed", "the provider's response does not have the documented format", { cause });

/** Serializes what came from the provider. If that fails, it does not have the documented format, or is nested deeply. */
export function serializeSafely(serialize: () => string): string {
  try {
    return serialize();
  } catch (error) {
    throw unserializable(error);
  }
}

function readFault(error: unknown, request: SurfaceRequest): Fault {
  // Fastify marks the errors of its serializer with this property.
  const fault = "serialization" in (error as object) ? unserializable(error) : toFault(error);
  traceFailure(request.trace, fault);
  const details = { err: fault.cause ?? fault, request_id: request.id };
  if (fault.kind === "internal") request.log.error(details, "unified call failed");
  else if (fault.kind === "upstream_malformed" && fault.cause) request.log.warn(details, fault.message);
  return fault;
}

/** The last line of a stream that ends with an error. */
export function errorLine(error: unknown, request: SurfaceRequest): string {
  if (error instanceof ProviderFailure) {
    traceFailure(request.trace, error);
    const detail = `the provider responded with ${error.status}`;
    const { code, message } = { code: 7006, message: "Provider Error" };
    const provider = { status: error.status, body: error.body.toString() };
    return `${JSON.stringify({ success: false, errors: [{ code, message, detail, provider }] })}\n`;
  }
  request.trace.errorSource = "plugboard";
  return `${JSON.stringify(errorBody(readFault(error, request)))}\n`;
}

/** Type and subtype are tokens: https://www.rfc-editor.org/rfc/rfc9110#name-media-type */
export const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/** What a provider that is over its limit says in headers of its own, as `Retry-After` has it. */
const waitOf = ({ status, waitSeconds }: ProviderFailure) =>
  status === 429 && waitSeconds !== undefined ? String(Math.ceil(waitSeconds)) : undefined;

export function sendError(error: unknown, request: SurfaceRequest, reply: SurfaceReply) {
  if (error instanceof ProviderFailure) {
    traceFailure(request.trace, error);
    // A provider may send a header twice.
    const [type] = [error.headers["content-type"]].flat();
    const [retryAfter = waitOf(error)] = [error.headers["retry-after"]].flat();
    if (retryAfter) reply.header("retry-after", retryAfter);
    if (type && MEDIA_TYPE.test(type)) reply.type(type);
    reply.code(error.status);
    return reply.send(error.body);
  }
  // The client disconnected: there is nobody to respond to.
  if (error instanceof CancelledError) return reply.hijack();
  const fault = readFault(error, request);
  const { status } = renderings[fault.kind];
  setChallenge(reply, status, fault);
  if (fault.retryAfter !== undefined) reply.header("retry-after", String(fault.retryAfter));
  reply.code(status);
  return reply.send(errorBody(fault));
}
