import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Fault, type FaultKind, type Problem } from "../../contracts/fault.ts";
import { notFound } from "./route.ts";
import { problemsIn } from "./validation.ts";

interface Rendering {
  status: number;
  message: string;
}

const invalid = { status: 400, message: "Invalid request" };
const missing = { status: 404, message: "Not found" };
const unavailable = { status: 503, message: "Service unavailable" };
const badGateway = { status: 502, message: "The provider gave no usable answer" };

const renderings: Record<FaultKind, Rendering> = {
  unauthorized: { status: 401, message: "Not authorized" },
  invalid_input: invalid,
  not_found: missing,
  connection_missing: missing,
  integration_missing: missing,
  operation_unsupported: missing,
  mcp_unsupported: missing,
  refresh_failed: badGateway,
  refresh_unavailable: unavailable,
  rate_limited: { status: 429, message: "Too many requests" },
  upstream_timeout: badGateway,
  upstream_unreachable: badGateway,
  upstream_forbidden: badGateway,
  upstream_malformed: badGateway,
  overloaded: unavailable,
  store_unavailable: unavailable,
  internal: { status: 500, message: "Internal error" },
};

const RETRY_AFTER_SECONDS = 5;

interface FrameworkError {
  code?: string;
  statusCode?: number;
  validation?: unknown;
}

/** What is wrong with a body that could not even be read. The parser's own words would quote the body. */
const bodyProblems: Record<string, string> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "Must be at most 1 MB",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "Must be JSON, sent with Content-Type: application/json",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "Must be as long as its Content-Length says",
};

function toFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  const { code = "", statusCode = 500, validation } = error as FrameworkError;
  if (code === "FST_ERR_BAD_URL" || code === "FST_ERR_MAX_PARAM_LENGTH") return notFound();
  if (validation) return new Fault("invalid_input", "invalid request", { problems: problemsIn(error) });
  if (statusCode >= 400 && statusCode < 500) {
    const message = bodyProblems[code] ?? "Must be valid JSON";
    return new Fault("invalid_input", "invalid request", { problems: [{ path: ["body"], message }] });
  }
  return new Fault("internal", "internal error", { cause: error });
}

function byField(problems: Problem[]): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const { path, message } of problems) {
    const [field = "body", ...inner] = path;
    const text = inner.length > 0 ? `${inner.join(".")}: ${message}` : message;
    errors[field] = [...new Set([...(errors[field] ?? []), text])];
  }
  return errors;
}

export function sendPlatformError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const fault = toFault(error);
  request.trace.outcome = fault.kind;
  if (fault.kind === "internal") request.log.error({ err: error, request_id: request.id }, "a request failed");
  const { status, message } = renderings[fault.kind];
  if (status === 401) reply.header("www-authenticate", "Bearer");
  if (status === 429 || status === 503) reply.header("retry-after", fault.retryAfter ?? RETRY_AFTER_SECONDS);
  const errors = fault.kind === "invalid_input" ? { errors: byField(fault.problems) } : {};
  return reply.code(status).send({ success: false, message, ...errors });
}

export function speakPlatformErrors(app: FastifyInstance): void {
  app.setErrorHandler(sendPlatformError);
  app.setNotFoundHandler(() => {
    throw notFound();
  });
}
