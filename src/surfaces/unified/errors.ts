import type { FastifyReply, FastifyRequest } from "fastify";
import Type from "typebox";
import { type Fault, type FaultKind, ProviderFailure } from "../../contracts/fault.ts";
import { CancelledError } from "../../engine/index.ts";
import { toFault } from "../shared/framework-errors.ts";

interface Rendering {
  status: number;
  code: number;
  message: string;
}

const notFound: Rendering = { status: 404, code: 7002, message: "Not Found" };
const badGateway: Rendering = { status: 502, code: 7004, message: "Provider Unreachable" };
const unavailable: Rendering = { status: 503, code: 7005, message: "Service Unavailable" };

/** How the Unified API reports each fault. The specification gives the statuses and messages of the first nine. */
export const renderings: Record<FaultKind, Rendering> = {
  unauthorized: { status: 401, code: 1000, message: "Not Authorized" },
  invalid_input: { status: 400, code: 7001, message: "Input Validation Error" },
  not_found: notFound,
  connection_missing: notFound,
  refresh_failed: notFound,
  refresh_unavailable: notFound,
  credentials_unreadable: notFound,
  integration_missing: notFound,
  operation_unsupported: notFound,
  mcp_unsupported: notFound,
  rate_limited: { status: 429, code: 1001, message: "Too Many Requests" },
  upstream_timeout: { status: 408, code: 7003, message: "Request Timed Out" },
  upstream_unreachable: badGateway,
  upstream_forbidden: badGateway,
  upstream_malformed: badGateway,
  overloaded: unavailable,
  store_unavailable: unavailable,
  internal: { status: 500, code: 7000, message: "Internal Error" },
};

export const ErrorBody = Type.Object(
  {
    success: Type.Literal(false),
    errors: Type.Array(
      Type.Object({
        code: Type.Number(),
        message: Type.String(),
        path: Type.Optional(Type.Array(Type.String(), { description: "Where the problem is" })),
        detail: Type.Optional(Type.String({ description: "What is wrong and how to fix it" })),
      }),
    ),
  },
  { title: "UnifiedError" },
);

const errorBody = (fault: Fault) => {
  const { code, message } = renderings[fault.kind];
  const errors =
    fault.kind === "invalid_input"
      ? fault.problems.map((problem) => ({ code, message, path: problem.path, detail: problem.message }))
      : [{ code, message, ...(fault.message ? { detail: fault.message } : {}) }];
  return { success: false, errors };
};

/** The last line of a stream that ends with an error. */
export function errorLine(error: unknown, request: FastifyRequest): string {
  if (error instanceof ProviderFailure) {
    request.trace.outcome = `provider_${error.status}`;
    const detail = `the provider responded with ${error.status}`;
    const { code, message } = { code: 7006, message: "Provider Error" };
    const provider = { status: error.status, body: error.body.toString() };
    return `${JSON.stringify({ success: false, errors: [{ code, message, detail, provider }] })}\n`;
  }
  const fault = toFault(error);
  request.trace.outcome = fault.kind;
  if (fault.kind === "internal")
    request.log.error({ err: fault.cause ?? fault, request_id: request.id }, "unified stream failed");
  return `${JSON.stringify(errorBody(fault))}\n`;
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof ProviderFailure) {
    request.trace.outcome = `provider_${error.status}`;
    const type = error.headers["content-type"];
    const retryAfter = error.headers["retry-after"];
    if (retryAfter) reply.header("retry-after", retryAfter);
    if (type) reply.header("content-type", type);
    // No serialization: the provider's body is passed through unchanged.
    return reply.code(error.status).serializer(passThrough).send(error.body);
  }
  if (error instanceof CancelledError) {
    // The client disconnected: there is nobody to respond to.
    request.trace.outcome = "client_disconnected";
    return reply.hijack();
  }
  const fault = toFault(error);
  request.trace.outcome = fault.kind;
  if (fault.kind === "internal")
    request.log.error({ err: fault.cause ?? fault, request_id: request.id }, "unified call failed");
  const { status } = renderings[fault.kind];
  if (fault.retryAfter !== undefined) reply.header("retry-after", String(fault.retryAfter));
  return reply.code(status).send(errorBody(fault));
}

const passThrough = (body: unknown) => body as string;
