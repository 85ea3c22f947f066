import { GraphQLError } from "graphql";
import type { EmulatedReply } from "../../../contracts/emulator.ts";
import { reply } from "../../../emulator-kit/emulator.ts";

interface ErrorKind {
  message: string;
  type: string;
  code: string;
  userMessage: string;
}

const KINDS: Record<number, ErrorKind> = {
  400: {
    message: "Bad request",
    type: "invalid input",
    code: "INPUT_ERROR",
    userMessage: "The request could not be read.",
  },
  401: {
    message: "Authentication required, not authenticated",
    type: "authentication error",
    code: "AUTHENTICATION_ERROR",
    userMessage: "You need to authenticate to access this operation.",
  },
  403: {
    message: "Forbidden",
    type: "forbidden",
    code: "FORBIDDEN",
    userMessage: "You do not have access to this resource.",
  },
  404: { message: "Not found", type: "invalid input", code: "INPUT_ERROR", userMessage: "There is nothing here." },
  429: {
    message: "Rate limit exceeded",
    type: "ratelimited",
    code: "RATELIMITED",
    userMessage: "You have made too many requests.",
  },
};
const INTERNAL: ErrorKind = {
  message: "Internal server error",
  type: "internal error",
  code: "INTERNAL_SERVER_ERROR",
  userMessage: "Something went wrong.",
};

/** An error in Linear's format: https://linear.app/developers/graphql#errors */
export function failure(status: number, message?: string): EmulatedReply {
  const kind = KINDS[status] ?? INTERNAL;
  const error = {
    message: message ?? kind.message,
    extensions: {
      type: kind.type,
      code: kind.code,
      statusCode: status,
      userError: status < 500,
      userPresentableMessage: message ?? kind.userMessage,
      meta: {},
      http: { status },
    },
  };
  return reply(status, { errors: [error] });
}

/** A query that does not fit the schema is refused before it runs. */
export const invalidQuery = (code: string, errors: readonly GraphQLError[]): EmulatedReply =>
  reply(400, {
    errors: errors.map((error) => ({
      message: error.message,
      ...(error.locations ? { locations: error.locations } : {}),
      extensions: { http: { status: 400, headers: {} }, code, type: "graphql error", userError: true },
    })),
  });

const inputError = (message: string, code: string, userMessage: string, more: Record<string, unknown> = {}) =>
  new GraphQLError(message, {
    extensions: {
      type: "invalid input",
      code,
      statusCode: 400,
      userError: true,
      userPresentableMessage: userMessage,
      ...more,
    },
  });

/** An argument of the right type with an invalid value: found while the query runs, and reported with status 200. */
export const invalidInput = (property: string, constraint: string, text: string): GraphQLError =>
  inputError("Argument Validation Error", "INVALID_INPUT", `${text}.`, {
    validationErrors: [{ property, children: [], constraints: { [constraint]: text } }],
  });

export const notFound = (entity: string): GraphQLError =>
  inputError(`Entity not found: ${entity}`, "INPUT_ERROR", `Could not find referenced ${entity}.`);
