import type { EmulatedTool } from "../../../emulator-kit/index.ts";
import { path } from "../../../provider-kit/index.ts";

const API = "/api/1.0";

const listTool = (list: string, owner: string): EmulatedTool => ({
  description: `List the ${list} of a ${owner}`,
  input: { [owner]: { type: "string" } },
  optional: { limit: { type: "number" } },
  request: ({ limit = 20, ...input }) => ({ path: `${API}/${list}`, query: { ...input, limit } }),
});

// What the tools do is that of Asana's own server; their names are not verified.
// https://developers.asana.com/docs/mcp-server
export const mcp: Record<string, EmulatedTool> = {
  get_me: { description: "Get the authenticated user", input: {}, request: () => ({ path: `${API}/users/me` }) },
  get_projects: listTool("projects", "workspace"),
  get_tasks: listTool("tasks", "project"),
  get_task: {
    description: "Get a task",
    input: { task_id: { type: "string" } },
    request: ({ task_id }) => ({ path: API + path`/tasks/${task_id}` }),
  },
};
