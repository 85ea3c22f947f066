import type { EmulatedTool } from "../../../contracts/emulator.ts";
import { path } from "../../../provider-kit/request.ts";

const API = "/api/1.0";

// What the tools do is that of Asana's own server; their names are not verified.
// https://developers.asana.com/docs/mcp-server
export const mcp: Record<string, EmulatedTool> = {
  get_me: { description: "Get the authenticated user", input: {}, request: () => ({ path: `${API}/users/me` }) },
  get_projects: {
    description: "List the projects of a workspace",
    input: { workspace: { type: "string" } },
    optional: { limit: { type: "number" } },
    request: ({ workspace, limit = 20 }) => ({ path: `${API}/projects`, query: { workspace, limit } }),
  },
  get_tasks: {
    description: "List the tasks of a project",
    input: { project: { type: "string" } },
    optional: { limit: { type: "number" } },
    request: ({ project, limit = 20 }) => ({ path: `${API}/tasks`, query: { project, limit } }),
  },
  get_task: {
    description: "Get a task",
    input: { task_id: { type: "string" } },
    request: ({ task_id }) => ({ path: API + path`/tasks/${task_id}` }),
  },
};
