import { executeGraphql } from "../../../emulator-kit/graphql.ts";
import {
  type EmulatedReply,
  type EmulatedRequest,
  type EmulatedTokens,
  emulate,
  reply,
} from "../../../emulator-kit/index.ts";
import { changes } from "./changes.ts";
import { makeState, type State } from "./data.ts";
import { failure, invalidQuery } from "./errors.ts";
import { hooks } from "./hooks.ts";
import { mcp } from "./mcp.ts";
import { root } from "./resolvers.ts";
import { schema } from "./schema.ts";

const CODES = {
  missing: "BAD_REQUEST",
  syntax: "GRAPHQL_PARSE_FAILED",
  schema: "GRAPHQL_VALIDATION_FAILED",
  variables: "BAD_USER_INPUT",
};

function run({ body }: EmulatedRequest, state: State): EmulatedReply {
  const { problem, data, errors } = executeGraphql(schema, root(state), body);
  if (problem) return invalidQuery(CODES[problem], errors);
  return reply(200, errors.length > 0 ? { errors, data } : { data });
}

/** A key is sent as it is and a token as Bearer; each is refused in the form of the other. */
function authorizationError({ headers }: EmulatedRequest, tokens: EmulatedTokens): EmulatedReply | undefined {
  const [first = "", second] = headers.authorization?.trim().split(/\s+/) ?? [];
  const isKey = tokens.inspect(second ?? first)?.kind === "key";
  if (isKey && second)
    return failure(
      400,
      "It looks like you're trying to use an API key as a Bearer token. Remove the Bearer prefix from the Authorization header.",
    );
  return isKey || second ? undefined : failure(401);
}

export default emulate<State>({
  state: makeState,
  changes,
  hooks,
  failure: (status) => failure(status),
  headers() {
    const reset = String(Date.now() + 3_600_000);
    return {
      "x-ratelimit-requests-limit": "5000",
      "x-ratelimit-requests-remaining": "4999",
      "x-ratelimit-requests-reset": reset,
      "x-ratelimit-complexity-limit": "3000000",
      "x-ratelimit-complexity-remaining": "2999900",
      "x-ratelimit-complexity-reset": reset,
    };
  },
  routes: {
    "POST /graphql": (request, state, tokens) => authorizationError(request, tokens) ?? run(request, state),
  },
  mcp,
  // Scopes are requested with commas and returned with spaces.
  tokenAnswer: (standard) => reply(200, { ...standard, scope: String(standard.scope ?? "read").replaceAll(",", " ") }),
});
