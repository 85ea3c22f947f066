import type { EmulatedTool } from "../../../emulator-kit/index.ts";
import { path } from "../../../provider-kit/index.ts";

const API = "/api/v4";
const project = { id: { type: "string", description: "ID or path of the project" } };

const listTool = (list: string, description: string): EmulatedTool => ({
  description,
  input: project,
  optional: { per_page: { type: "number" } },
  request: ({ id, per_page }) => ({ path: API + path`/projects/${id}/${list}`, query: { per_page } }),
});

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
  list_issues: listTool("issues", "List the issues of a project"),
  list_merge_requests: listTool("merge_requests", "List the merge requests of a project"),
};
