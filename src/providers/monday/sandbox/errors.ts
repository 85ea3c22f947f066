import { GraphQLError } from "../../../emulator-kit/graphql.ts";
import { type EmulatedReply, reply } from "../../../emulator-kit/index.ts";

const REQUEST = { request_id: "00000000-0000-4000-8000-000000000000" };

const KINDS: Record<number, [code: string, message: string]> = {
  400: ["InvalidArgumentException", "Invalid argument"],
  403: ["UserUnauthorizedException", "User unauthorized to perform action"],
  404: ["ResourceNotFoundException", "Resource not found"],
  422: ["InvalidInputException", "Invalid input"],
  429: ["RateLimitExceeded", "Rate limit exceeded"],
};

/** https://developer.monday.com/api-reference/docs/errors */
export function failure(status: number): EmulatedReply {
  if (status === 401) return reply(401, { errors: ["Not Authenticated"] });
  const [code, message] = KINDS[status] ?? ["InternalServerError", "Internal server error"];
  const error = { message, extensions: { code, status_code: status, error_data: {} } };
  return reply(status, { errors: [error], extensions: REQUEST }, status === 429 ? { "retry-after": "30" } : {});
}

/** A query that does not fit the schema, or an argument of it that is invalid: with status 200, like most errors. */
export const refusal = (errors: readonly GraphQLError[], data?: unknown): EmulatedReply =>
  reply(200, { data, errors, extensions: REQUEST });

const error = (code: string, message: string, status_code = 200) =>
  new GraphQLError(message, { extensions: { code, status_code, error_data: {} } });

export const invalidArgument = (message: string) => error("InvalidArgumentException", message);
export const invalidValue = (message: string) => error("ColumnValueException", message);
export const notFound = (message: string) => error("ResourceNotFoundException", message, 404);
export const expiredCursor = () =>
  error("CursorExpiredError", "The cursor provided for pagination has expired. Please refresh your query");
