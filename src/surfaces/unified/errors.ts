import type { FastifyReply, FastifyRequest } from "fastify";
import Type from "typebox";
import { Fault, type FaultKind, ProviderFailure } from "../../contracts/fault.ts";

interface Rendering {
  status: number;
  code: number;
  message: string;
}

const notFound: Rendering = { status: 404, code: 7002, message: "Not Found" };
const badGateway: Rendering = { status: 502, code: 7004, message: "Provider Unreachable" };
const unavailable: Rendering = { status: 503, code: 7005, message: "Service Unavailable" };

/** The Unified API's words for every fault. Statuses and messages of the first nine are the specification's. */
export const renderings: Record<FaultKind, Rendering> = {
  unauthorized: { status: 401, code: 1000, message: "Not Authorized" },
  invalid_input: { status: 400, code: 7001, message: "Input Validation Error" },
  not_found: notFound,
  connection_missing: notFound,
  refresh_failed: notFound,
  refresh_unavailable: notFound,
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
        path: Type.Optional(Type.Array(Type.String(), { description: "Where the mistake is" })),
        detail: Type.Optional(Type.String({ description: "What is wrong and what to do about it" })),
      }),
    ),
  },
  { title: "UnifiedError" },
);

/** What went wrong outside of our own code: a body that is not JSON, one that is too large. */
function asFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  const { statusCode, code, message } = error as { statusCode?: number; code?: string; message?: string };
  if (code === "FST_ERR_BAD_URL") return new Fault("not_found", "the path is not well formed");
  if (statusCode && statusCode >= 400 && statusCode < 500)
    return new Fault("invalid_input", message ?? "", { problems: [{ path: ["body"], message: message ?? "" }] });
  return new Fault("internal", "", { cause: error });
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof ProviderFailure) {
    request.trace.outcome = `provider_${error.status}`;
    const type = error.headers["content-type"];
    const wait = error.headers["retry-after"];
    if (wait) reply.header("retry-after", wait);
    if (type) reply.header("content-type", type);
    // As bytes: the body is the provider's, to the letter.
    return reply.code(error.status).serializer(passBytes).send(error.body);
  }
  const fault = asFault(error);
  request.trace.outcome = fault.kind;
  if (fault.kind === "internal")
    request.log.error({ err: fault.cause ?? fault, request_id: request.id }, "a call failed");
  const { status, code, message } = renderings[fault.kind];
  const errors =
    fault.kind === "invalid_input"
      ? fault.problems.map((problem) => ({ code, message, path: problem.path, detail: problem.message }))
      : [{ code, message, ...(fault.message ? { detail: fault.message } : {}) }];
  if (fault.retryAfter !== undefined) reply.header("retry-after", String(fault.retryAfter));
  return reply.code(status).send({ success: false, errors });
}

const passBytes = (body: unknown) => body as string;
