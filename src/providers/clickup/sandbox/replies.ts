import type { EmulatedReply, EmulatedRequest } from "../../../contracts/emulator.ts";
import { reply } from "../../../emulator-kit/emulator.ts";
import type { SandboxTask, State } from "./data.ts";

export const errorReply = (status: number, err: string, ECODE: string) => reply(status, { err, ECODE });

export const isTrue = (value: string | null) => value === "true" || value === "1";

/** A task as it is sent: the description in Markdown only on request. */
export const shown = (query: URLSearchParams) => (task: SandboxTask) => {
  const { markdown_description, ...rest } = task;
  return isTrue(query.get("include_markdown_description")) ? { ...rest, markdown_description } : rest;
};

/** Whatever the user cannot see belongs to a workspace that was not granted. */
export const notAuthorized = () => errorReply(401, "Team not authorized", "OAUTH_027");

/** A route below one task, which refuses an unknown one. */
export const taskRoute =
  (handle: (task: SandboxTask, request: EmulatedRequest, state: State) => EmulatedReply) =>
  (request: EmulatedRequest, state: State): EmulatedReply => {
    const task = state.workspaces.flatMap(({ tasks }) => tasks).find(({ id }) => id === request.params.task);
    return task ? handle(task, request, state) : errorReply(404, "Task not found, deleted", "ITEM_013");
  };
