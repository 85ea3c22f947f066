import type { EmulatedTool } from "../../contracts/emulator.ts";
import { path } from "../../provider-kit/request.ts";

const API = "/api/v2";

// What the tools do is that of ClickUp's own server; their names are not verified.
// https://developer.clickup.com/docs/connect-an-ai-assistant-to-clickups-mcp-server
export const mcp: Record<string, EmulatedTool> = {
  clickup_get_user: { description: "Get the authenticated user", input: {}, request: () => ({ path: `${API}/user` }) },
  clickup_get_workspaces: { description: "List the workspaces", input: {}, request: () => ({ path: `${API}/team` }) },
  clickup_get_task: {
    description: "Get a task",
    input: { task_id: { type: "string" } },
    request: ({ task_id }) => ({ path: API + path`/task/${task_id}` }),
  },
  clickup_get_task_comments: {
    description: "List the comments of a task",
    input: { task_id: { type: "string" } },
    request: ({ task_id }) => ({ path: API + path`/task/${task_id}/comment` }),
  },
};
