import { executeSync, GraphQLError, parse, validate } from "graphql";
import type { EmulatedReply, EmulatedRequest, EmulatedTokens } from "../../contracts/emulator.ts";
import { emulate, reply } from "../../provider-kit/emulator.ts";
import { makeState, type SandboxIssue, type State } from "./sandbox-data.ts";
import { failure, invalidInput, invalidQuery, notFound } from "./sandbox-errors.ts";
import { matches } from "./sandbox-filter.ts";
import { mcp } from "./sandbox-mcp.ts";
import { schema } from "./sandbox-schema.ts";

const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 250;

interface ListArguments {
  first?: number | null;
  after?: string | null;
  filter?: Record<string, unknown> | null;
  includeArchived?: boolean | null;
  orderBy?: "createdAt" | "updatedAt" | null;
}

const cursorOf = ({ id }: SandboxIssue) => Buffer.from(JSON.stringify({ key: id })).toString("base64");

/** Newest first; issues with the same time are sorted by id. */
const newestBy = (field: "createdAt" | "updatedAt") => (one: SandboxIssue, other: SandboxIssue) =>
  other[field].localeCompare(one[field]) || one.id.localeCompare(other.id);

function listIssues({ issues }: State, { first, after, filter, includeArchived, orderBy }: ListArguments) {
  const size = first ?? DEFAULT_PAGE_SIZE;
  if (size > MAX_PAGE_SIZE) throw invalidInput("first", "max", `first must not be greater than ${MAX_PAGE_SIZE}`);
  if (size < 1) throw invalidInput("first", "min", "first must not be less than 1");
  const found = issues
    .filter((issue) => (includeArchived || !issue.archivedAt) && matches(issue, filter ?? {}))
    .sort(newestBy(orderBy ?? "createdAt"));
  const start = after ? found.findIndex((issue) => cursorOf(issue) === after) + 1 : 0;
  if (after && start === 0) throw invalidInput("after", "isCursor", "after must be a valid cursor");
  const nodes = found.slice(start, start + size);
  const cursors = nodes.map(cursorOf);
  return {
    nodes,
    edges: nodes.map((node, index) => ({ node, cursor: cursors[index] })),
    pageInfo: {
      hasNextPage: start + size < found.length,
      hasPreviousPage: start > 0,
      startCursor: cursors[0] ?? null,
      endCursor: cursors.at(-1) ?? null,
    },
  };
}

/** The resolvers of the schema's Query type. */
const root = (state: State) => ({
  viewer: state.viewer,
  organization: state.organization,
  issue({ id }: { id: string }) {
    const found = state.issues.find((issue) => issue.id === id || issue.identifier === id);
    if (!found) throw notFound("Issue");
    return found;
  },
  issues: (args: ListArguments) => listIssues(state, args),
});

function run({ body }: EmulatedRequest, state: State): EmulatedReply {
  if (typeof body?.query !== "string" || body.query === "")
    return invalidQuery("BAD_REQUEST", [new GraphQLError("GraphQL operations must contain a non-empty `query`.")]);
  try {
    const document = parse(body.query);
    const problems = validate(schema, document);
    if (problems.length > 0) return invalidQuery("GRAPHQL_VALIDATION_FAILED", problems);
    const { data, errors } = executeSync({
      schema,
      document,
      rootValue: root(state),
      variableValues: body.variables,
      operationName: body.operationName,
    });
    // The query did not run: its variables do not fit.
    if (errors && data === undefined) return invalidQuery("BAD_USER_INPUT", errors);
    return reply(200, errors ? { errors, data } : { data });
  } catch (error) {
    if (error instanceof GraphQLError) return invalidQuery("GRAPHQL_PARSE_FAILED", [error]);
    throw error;
  }
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
