import type { ErrorDetails, Problem } from "./errors.ts";
import * as errors from "./errors.ts";

type ErrorClass = new (message: string, details?: ErrorDetails) => errors.PlugboardError;

const byReason: Record<string, ErrorClass> = {
  connection_not_found: errors.ConnectionNotFoundError,
  connection_invalid: errors.ConnectionInvalidError,
  connection_unavailable: errors.ConnectionUnavailableError,
  integration_deleted: errors.IntegrationDeletedError,
  operation_not_supported: errors.OperationNotSupportedError,
};
const byCode: Record<string, ErrorClass> = { 7011: errors.RequestInProgressError, 7012: errors.OutcomeUnknownError };
const byStatus: Record<number, ErrorClass> = {
  400: errors.InvalidRequestError,
  401: errors.AuthenticationError,
  403: errors.PermissionError,
  404: errors.NotFoundError,
  408: errors.ProviderTimeoutError,
  422: errors.IdempotencyKeyReusedError,
  429: errors.RateLimitError,
  500: errors.InternalError,
  502: errors.ProviderUnreachableError,
  503: errors.ServiceUnavailableError,
};

type UnifiedFailure = { code?: number; message?: string; path?: string[]; detail?: string; reason?: string };

/** The Unified API has a list of errors, the Platform API messages by field. */
function readProblems(listed: unknown): Problem[] {
  if (Array.isArray(listed))
    return (listed as UnifiedFailure[]).map(({ path = [], detail = "" }) => ({ path, message: detail }));
  const fields = Object.entries((listed ?? {}) as Record<string, string[]>);
  return fields.flatMap(([field, messages]) => messages.map((message) => ({ path: [field], message })));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Seconds, from seconds or a date. */
function readRetryAfter(value: string | null): number | undefined {
  if (!value) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** The error that a response with an error status means. */
export async function toError(response: Response, headerPrefix: string): Promise<errors.PlugboardError> {
  const { status, headers } = response;
  const body = parse(await response.text());
  const details: ErrorDetails = {
    status,
    requestId: headers.get(`${headerPrefix}request-id`) ?? headers.get("x-request-id") ?? undefined,
    retryAfter: readRetryAfter(headers.get("retry-after")),
    source: headers.get(`${headerPrefix}error-source`) ?? undefined,
  };
  if (details.source === "provider")
    return new errors.ProviderError(`The provider responded with ${status}`, details, body);
  if (!details.source)
    return new errors.PlugboardError(`${status}: not a response of Plugboard. Check baseUrl`, details);
  const { errors: listed, message } = (body ?? {}) as { errors?: unknown; message?: string };
  const first: UnifiedFailure = Array.isArray(listed) ? (listed[0] ?? {}) : {};
  const { code, reason } = first;
  const problems = readProblems(listed);
  const explained = problems.map((problem) => [problem.path.join("."), problem.message].filter(Boolean).join(": "));
  const text = [`${status} ${first.message ?? message ?? response.statusText}`, explained.join("; ")].filter(Boolean);
  const Class = byReason[reason ?? ""] ?? byCode[code ?? ""] ?? byStatus[status] ?? errors.PlugboardError;
  return new Class(text.join(": "), { ...details, code, reason, problems });
}
