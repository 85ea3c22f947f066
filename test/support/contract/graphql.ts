// Checks a GraphQL exchange against an official schema: the document must be valid, and executing it on the answer's data
// must give no errors.
import { buildSchema, executeSync, parse, validate } from "graphql";
import type { ObservedExchange } from "./index.ts";

export function createGraphqlChecker(sdl: string) {
  const schema = buildSchema(sdl, { assumeValid: true });
  return function check({ request, reply }: ObservedExchange): string[] {
    const text = request.body?.query;
    if (typeof text !== "string" || reply.body?.data == null) return [];
    const document = parse(text);
    const problems = validate(schema, document).map((error) => `query: ${error.message}`);
    if (problems.length > 0) return problems;
    const result = executeSync({
      schema,
      document,
      rootValue: reply.body.data,
      variableValues: request.body.variables,
      // By the name in the response, which an alias may have changed.
      fieldResolver: (source, _arguments, _context, { path }) => source?.[path.key],
    });
    return (result.errors ?? []).map((error) => `reply: ${error.message.replace(/\d+/g, "*")}`);
  };
}
