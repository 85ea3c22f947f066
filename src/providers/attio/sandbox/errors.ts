import { type EmulatedReply, reply } from "../../../emulator-kit/index.ts";

const FAILURES: Record<number, [type: string, code: string, message: string]> = {
  400: ["invalid_request_error", "filter_error", "Error in filter."],
  401: ["auth_error", "unauthorized", "The access token is missing, invalid or was revoked."],
  403: ["auth_error", "insufficient_scopes", "The access token lacks a scope that this needs."],
  404: ["invalid_request_error", "not_found", "The referenced object was not found."],
  429: ["rate_limit_error", "rate_limit_exceeded", "Rate limit exceeded, please try again later"],
};

export function failure(status: number): EmulatedReply {
  const [type, code, message] = FAILURES[status] ?? ["api_error", "internal_error", "Something went wrong."];
  // The date at which the limit ends: the next second.
  // https://docs.attio.com/rest-api/guides/rate-limiting
  const wait = status === 429 ? { "retry-after": new Date(Date.now() + 1000).toUTCString() } : undefined;
  return reply(status, { status_code: status, type, code, message }, wait);
}

export const invalid = (message: string, code = "validation_type") =>
  reply(400, { status_code: 400, type: "invalid_request_error", code, message });
