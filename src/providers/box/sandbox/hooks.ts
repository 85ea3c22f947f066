import {
  type ChangeKind,
  type EmulatedHooks,
  type EmulatedRoute,
  hookRegistry,
  type RegisteredHook,
  reply,
} from "../../../emulator-kit/index.ts";
import type { State } from "./data.ts";
import { user } from "./data.ts";
import { errorReply, failure, folders } from "./items.ts";

/** The primary signature key of every app. */
const SIGNATURE_KEY = "sandbox-hook-secret";

const TRIGGERS: Record<ChangeKind, string> = {
  create: "FILE.UPLOADED",
  update: "FILE.RENAMED",
  delete: "FILE.TRASHED",
};

const registry = hookRegistry<{ folder: string; triggers: string[] }>();

const boxTime = (at: Date) => at.toISOString().replace(/\.\d+Z$/, "-00:00");
const author = { type: "user", id: user.id, name: user.name, login: user.login };

/** https://developer.box.com/guides/webhooks/v2 */
export const hooks: EmulatedHooks<State> = {
  registered: registry.registered,
  request({ kind, id, now }, _, hook) {
    const { id: webhook, triggers } = hook as RegisteredHook<{ triggers: string[] }>;
    const trigger = TRIGGERS[kind];
    if (!triggers.includes(trigger)) return undefined;
    return {
      headers: {
        "box-delivery-id": crypto.randomUUID(),
        "box-signature-algorithm": "HmacSHA256",
        "box-signature-version": "1",
      },
      body: {
        type: "webhook_event",
        id: crypto.randomUUID(),
        created_at: boxTime(now),
        trigger,
        webhook: { id: webhook, type: "webhook" },
        created_by: author,
        source: { id: String(id), type: "file" },
        additional_info: [],
      },
    };
  },
};

/** Whether a folder is this one, or below it. */
function isWithin(state: State, folder: string | undefined, ancestor: string): boolean {
  if (folder === ancestor) return true;
  const parent = state.items.find(({ type, id }) => type === "folder" && id === folder)?.folder;
  return parent != null && isWithin(state, parent, ancestor);
}

export const hookRoutes: Record<string, EmulatedRoute<State>> = {
  // https://developer.box.com/reference/post-webhooks
  "POST /2.0/webhooks"(request, state) {
    const { target, address, triggers } = request.body ?? {};
    if (target?.type !== "folder" || typeof address !== "string" || !Array.isArray(triggers)) return failure(400);
    if (target.id === "0")
      return errorReply(400, "Webhooks can't be applied to the root folder.", { code: "bad_request" });
    const { id: folder } = folders.find({ ...request, params: { id: target.id } }, state);
    if (registry.registered(state, new Date()).some((one) => one.folder === folder))
      return errorReply(409, `Webhook: target and address already exist`, { code: "conflict" });
    const { id } = registry.add(state, {
      id: registry.nextId(),
      url: address,
      secret: SIGNATURE_KEY,
      folder,
      triggers,
      covers: (list, { folder_id }) => list === "drive.listFiles" && isWithin(state, folder_id, folder),
    });
    return reply(201, {
      id,
      type: "webhook",
      target: { id: folder, type: "folder" },
      created_by: author,
      created_at: boxTime(new Date()),
      address,
      triggers,
    });
  },
  "DELETE /2.0/webhooks/:id": ({ params }, state) => (registry.remove(state, params.id!) ? reply(204) : failure(404)),
};
