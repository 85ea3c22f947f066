import { GraphQLError } from "../../../emulator-kit/graphql.ts";
import { type EmulatedReply, reply } from "../../../emulator-kit/index.ts";

const FAILURES: Record<number, [type: string, code: string, message: string, userMessage: string]> = {
  400: ["invalid input", "INPUT_ERROR", "Bad request", "The request could not be read."],
  401: [
    "authentication error",
    "AUTHENTICATION_ERROR",
    "Authentication required, not authenticated",
    "You need to authenticate to access this operation.",
  ],
  403: ["forbidden", "FORBIDDEN", "Forbidden", "You do not have access to this resource."],
  404: ["invalid input", "INPUT_ERROR", "Not found", "There is nothing here."],
  429: ["ratelimited", "RATELIMITED", "Rate limit exceeded", "You have made too many requests."],
  500: ["internal error", "INTERNAL_SERVER_ERROR", "Internal server error", "Something went wrong."],
};

/** An error in Linear's format: https://linear.app/developers/graphql#errors */
export function failure(status: number, detail?: string): EmulatedReply {
  const [type, code, message, userMessage] = FAILURES[status] ?? FAILURES[500]!;
  const userPresentableMessage = detail ?? userMessage;
  const rest = { statusCode: status, userError: status < 500, userPresentableMessage, meta: {}, http: { status } };
  return reply(status, { errors: [{ message: detail ?? message, extensions: { type, code, ...rest } }] });
}

/** A query that does not fit the schema is refused before it runs. */
export const invalidQuery = (code: string, errors: readonly GraphQLError[]): EmulatedReply =>
  reply(400, {
    errors: errors.map(({ message, locations }) => ({
      message,
      ...(locations && { locations }),
      extensions: { http: { status: 400, headers: {} }, code, type: "graphql error", userError: true },
    })),
  });

const inputError = (message: string, code: string, userPresentableMessage: string, more: object = {}) =>
  new GraphQLError(message, {
    extensions: { type: "invalid input", code, statusCode: 400, userError: true, userPresentableMessage, ...more },
  });

/** An argument of the right type with an invalid value: found while the query runs, and reported with status 200. */
export const invalidInput = (property: string, constraint: string, text: string): GraphQLError =>
  inputError("Argument Validation Error", "INVALID_INPUT", `${text}.`, {
    validationErrors: [{ property, children: [], constraints: { [constraint]: text } }],
  });

export const notFound = (entity: string): GraphQLError =>
  inputError(`Entity not found: ${entity}`, "INPUT_ERROR", `Could not find referenced ${entity}.`);
