import { randomUUID } from "node:crypto";
import { type EmulatedReply, reply } from "../../../emulator-kit/index.ts";

const FAILURES: Record<number, [message: string, rest: Record<string, unknown>]> = {
  400: ["Invalid input JSON", { category: "VALIDATION_ERROR" }],
  401: [
    "Authentication credentials not found. This API supports OAuth 2.0 authentication and you can find more details at https://developers.hubspot.com/docs/methods/auth/oauth-overview",
    { category: "INVALID_AUTHENTICATION" },
  ],
  403: ["This app hasn't been granted all required scopes to make this call.", { category: "MISSING_SCOPES" }],
  404: ["resource not found", { category: "OBJECT_NOT_FOUND" }],
  429: ["You have reached your secondly limit.", { errorType: "RATE_LIMIT", policyName: "SECONDLY" }],
};

export const errorReply = (status: number, message: string, rest: Record<string, unknown>): EmulatedReply =>
  reply(status, { status: "error", message, correlationId: randomUUID(), ...rest });

/** https://developers.hubspot.com/docs/api-reference/error-handling */
export const failure = (status: number): EmulatedReply =>
  errorReply(status, ...(FAILURES[status] ?? ["internal error", { category: "INTERNAL_ERROR" }]));

export const invalid = (message: string) => errorReply(400, message, { category: "VALIDATION_ERROR" });
