import { randomUUID } from "node:crypto";
import type { EmulatedReply } from "../../../contracts/emulator.ts";
import { reply } from "../../../emulator-kit/emulator.ts";

const FAILURES: Record<number, { message: string; category: string }> = {
  400: { message: "Invalid input JSON", category: "VALIDATION_ERROR" },
  401: {
    message:
      "Authentication credentials not found. This API supports OAuth 2.0 authentication and you can find more details at https://developers.hubspot.com/docs/methods/auth/oauth-overview",
    category: "INVALID_AUTHENTICATION",
  },
  403: {
    message: "This app hasn't been granted all required scopes to make this call.",
    category: "MISSING_SCOPES",
  },
  404: { message: "resource not found", category: "OBJECT_NOT_FOUND" },
};

export const errorReply = (status: number, message: string, rest: Record<string, unknown>): EmulatedReply =>
  reply(status, { status: "error", message, correlationId: randomUUID(), ...rest });

/** https://developers.hubspot.com/docs/api-reference/error-handling */
export function failure(status: number): EmulatedReply {
  if (status === 429)
    return errorReply(status, "You have reached your secondly limit.", {
      errorType: "RATE_LIMIT",
      policyName: "SECONDLY",
    });
  const { message, category } = FAILURES[status] ?? { message: "internal error", category: "INTERNAL_ERROR" };
  return errorReply(status, message, { category });
}

export const invalid = (message: string) => errorReply(400, message, { category: "VALIDATION_ERROR" });
