import { type ConnectionHooks, path, post, remove } from "../../provider-kit/index.ts";

/** A board or a card may also be named by its short link, but not in a webhook. */
const ID = /^[0-9a-f]{24}$/;
const model = (id = "") => (ID.test(id) ? id : undefined);

/** https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/ */
export const hooks: ConnectionHooks = {
  per: "connection",
  needs: "Its user has to be able to see the board or the card.",
  // https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/#webhook-signatures
  secret: "hook_secret",
  signature: {
    kind: "hmac",
    headers: ["x-trello-webhook"],
    algorithm: "sha1",
    encoding: "base64",
    signed: "{body}{url}",
  },
  // https://developer.atlassian.com/cloud/trello/guides/rest-api/action-types/
  events: ({ body }) => [String(body?.action?.type)],
  // What happens on a board concerns its cards: a list that is renamed is the status of all that are in it.
  lists: {
    "tasks.listTasks": {
      deletes: ["deleteCard", "moveCardFromBoard"],
      target: ({ project_id }) => model(project_id),
    },
    "tasks.listComments": {
      events: ["commentCard", "copyCommentCard", "updateComment", "deleteComment"],
      deletes: ["deleteComment"],
      target: ({ task_id }) => model(task_id),
    },
  },
  async create({ upstream, target: idModel, url: callbackURL }) {
    const { body } = await upstream<{ id: string }>(
      post("/webhooks", { idModel, callbackURL, description: "Plugboard" }),
    );
    return { remote: { id: body.id } };
  },
  remove: ({ upstream }, { id = "" }) => upstream(remove(path`/webhooks/${id}`)),
};
