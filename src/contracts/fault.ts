/**
 * Everything that can go wrong, in neutral words. Each surface renders every kind in its own dialect by an exhaustive
 * `Record<FaultKind, …>`, so that a kind without a rendering does not compile.
 */
export const faultKinds = [
  /** No API key, or one that is not known. */
  "unauthorized",
  /** The client's input is wrong; `problems` says where. */
  "invalid_input",
  /** The route or the resource does not exist in this workspace. */
  "not_found",
  /** No connection id, an unknown one, or one of another workspace. */
  "connection_missing",
  /** The token is stale and the provider refused to renew it: the user has to connect again. */
  "refresh_failed",
  /** The token is stale and could not be renewed just now. */
  "refresh_unavailable",
  /** The connection's integration was deleted. */
  "integration_missing",
  /** The provider does not have this operation. */
  "operation_unsupported",
  /** The provider has no MCP server. */
  "mcp_unsupported",
  /** Over the connection's rate limit. */
  "rate_limited",
  /** The provider gave no answer in time. */
  "upstream_timeout",
  /** No connection to the provider, or it broke. */
  "upstream_unreachable",
  /** The address is private, or not one of the connection's. Nothing was sent. */
  "upstream_forbidden",
  /** The provider's answer cannot be read. */
  "upstream_malformed",
  /** Too many calls to this provider are waiting. */
  "overloaded",
  /** The store does not answer. */
  "store_unavailable",
  /** A mistake of ours. */
  "internal",
] as const;

export type FaultKind = (typeof faultKinds)[number];

/** One wrong field: where it stands, and what would be right. */
export interface Problem {
  path: string[];
  message: string;
}

export interface FaultOptions {
  problems?: Problem[];
  /** Seconds after which another try makes sense. */
  retryAfter?: number;
  cause?: unknown;
}

export class Fault extends Error {
  readonly kind: FaultKind;
  readonly problems: Problem[];
  readonly retryAfter: number | undefined;

  /** `message` is for the client: it must say nothing of the inside and hold no secret. */
  constructor(kind: FaultKind, message: string, options: FaultOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "Fault";
    this.kind = kind;
    this.problems = options.problems ?? [];
    this.retryAfter = options.retryAfter;
  }
}

/** Whether it says that the store does not answer: another try later may succeed. */
export const isStoreUnavailable = (error: unknown): boolean =>
  error instanceof Fault && error.kind === "store_unavailable";

export const invalidInput = (...problems: Problem[]) =>
  new Fault("invalid_input", problems.map((problem) => `${problem.path.join(".")}: ${problem.message}`).join("; "), {
    problems,
  });

/** The provider answered with a failure of its own, which goes to the client as it is. */
export class ProviderFailure extends Error {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: Buffer;

  constructor(status: number, headers: Record<string, string | string[] | undefined>, body: Buffer) {
    super(`the provider answered ${status}`);
    this.name = "ProviderFailure";
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}
