import {
  type EmulatedHooks,
  type EmulatedReply,
  type EmulatedRoute,
  hookRegistry,
  reply,
  taskRecords,
  toSecond,
  uuid,
} from "../../../emulator-kit/index.ts";
import { members, type State } from "./data.ts";

const registry = hookRegistry();

const ENTITIES = { task: "story", comment: "story-comment", project: undefined };

/** https://developer.shortcut.com/api/webhook/v1 */
export const hooks: EmulatedHooks<State> = {
  registered: registry.registered,
  request({ list, kind: action, id, now, parameters: { task_id } }) {
    const record = taskRecords[list];
    const entity_type = record && ENTITIES[record];
    if (!entity_type) return undefined;
    const changed = { id: Number(id), entity_type, action };
    const story = { id: Number(task_id), entity_type: "story", action: "update", changes: { comment_ids: {} } };
    return {
      body: {
        id: uuid(Number(id)),
        changed_at: now.toISOString(),
        version: "v1",
        primary_id: Number(id),
        member_id: members[0]!.id,
        actions: record === "comment" ? [changed, story] : [changed],
      },
    };
  },
};

/** https://help.shortcut.com/hc/en-us/articles/34734717380756 */
export const hookRoutes = (failure: (status: number) => EmulatedReply): Record<string, EmulatedRoute<State>> => ({
  "POST /api/v3/integrations/webhook"({ body }, state) {
    const { webhook_url, secret = "" } = body ?? {};
    if (typeof webhook_url !== "string") return failure(400);
    const id = registry.nextId();
    registry.add(state, { id, url: webhook_url, secret, covers: (list) => list in taskRecords });
    const time = toSecond(new Date());
    return reply(201, {
      entity_type: "integration",
      webhook_url,
      disabled: false,
      type: "generic",
      creator_id: members[0]!.id,
      updated_at: time,
      id: Number(id),
      has_secret: secret !== "",
      created_at: time,
    });
  },
  "DELETE /api/v3/integrations/webhook/:id": ({ params }, state) =>
    registry.remove(state, params.id!) ? reply(204) : failure(404),
});
