import { randomBytes } from "node:crypto";
import {
  type EmulatedHooks,
  type EmulatedRoute,
  hookRegistry,
  reply,
  taskRecords,
} from "../../../emulator-kit/index.ts";
import { ME, type State } from "./data.ts";
import { errorReply, unknownObject } from "./replies.ts";

const registry = hookRegistry<{ resource: string }>();

const ACTIONS = { create: "added", update: "changed", delete: "deleted" };

/** https://developers.asana.com/reference/events */
export const hooks: EmulatedHooks<State> = {
  registered: registry.registered,
  request({ list, kind, id, now, parameters: { project_id, task_id } }) {
    const resource_type = taskRecords[list] === "task" ? "task" : "story";
    const parent = { gid: project_id ?? task_id, resource_type: project_id ? "project" : "task" };
    const event = { user: { gid: ME.gid, resource_type: "user" }, created_at: now.toISOString(), parent };
    return { body: { events: [{ ...event, action: ACTIONS[kind], resource: { gid: String(id), resource_type } }] } };
  },
};

/** https://developers.asana.com/reference/createwebhook */
export const hookRoutes: Record<string, EmulatedRoute<State>> = {
  "POST /api/1.0/webhooks"({ body }, state) {
    const { resource, target, filters = [] } = body?.data ?? {};
    const found = state.projects.find(({ gid }) => gid === resource) ?? state.tasks.find(({ gid }) => gid === resource);
    if (!found) return unknownObject("resource", resource);
    if (typeof target !== "string") return errorReply(400, "target: Missing input");
    const id = registry.nextId();
    const secret = randomBytes(16).toString("hex");
    const types = filters.map(({ resource_type }: { resource_type?: string }) => resource_type);
    registry.add(state, {
      id,
      url: target,
      secret,
      resource,
      covers(list, { project_id, task_id }) {
        const [type, watched] = taskRecords[list] === "task" ? ["task", project_id] : ["story", task_id];
        return taskRecords[list] !== "project" && types.includes(type) && watched === resource;
      },
    });
    const { gid, name, resource_type } = found;
    return {
      ...reply(201, {
        data: {
          gid: id,
          resource_type: "webhook",
          active: true,
          resource: { gid, name, resource_type },
          target,
          created_at: new Date().toISOString(),
          filters,
        },
        "X-Hook-Secret": secret,
      }),
      handshake: {
        url: target,
        headers: { "x-hook-secret": secret },
        accepts: ({ status, headers }) => (status === 200 || status === 204) && headers.get("x-hook-secret") === secret,
        otherwise() {
          registry.remove(state, id);
          return errorReply(400, "The remote server did not respond with the handshake secret.");
        },
      },
    };
  },
  "DELETE /api/1.0/webhooks/:gid": ({ params }, state) =>
    registry.remove(state, params.gid!) ? reply(200, { data: {} }) : unknownObject("webhook", params.gid),
};
