import { type EmulatedReply, refuse, reply, uuid } from "../../../emulator-kit/index.ts";

/** https://developers.notion.com/reference/status-codes */
const CODES: Record<number, [code: string, message: string]> = {
  400: ["validation_error", "The request body does not match the schema for the expected parameters."],
  401: ["unauthorized", "API token is invalid."],
  403: [
    "restricted_resource",
    "Given the bearer token used, the client doesn't have permission to perform this operation.",
  ],
  404: ["object_not_found", "The requested resource could not be found."],
  409: ["conflict_error", "Conflict occurred while saving. Please try again."],
  429: ["rate_limited", "You have been rate limited. Please try again in a few minutes."],
};

export function failure(status: number, detail?: string, code?: string): EmulatedReply {
  const [known, message] = CODES[status] ?? ["internal_server_error", "Unexpected error occurred."];
  const body = { object: "error", status, code: code ?? known, message: detail ?? message, request_id: uuid(1) };
  return reply(status, body, status === 429 ? { "retry-after": "1" } : {});
}

/** A body that does not fit what it is written to. */
export const refuseBody = (problem: string) => refuse(failure(400, `body failed validation: ${problem}`));
