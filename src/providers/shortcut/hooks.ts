import { type ConnectionHooks, hookedTaskLists, path, post, remove } from "../../provider-kit/index.ts";

/** Of the whole workspace: https://help.shortcut.com/hc/en-us/articles/34734717380756 */
export const hooks: ConnectionHooks = {
  per: "connection",
  needs: "Its user has to be a member of the workspace, and not an observer.",
  secret: "hook",
  // https://developer.shortcut.com/api/webhook/v1#Signature
  signature: { kind: "hmac", headers: ["payload-signature"], algorithm: "sha256", encoding: "hex" },
  // https://developer.shortcut.com/api/webhook/v1
  events: ({ body }) => [body?.actions ?? []].flat().map((action) => `${action?.entity_type}.${action?.action}`),
  // Teams have no events.
  lists: hookedTaskLists({
    tasks: { events: ["story", "label"], deletes: ["story.delete"] },
    comments: { events: ["story-comment"], deletes: ["story-comment.delete"] },
  }),
  async create({ upstream, url, secret }) {
    const { body } = await upstream<{ id: number }>(post("/integrations/webhook", { webhook_url: url, secret }));
    return { remote: { id: String(body.id) } };
  },
  remove: ({ upstream }, { id = "" }) => upstream(remove(path`/integrations/webhook/${id}`)),
};
