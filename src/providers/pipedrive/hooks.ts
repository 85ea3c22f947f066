import { type ConnectionHooks, type HookedList, path, post, remove } from "../../provider-kit/index.ts";

/** A webhook is for one type of object, or for all of them. */
const changesOf = (object: string): HookedList => ({ deletes: [`${object}.delete`], target: () => object });

/** https://pipedrive.readme.io/docs/guide-for-webhooks-v2 */
export const hooks: ConnectionHooks = {
  per: "connection",
  needs: "With OAuth, the app has to have the scope webhooks:full. A user can have 40 webhooks.",
  secret: "hook",
  // Pipedrive does not sign requests. It sends the user name and the password that it was given.
  signature: { kind: "basic" },
  events: ({ body }) => [`${body?.meta?.entity}.${body?.meta?.action}`],
  lists: {
    "crm.listContacts": changesOf("person"),
    "crm.listCompanies": changesOf("organization"),
    "crm.listDeals": changesOf("deal"),
  },
  // https://developers.pipedrive.com/docs/api/v1/Webhooks#addWebhook
  async create({ upstream, target, url, secret }) {
    const webhook = {
      name: "Plugboard",
      subscription_url: url,
      event_action: "*",
      event_object: target,
      version: "2.0",
    };
    const { body } = await upstream<{ data: { id: number } }>(
      post("/webhooks", { ...webhook, http_auth_user: "plugboard", http_auth_password: secret }, {}, { to: "v1" }),
    );
    return { remote: { id: String(body.data.id) } };
  },
  remove: ({ upstream }, { id = "" }) => upstream({ ...remove(path`/webhooks/${id}`), to: "v1" }),
};
