/** One invalid part of a request: where it is, and what would be valid. */
export interface Problem {
  path: string[];
  message: string;
}

/** Every error of the SDK, other than a `TypeError` for wrong arguments and the reason of your own abort signal. */
export class PlugboardError extends Error {
  /** The HTTP status; undefined if there was no response. */
  declare readonly status: number | undefined;
  /** The code of Plugboard's error, such as 7001. */
  declare readonly code: number | undefined;
  /** What was not found, such as `connection_invalid`. */
  declare readonly reason: string | undefined;
  /** Finds the request in Plugboard's log. */
  declare readonly requestId: string | undefined;
  /** Seconds to wait before another attempt, if the response says so. */
  declare readonly retryAfter: number | undefined;
  /** Whose error it is: `plugboard`, `provider`, or undefined if something between you and Plugboard responded. */
  declare readonly source: string | undefined;
  /** What is invalid, if the request is. */
  readonly problems: Problem[] = [];

  constructor(message: string, { cause, ...details }: ErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    Object.assign(this, details);
  }
}

export type ErrorDetails = Partial<
  Pick<PlugboardError, "status" | "code" | "reason" | "requestId" | "retryAfter" | "source" | "problems" | "cause"> &
    Pick<PermissionError, "scope">
>;

/** No response: Plugboard cannot be reached, or the connection was lost. */
export class NetworkError extends PlugboardError {}
/** No response within `timeout`. */
export class TimeoutError extends PlugboardError {}
/** The webhook's signature or time is wrong: do not trust its body. */
export class WebhookVerificationError extends PlugboardError {}

/** The request is invalid; `problems` says where and why. */
export class InvalidRequestError extends PlugboardError {}
/** The API key is missing or unknown. */
export class AuthenticationError extends PlugboardError {}
/** The request is not allowed: the API key lacks `scope`, or is bound to other connections. */
export class PermissionError extends PlugboardError {
  /** What the API key lacks, such as `connections:write`. */
  declare readonly scope: string | undefined;
}
/** The request does not fit what there is: an id is taken, or something uses what is to be deleted. */
export class ConflictError extends PlugboardError {}
/** What the request names does not exist; `reason` says what. */
export class NotFoundError extends PlugboardError {}
/** The connection does not exist in this workspace. */
export class ConnectionNotFoundError extends NotFoundError {}
/** The provider has revoked the connection's access: the user has to connect again. */
export class ConnectionInvalidError extends NotFoundError {}
/** The connection's token could not be refreshed for now: try again later. */
export class ConnectionUnavailableError extends NotFoundError {}
/** The connection's integration was deleted. */
export class IntegrationDeletedError extends NotFoundError {}
/** The connection's provider does not have this operation. */
export class OperationNotSupportedError extends NotFoundError {}
/** Over Plugboard's rate limit. */
export class RateLimitError extends PlugboardError {}
/** The provider did not respond in time. */
export class ProviderTimeoutError extends PlugboardError {}
/** The provider cannot be reached, or its response cannot be read. */
export class ProviderUnreachableError extends PlugboardError {}
/** Plugboard is overloaded, or its database is unavailable. */
export class ServiceUnavailableError extends PlugboardError {}
/** An internal error of Plugboard: its log has the cause, by `requestId`. */
export class InternalError extends PlugboardError {}
/** The idempotency key was used before with another request. */
export class IdempotencyKeyReusedError extends PlugboardError {}
/** A request with the same idempotency key is still running. */
export class RequestInProgressError extends PlugboardError {}
/** An earlier request with this idempotency key may or may not have been carried out: look before you write again. */
export class OutcomeUnknownError extends PlugboardError {}

/** The provider's own error, passed on unchanged. */
export class ProviderError extends PlugboardError {
  /** The provider's response: parsed if it is JSON, otherwise the text. */
  readonly body: unknown;

  constructor(message: string, details: ErrorDetails, body: unknown) {
    super(message, details);
    this.body = body;
  }
}
