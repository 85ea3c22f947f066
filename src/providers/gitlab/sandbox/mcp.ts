import type { EmulatedTool } from "../../../contracts/emulator.ts";
import { path } from "../../../provider-kit/request.ts";

const API = "/api/v4";
const project = { id: { type: "string", description: "ID or path of the project" } };

// Names as on GitLab's own server: https://docs.gitlab.com/user/gitlab_duo/model_context_protocol/mcp_server/
export const mcp: Record<string, EmulatedTool> = {
  create_issue: {
    description: "Create an issue in a project",
    input: { ...project, title: { type: "string" } },
    optional: { description: { type: "string" }, labels: { type: "string" } },
    request: ({ id, title, description, labels }) => ({
      method: "POST",
      path: API + path`/projects/${id}/issues`,
      body: { title, description, labels },
    }),
  },
  list_issues: {
    description: "List the issues of a project",
    input: project,
    optional: { per_page: { type: "number" } },
    request: ({ id, per_page }) => ({ path: API + path`/projects/${id}/issues`, query: { per_page } }),
  },
  list_merge_requests: {
    description: "List the merge requests of a project",
    input: project,
    optional: { per_page: { type: "number" } },
    request: ({ id, per_page }) => ({ path: API + path`/projects/${id}/merge_requests`, query: { per_page } }),
  },
};
