import type { EmulatedTool } from "../../contracts/emulator.ts";
import { path } from "../../provider-kit/request.ts";

const cloud = { cloudId: { type: "string", description: "ID of the site" } };
const api = (cloudId: string) => path`/ex/jira/${cloudId}/rest/api/3`;

// Names as on Atlassian's own server: https://github.com/atlassian/atlassian-mcp-server
export const mcp: Record<string, EmulatedTool> = {
  getAccessibleAtlassianResources: {
    description: "List the sites that the user can access",
    input: {},
    request: () => ({ path: "/oauth/token/accessible-resources" }),
  },
  searchJiraIssuesUsingJql: {
    description: "Search issues with JQL",
    input: { ...cloud, jql: { type: "string" } },
    optional: { maxResults: { type: "number" }, nextPageToken: { type: "string" } },
    request: ({ cloudId, jql, maxResults, nextPageToken }) => ({
      path: `${api(cloudId)}/search/jql`,
      query: { jql, maxResults, nextPageToken, fields: "summary,status" },
    }),
  },
  getVisibleJiraProjects: {
    description: "List the projects that the user can see",
    input: cloud,
    request: ({ cloudId }) => ({ path: `${api(cloudId)}/project/search` }),
  },
  getJiraIssue: {
    description: "Get an issue",
    input: { ...cloud, issueIdOrKey: { type: "string" } },
    request: ({ cloudId, issueIdOrKey }) => ({ path: api(cloudId) + path`/issue/${issueIdOrKey}` }),
  },
};
