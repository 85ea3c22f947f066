import type { EmulatedTool } from "../../contracts/emulator.ts";
import { path } from "../../provider-kit/request.ts";

const ofRepository = (list: string, description: string): EmulatedTool => ({
  description,
  input: { owner: { type: "string" }, repo: { type: "string" } },
  optional: { page: { type: "number" }, perPage: { type: "number" } },
  request: ({ owner, repo, page, perPage }) => ({
    path: path`/repos/${owner}/${repo}/${list}`,
    query: { page, per_page: perPage },
  }),
});

// Names and arguments of GitHub's own: https://github.com/github/github-mcp-server
export const mcp: Record<string, EmulatedTool> = {
  get_me: { description: "Get details of the authenticated user", input: {}, request: () => ({ path: "/user" }) },
  list_issues: ofRepository("issues", "List issues in a repository"),
  list_pull_requests: ofRepository("pulls", "List pull requests in a repository"),
  list_branches: ofRepository("branches", "List branches in a repository"),
  list_releases: ofRepository("releases", "List releases in a repository"),
  list_tags: ofRepository("tags", "List tags in a repository"),
};
