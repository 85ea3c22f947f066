import { type ConnectionHooks, hookedTaskLists, path, post, remove, type Upstream } from "../../provider-kit/index.ts";
import { readTeams } from "./places.ts";

/** `taskUpdated` includes every change of a task: https://developer.clickup.com/docs/webhooktaskpayloads */
const EVENTS = [
  "taskCreated",
  "taskUpdated",
  "taskDeleted",
  "taskMoved",
  "taskCommentPosted",
  "taskCommentUpdated",
  "listCreated",
  "listUpdated",
  "listDeleted",
];

interface Made {
  webhook: { id: string; secret: string };
}

const removeAll = (ids: readonly string[], upstream: Upstream) =>
  Promise.all(ids.map((id) => upstream(remove(path`/webhook/${id}`))));

/** One in each workspace: https://developer.clickup.com/reference/createwebhook */
export const hooks: ConnectionHooks = {
  per: "connection",
  secret: "hook",
  // https://developer.clickup.com/docs/webhooksignature
  signature: { kind: "hmac", headers: ["x-signature"], algorithm: "sha256", encoding: "hex" },
  events: ({ body }) => [String(body?.event)],
  lists: hookedTaskLists({
    tasks: {
      events: ["taskCreated", "taskUpdated", "taskDeleted", "taskMoved"],
      deletes: ["taskDeleted", "taskMoved"],
    },
    projects: { events: ["listCreated", "listUpdated", "listDeleted"], deletes: ["listDeleted"] },
    // A deleted comment has no event.
    comments: { events: ["taskCommentPosted", "taskCommentUpdated"] },
  }),
  async create({ upstream, url }) {
    const made: Made["webhook"][] = [];
    try {
      for (const { id } of await readTeams(upstream)) {
        const { body } = await upstream<Made>(post(path`/team/${id}/webhook`, { endpoint: url, events: EVENTS }));
        made.push(body.webhook);
      }
    } catch (error) {
      await removeAll(
        made.map(({ id }) => id),
        upstream,
      );
      throw error;
    }
    return {
      remote: { ids: made.map(({ id }) => id).join(" ") },
      secret: made.map(({ secret }) => secret).join("\n"),
    };
  },
  remove: ({ upstream }, { ids = "" }) => removeAll(ids.split(" ").filter(Boolean), upstream),
};
