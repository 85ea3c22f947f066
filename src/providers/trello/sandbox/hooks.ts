import {
  type EmulatedHooks,
  type EmulatedRoute,
  HOOK_SECRET,
  hookRegistry,
  reply,
  taskRecords,
} from "../../../emulator-kit/index.ts";
import { idAt, type State } from "./data.ts";

const registry = hookRegistry<{ model: string }>();

const TYPES = {
  task: { create: "createCard", update: "updateCard", delete: "deleteCard" },
  comment: { create: "commentCard", update: "updateComment", delete: "deleteComment" },
};

/** https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/#triggering-webhooks */
export const hooks: EmulatedHooks<State> = {
  registered: registry.registered,
  request({ list, kind, id, now, parameters: { project_id, task_id } }) {
    const record = taskRecords[list] === "comment" ? "comment" : "task";
    const data = record === "task" ? { card: { id } } : { card: { id: task_id }, action: { id } };
    return {
      body: {
        model: { id: project_id ?? task_id },
        action: { id: idAt(now, "a"), type: TYPES[record][kind], date: now.toISOString(), data },
      },
    };
  },
};

/** https://developer.atlassian.com/cloud/trello/rest/api-group-webhooks/ */
export const hookRoutes: Record<string, EmulatedRoute<State>> = {
  "POST /1/webhooks"({ body }, state) {
    const { idModel, callbackURL, description = "" } = body ?? {};
    const isKnown = [...state.boards, ...state.cards].some(({ id }) => id === idModel);
    if (!isKnown) return reply(400, "Invalid value for idModel");
    if (typeof callbackURL !== "string") return reply(400, "Invalid value for callbackURL");
    const id = idAt(new Date(), registry.nextId().slice(-8));
    registry.add(state, {
      id,
      url: callbackURL,
      secret: HOOK_SECRET,
      model: idModel,
      covers: (list, { project_id, task_id }) =>
        taskRecords[list] === "task" ? project_id === idModel : taskRecords[list] === "comment" && task_id === idModel,
    });
    const failures = { consecutiveFailures: 0, firstConsecutiveFailDate: null };
    return {
      ...reply(200, { id, description, idModel, callbackURL, active: true, ...failures }),
      handshake: {
        url: callbackURL,
        method: "HEAD",
        accepts: ({ status }) => status === 200,
        otherwise() {
          registry.remove(state, id);
          return reply(400, { message: "URL did not return 200 status code" });
        },
      },
    };
  },
  "DELETE /1/webhooks/:id": ({ params }, state) =>
    registry.remove(state, params.id!) ? reply(200, {}) : reply(404, "The requested resource was not found."),
};
