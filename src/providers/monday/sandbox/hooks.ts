import {
  type EmulatedHandshake,
  type EmulatedHook,
  type EmulatedHooks,
  HOOK_SECRET,
  hookRegistry,
  taskRecords,
} from "../../../emulator-kit/index.ts";
import type { State } from "./data.ts";
import { failure, notFound } from "./errors.ts";
import type { Input } from "./writes.ts";

const registry = hookRegistry<{ board: string; event: string }>();

/** The event that a webhook is for, and what its requests call it. */
const SENT = {
  task: {
    create: ["create_item", "create_pulse"],
    update: ["change_name", "update_name"],
    delete: ["item_deleted", "delete_pulse"],
  },
  comment: {
    create: ["create_update", "create_update"],
    update: ["edit_update", "edit_update"],
    delete: ["delete_update", "delete_update"],
  },
};

/** https://developer.monday.com/api-reference/reference/webhooks#sample-payload-for-webhook-events */
export const hooks: EmulatedHooks<State> = {
  registered: registry.registered,
  request({ list, kind, id, now, parameters }, { items }, hook: EmulatedHook) {
    const record = taskRecords[list] === "comment" ? "comment" : "task";
    const [event, type] = SENT[record][kind];
    const registered = hook as ReturnType<typeof registry.add>;
    const item = record === "task" ? String(id) : parameters.task_id;
    const board = items.find((one) => one.id === item)?.boardId ?? parameters.project_id;
    if (event !== registered.event || board !== registered.board) return undefined;
    return {
      body: {
        event: {
          app: "monday",
          type,
          triggerTime: now.toISOString(),
          subscriptionId: Number(registered.id),
          boardId: Number(board),
          pulseId: Number(item),
          ...(record === "comment" && { updateId: Number(id) }),
        },
      },
    };
  },
};

/** The webhook, and how monday.com finds out whether somebody answers at its address. */
export function createWebhook({ board_id = "", url = "", event = "" }: Input, state: State) {
  if (!state.boards.some(({ id }) => id === board_id)) throw notFound("Board not found");
  const id = registry.nextId();
  registry.add(state, {
    id,
    url,
    secret: HOOK_SECRET,
    board: board_id,
    event,
    covers: (list) => taskRecords[list] !== undefined && taskRecords[list] !== "project",
  });
  const challenge = `challenge-${id}`;
  const handshake: EmulatedHandshake = {
    url,
    body: { challenge },
    accepts: ({ status, text }) => status === 200 && text === JSON.stringify({ challenge }),
    otherwise() {
      registry.remove(state, id);
      return failure(400);
    },
  };
  return { webhook: { id, board_id, event, config: null }, handshake };
}

export function deleteWebhook({ id = "" }: Input, state: State) {
  const found = registry.find(state, id);
  if (!found) throw notFound("Webhook not found");
  registry.remove(state, id);
  return { id, board_id: found.board, event: found.event, config: null };
}
