import { reply } from "../../../emulator-kit/index.ts";

const FAILURES: Record<number, [errorCode: string, message: string]> = {
  400: ["INVALID_REQUEST", "The request couldn't be understood"],
  401: ["INVALID_SESSION_ID", "Session expired or invalid"],
  403: ["INSUFFICIENT_ACCESS", "insufficient access rights on object id"],
  404: ["NOT_FOUND", "The requested resource does not exist"],
  503: ["SERVER_UNAVAILABLE", "There are too many requests waiting to be processed. Please try again later."],
};

/** Errors are a list. https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/errorcodes.htm */
export const errorReply = (status: number, errorCode: string, message: string, fields?: string[]) =>
  reply(status, [{ message, errorCode, ...(fields && { fields }) }]);

export const failure = (status: number) =>
  errorReply(status, ...(FAILURES[status] ?? ["UNKNOWN_EXCEPTION", "An unexpected error occurred"]));
