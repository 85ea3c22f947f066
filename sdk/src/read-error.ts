import type { ErrorDetails, Problem } from "./errors.ts";
import * as errors from "./errors.ts";
import type { ResponseInfo } from "./types.ts";

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
  409: errors.ConflictError,
  413: errors.InvalidRequestError,
  422: errors.IdempotencyKeyReusedError,
  429: errors.RateLimitError,
  500: errors.InternalError,
  502: errors.ProviderUnreachableError,
  503: errors.ServiceUnavailableError,
};
/** The statuses of codes, for errors that are lines of a stream. */
const statusByCode: Record<string, number> = {
  7001: 400,
  1000: 401,
  7002: 404,
  7003: 408,
  1001: 429,
  7000: 500,
  7004: 502,
  7005: 503,
};
/** The codes of the Proxy that mean one of the Unified API's reasons. */
const reasonByProxyCode: Record<string, string> = {
  connection_invalid: "connection_not_found",
  connection_refresh_failed: "connection_invalid",
  connection_unreadable: "connection_invalid",
  integration_not_found: "integration_deleted",
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

/** What a response says about itself. */
export function readResponse({ status, headers }: Response, headerPrefix: string): ResponseInfo {
  const requestId = headers.get(`${headerPrefix}request-id`) ?? headers.get("x-request-id") ?? undefined;
  // With our own prefix where the usual names belong to the provider.
  const prefix = headers.has(`${headerPrefix}ratelimit-limit`) ? headerPrefix : "x-";
  const [limit, remaining, reset] = ["limit", "remaining", "reset"].map((name) =>
    Number(headers.get(`${prefix}ratelimit-${name}`) ?? Number.NaN),
  ) as [number, number, number];
  return { status, headers, requestId, rateLimit: Number.isNaN(limit) ? undefined : { limit, remaining, reset } };
}

/** An error of Plugboard, in the format of any of its APIs. */
function ownError(body: unknown, statusText: string, details: ErrorDetails): errors.PlugboardError {
  const { errors: listed, message, code: name } = (body ?? {}) as Record<string, unknown>;
  const first: UnifiedFailure = Array.isArray(listed) ? (listed[0] ?? {}) : {};
  const { code } = first;
  const status = details.status ?? statusByCode[code ?? ""];
  const reason = first.reason ?? (typeof name === "string" ? (reasonByProxyCode[name] ?? name) : undefined);
  const problems = readProblems(listed);
  const explained = problems.map((problem) => [problem.path.join("."), problem.message].filter(Boolean).join(": "));
  const text = [`${status} ${first.message ?? message ?? statusText}`, explained.join("; ")].filter(Boolean);
  const Class = byReason[reason ?? ""] ?? byCode[code ?? ""] ?? byStatus[status ?? 0] ?? errors.PlugboardError;
  return new Class(text.join(": "), { ...details, status, code, reason, problems });
}

const providerError = (details: ErrorDetails, body: unknown) =>
  new errors.ProviderError(`The provider responded with ${details.status}`, { ...details, source: "provider" }, body);

/** The error that a response with an error status means. */
export async function toError(response: Response, headerPrefix: string): Promise<errors.PlugboardError> {
  const { headers } = response;
  const { status, requestId } = readResponse(response, headerPrefix);
  const source = headers.get(`${headerPrefix}error-source`) ?? undefined;
  const scope = /scope="([^"]+)"/.exec(headers.get("www-authenticate") ?? "")?.[1];
  const details: ErrorDetails = {
    status,
    requestId,
    source,
    retryAfter: readRetryAfter(headers.get("retry-after")),
    ...(scope === undefined ? {} : { scope }),
  };
  const body = parse(await response.text());
  if (source === "provider") return providerError(details, body);
  if (!source) return new errors.PlugboardError(`${status}: not a response of Plugboard. Check baseUrl`, details);
  return ownError(body, response.statusText, details);
}

/** The error that the last line of a streamed list means. */
export function lineError(line: { errors: object[] }, requestId: string | undefined): errors.PlugboardError {
  const { provider } = line.errors[0] as { provider?: { status: number; body: string } };
  if (provider) return providerError({ status: provider.status, requestId }, parse(provider.body));
  return ownError(line, "", { requestId, source: "plugboard" });
}
