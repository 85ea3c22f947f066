import type { EmulatedTool } from "../../../emulator-kit/index.ts";

// Tool names as on Linear's MCP server: https://linear.app/docs/mcp
export const mcp: Record<string, EmulatedTool> = {
  list_issues: {
    description: "List issues in the user's Linear workspace",
    input: {},
    optional: { limit: { type: "number" }, cursor: { type: "string" } },
    request: ({ limit = 50, cursor }) => ({
      method: "POST",
      path: "/graphql",
      body: {
        query: `query Issues($first: Int, $after: String) { issues(first: $first, after: $after) {
          nodes { id identifier title url } pageInfo { hasNextPage endCursor } } }`,
        variables: { first: limit, after: cursor },
      },
    }),
  },
};
