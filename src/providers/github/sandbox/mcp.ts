import type { EmulatedTool } from "../../../emulator-kit/index.ts";
import { path } from "../../../provider-kit/index.ts";

const repositoryTool = (list: string, description: string): EmulatedTool => ({
  description,
  input: { owner: { type: "string" }, repo: { type: "string" } },
  optional: { page: { type: "number" }, perPage: { type: "number" } },
  request: ({ owner, repo, page, perPage }) => ({
    path: path`/repos/${owner}/${repo}/${list}`,
    query: { page, per_page: perPage },
  }),
});

// Names and arguments are those of GitHub's own MCP server: https://github.com/github/github-mcp-server
export const mcp: Record<string, EmulatedTool> = {
  get_me: { description: "Get details of the authenticated user", input: {}, request: () => ({ path: "/user" }) },
  list_issues: repositoryTool("issues", "List issues in a repository"),
  list_pull_requests: repositoryTool("pulls", "List pull requests in a repository"),
  list_branches: repositoryTool("branches", "List branches in a repository"),
  list_releases: repositoryTool("releases", "List releases in a repository"),
  list_tags: repositoryTool("tags", "List tags in a repository"),
};
