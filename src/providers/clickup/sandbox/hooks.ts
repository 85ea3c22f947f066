import { randomBytes } from "node:crypto";
import {
  type EmulatedHook,
  type EmulatedHooks,
  type EmulatedRequest,
  type EmulatedRoute,
  type HookedChange,
  hookRegistry,
  reply,
  taskRecords,
  uuid,
} from "../../../emulator-kit/index.ts";
import { LISTS, me, SPRINT, type State } from "./data.ts";
import { errorReply } from "./errors.ts";

const registry = hookRegistry<{ team: string; events: string[] }>();

const EVENTS = {
  task: { create: "taskCreated", update: "taskUpdated", delete: "taskDeleted" },
  project: { create: "listCreated", update: "listUpdated", delete: "listDeleted" },
  // There is none for a deleted comment.
  comment: { create: "taskCommentPosted", update: "taskCommentUpdated", delete: undefined },
};

/** The workspace of a record. Those that are gone were in the first one. */
function teamOf({ list, id, parameters }: HookedChange, { tasks, lists }: State): string {
  if (taskRecords[list] === "project") {
    const space = lists.find((one) => one.id === id)?.space.id;
    return LISTS.find((one) => one.space === space)?.team ?? SPRINT.team;
  }
  const task = taskRecords[list] === "task" ? id : parameters.task_id;
  return tasks.find((one) => one.id === task)?.team_id ?? SPRINT.team;
}

/** https://developer.clickup.com/docs/webhooktaskpayloads */
export const hooks: EmulatedHooks<State> = {
  registered: registry.registered,
  request(change, state, hook: EmulatedHook) {
    const record = taskRecords[change.list];
    const event = record && EVENTS[record][change.kind];
    const { id: webhook_id, team, events } = hook as ReturnType<typeof registry.add>;
    if (!event || !events.includes(event) || teamOf(change, state) !== team) return undefined;
    const subject =
      record === "project"
        ? { list_id: String(change.id) }
        : { task_id: record === "task" ? String(change.id) : change.parameters.task_id };
    return { body: { event, ...subject, webhook_id } };
  },
};

/** https://developer.clickup.com/reference/createwebhook */
export const hookRoutes = (
  findTeam: (request: EmulatedRequest, state: State) => { id: string },
): Record<string, EmulatedRoute<State>> => ({
  "POST /api/v2/team/:team/webhook"(request, state) {
    const team = findTeam(request, state).id;
    const { endpoint, events } = request.body ?? {};
    if (typeof endpoint !== "string" || !Array.isArray(events))
      return errorReply(400, "Webhook endpoint invalid", "OAUTH_103");
    const id = uuid(Number(registry.nextId()));
    const secret = randomBytes(32).toString("hex").toUpperCase();
    registry.add(state, { id, url: endpoint, secret, team, events, covers: (list) => list in taskRecords });
    return reply(200, {
      id,
      webhook: {
        id,
        userid: me.id,
        team_id: Number(team),
        endpoint,
        client_id: "sandbox",
        events,
        task_id: null,
        list_id: null,
        folder_id: null,
        space_id: null,
        health: { status: "active", fail_count: 0 },
        secret,
      },
    });
  },
  "DELETE /api/v2/webhook/:webhook": ({ params }, state) =>
    registry.remove(state, params.webhook!) ? reply(200, {}) : errorReply(404, "Webhook not found", "OAUTH_104"),
});
