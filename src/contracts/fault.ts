import type { Scope } from "./access.ts";
import type { ErrorSource } from "./entities.ts";

/**
 * Everything that can go wrong. Each surface renders every kind in its own format with an exhaustive
 * `Record<FaultKind, …>`, so that a kind without a rendering does not compile.
 */
export const faultKinds = [
  /** The API key is missing or unknown. */
  "unauthorized",
  /** The API key is valid but does not allow this. */
  "insufficient_scope",
  /** The request comes from a web page of an origin that may not make it. */
  "origin_refused",
  /** The client's input is invalid; `problems` says where. */
  "invalid_input",
  /** The body is larger than the route takes. */
  "too_large",
  /** It does not fit what there is: the id is taken, or something uses what is to be deleted. */
  "conflict",
  /** The route or the resource does not exist in this workspace. */
  "not_found",
  /** Nothing at the provider has the given short name. */
  "record_missing",
  /** The connection ID is missing, unknown, or of another workspace. */
  "connection_missing",
  /** The credentials have expired or were refused, and cannot be refreshed: the user has to connect again. */
  "refresh_failed",
  /** The token has expired and could not be refreshed for now. */
  "refresh_unavailable",
  /** A stored secret of the connection or of its integration cannot be decrypted. */
  "credentials_unreadable",
  /** The connection's integration was deleted, or its provider no longer has its type. */
  "integration_missing",
  /** The provider does not support this operation. */
  "operation_unsupported",
  /** The provider has no MCP server. */
  "mcp_unsupported",
  /** Over the connection's rate limit. */
  "rate_limited",
  /** The provider did not respond in time. */
  "upstream_timeout",
  /** Could not connect to the provider, or the connection was lost. */
  "upstream_unreachable",
  /** The address is private, or does not belong to the connection. Nothing was sent. */
  "upstream_forbidden",
  /** The provider's response cannot be read. */
  "upstream_malformed",
  /** The idempotency key was used before with another request. */
  "idempotency_key_reused",
  /** A request with the same idempotency key is still running. */
  "request_in_progress",
  /** An earlier request with the same idempotency key may or may not have been carried out. */
  "outcome_unknown",
  /** Too many calls to this provider are waiting. */
  "overloaded",
  /** The store is unavailable. */
  "store_unavailable",
  /** Internal error. */
  "internal",
] as const;

export type FaultKind = (typeof faultKinds)[number];

/** Who can do something about it. */
export const faultSources: Record<FaultKind, ErrorSource> = {
  unauthorized: "application",
  insufficient_scope: "application",
  origin_refused: "application",
  invalid_input: "application",
  too_large: "application",
  conflict: "application",
  not_found: "application",
  record_missing: "application",
  connection_missing: "application",
  refresh_failed: "provider",
  refresh_unavailable: "provider",
  credentials_unreadable: "plugboard",
  integration_missing: "application",
  operation_unsupported: "application",
  mcp_unsupported: "application",
  rate_limited: "application",
  upstream_timeout: "provider",
  upstream_unreachable: "provider",
  upstream_forbidden: "application",
  upstream_malformed: "provider",
  idempotency_key_reused: "application",
  request_in_progress: "application",
  outcome_unknown: "application",
  overloaded: "plugboard",
  store_unavailable: "plugboard",
  internal: "plugboard",
};

/** An invalid field: where it is, and what would be valid. */
export interface Problem {
  path: string[];
  message: string;
}

export interface FaultOptions {
  problems?: Problem[];
  /** What the API key lacks. */
  scope?: Scope | undefined;
  /** Seconds to wait before another attempt. */
  retryAfter?: number;
  /** Another attempt would have the same result. */
  permanent?: boolean;
  /** The provider had answered: a write was probably carried out. */
  answered?: boolean;
  cause?: unknown;
}

export class Fault extends Error {
  readonly kind: FaultKind;
  readonly problems: Problem[];
  readonly scope: Scope | undefined;
  readonly retryAfter: number | undefined;
  readonly permanent: boolean;
  readonly answered: boolean;

  /** `message` is shown to the client: it must not contain internals or secrets. */
  constructor(kind: FaultKind, message: string, options: FaultOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "Fault";
    this.kind = kind;
    this.problems = options.problems ?? [];
    this.scope = options.scope;
    this.retryAfter = options.retryAfter;
    this.permanent = options.permanent ?? false;
    this.answered = options.answered ?? false;
  }
}

/** Whether the store is unavailable: another attempt later may succeed. */
export const isStoreUnavailable = (error: unknown): boolean =>
  error instanceof Fault && error.kind === "store_unavailable";

/** More messages than this help nobody. */
export const MAX_PROBLEMS = 50;

export function invalidInput(...all: Problem[]): Fault {
  const problems = all.slice(0, MAX_PROBLEMS);
  const message = problems.map((problem) => `${problem.path.join(".")}: ${problem.message}`).join("; ");
  return new Fault("invalid_input", message, { problems });
}

/** The provider responded with an error, which is passed to the client unchanged. */
export class ProviderFailure extends Error {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: Buffer;
  /** How many seconds the response asks to wait. */
  readonly waitSeconds: number | undefined;

  constructor(
    status: number,
    headers: Record<string, string | string[] | undefined>,
    body: Buffer,
    waitSeconds?: number,
  ) {
    super(`the provider answered ${status}`);
    this.name = "ProviderFailure";
    this.status = status;
    this.headers = headers;
    this.body = body;
    this.waitSeconds = waitSeconds;
  }
}

/** How long to wait for a provider's rate limit if the provider does not say. */
const RATE_LIMIT_SECONDS = 30;

/** Seconds to wait after a 429, at most as many as given. */
export const rateLimitWait = ({ waitSeconds = 0 }: ProviderFailure, maxSeconds: number): number =>
  Math.min(waitSeconds > 0 ? waitSeconds : RATE_LIMIT_SECONDS, maxSeconds);

/** A key that nothing can be signed with. The message can be shown: it has nothing of the key. */
export class UnusableKey extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UnusableKey";
  }
}
