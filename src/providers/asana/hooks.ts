import { type ConnectionHooks, path, post, remove } from "../../provider-kit/index.ts";

/** https://developers.asana.com/reference/events */
const ACTIONS = ["added", "changed", "removed", "deleted", "undeleted"];

/** https://developers.asana.com/docs/webhooks-guide */
export const hooks: ConnectionHooks = {
  per: "connection",
  needs: "It needs the scopes webhooks:write and webhooks:delete, and access to the project or the task.",
  secret: "hook",
  // Its value is the secret, which the answer to the creation has as well.
  handshake: { in: "header", name: "x-hook-secret", answer: "header" },
  // https://developers.asana.com/docs/webhooks-guide#security
  signature: { kind: "hmac", headers: ["x-hook-signature"], algorithm: "sha256", encoding: "hex" },
  // A heartbeat has no events.
  events: ({ body }) =>
    [body?.events ?? []].flat().map((event) => `${event?.resource?.resource_type}.${event?.action}`),
  // A hook of a workspace has neither tasks nor comments: https://developers.asana.com/docs/webhooks-guide#filters
  lists: {
    "tasks.listTasks": {
      events: ["task"],
      deletes: ["task.removed", "task.deleted"],
      target: ({ project_id }) => project_id && `task:${project_id}`,
    },
    "tasks.listComments": {
      events: ["story"],
      deletes: ["story.removed", "story.deleted"],
      target: ({ task_id }) => task_id && `story:${task_id}`,
    },
  },
  async create({ upstream, target, url }) {
    const [resource_type, resource] = target.split(":");
    const filters = ACTIONS.map((action) => ({ resource_type, action }));
    const { body } = await upstream<{ data: { gid: string }; "X-Hook-Secret": string }>(
      post("/webhooks", { data: { resource, target: url, filters } }),
    );
    return { remote: { gid: body.data.gid }, secret: body["X-Hook-Secret"] };
  },
  remove: ({ upstream }, { gid = "" }) => upstream(remove(path`/webhooks/${gid}`)),
};
