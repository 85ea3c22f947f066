// `plugboard/provider-kit/sandbox/graphql`: what the emulator of a GraphQL API needs.
import { type DocumentNode, executeSync, GraphQLError, type GraphQLSchema, parse, validate } from "graphql";

export { buildSchema, GraphQLError } from "graphql";

interface GraphqlBody {
  query?: unknown;
  variables?: Record<string, unknown>;
  operationName?: string;
}

interface GraphqlResult {
  /** Why the query did not run. */
  problem?: "missing" | "syntax" | "schema" | "variables";
  data?: unknown;
  errors: readonly GraphQLError[];
}

/** Far more than any client sends: running a query of a megabyte would take seconds. */
const MAX_TOKENS = 10_000;
const MAX_KEPT = 100;
/** Valid queries: a client sends the same ones again and again, and checking one takes as long as running it. */
const known = new WeakMap<GraphQLSchema, Map<string, DocumentNode>>();

function read(schema: GraphQLSchema, query: string): { document: DocumentNode; problems: readonly GraphQLError[] } {
  const queries = known.get(schema) ?? new Map<string, DocumentNode>();
  known.set(schema, queries);
  const kept = queries.get(query);
  if (kept) return { document: kept, problems: [] };
  const document = parse(query, { maxTokens: MAX_TOKENS });
  const problems = validate(schema, document);
  if (queries.size >= MAX_KEPT) queries.clear();
  if (problems.length === 0) queries.set(query, document);
  return { document, problems };
}

/** Runs a GraphQL request in an emulator. How its errors are reported is the provider's own matter. */
export function executeGraphql(schema: GraphQLSchema, rootValue: object, body: GraphqlBody | undefined): GraphqlResult {
  if (typeof body?.query !== "string" || body.query === "")
    return {
      problem: "missing",
      errors: [new GraphQLError("GraphQL operations must contain a non-empty `query`.")],
    };
  try {
    const { document, problems } = read(schema, body.query);
    if (problems.length > 0) return { problem: "schema", errors: problems };
    const { data, errors = [] } = executeSync({
      schema,
      document,
      rootValue,
      ...(body.variables ? { variableValues: body.variables } : {}),
      ...(body.operationName ? { operationName: body.operationName } : {}),
    });
    return errors.length > 0 && data === undefined ? { problem: "variables", errors } : { data, errors };
  } catch (error) {
    if (error instanceof GraphQLError) return { problem: "syntax", errors: [error] };
    throw error;
  }
}
