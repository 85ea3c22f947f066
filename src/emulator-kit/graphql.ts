// `plugboard/provider-kit/sandbox/graphql`: what the emulator of a GraphQL API needs.
import { executeSync, GraphQLError, type GraphQLSchema, parse, validate } from "graphql";

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

/** Runs a GraphQL request in an emulator. How its errors are reported is the provider's own matter. */
export function executeGraphql(schema: GraphQLSchema, rootValue: object, body: GraphqlBody | undefined): GraphqlResult {
  if (typeof body?.query !== "string" || body.query === "")
    return {
      problem: "missing",
      errors: [new GraphQLError("GraphQL operations must contain a non-empty `query`.")],
    };
  try {
    // Far more than any client sends: running a query of a megabyte would take seconds.
    const document = parse(body.query, { maxTokens: 10_000 });
    const problems = validate(schema, document);
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
