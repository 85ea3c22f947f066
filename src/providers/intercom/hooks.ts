import { type ApplicationHooks, get, type HookedList } from "../../provider-kit/index.ts";

const tickets: HookedList = { events: ["ticket"] };

/** https://developers.intercom.com/docs/webhooks */
export const hooks: ApplicationHooks = {
  per: "application",
  secret: "client_secret",
  steps: [
    "In the [Developer Hub](https://app.intercom.com/a/apps/_/developer-hub), open the app, **Configure** and **Webhooks**, and enter the address as endpoint URL.",
    "Choose all [topics](https://developers.intercom.com/docs/references/2.16/webhooks/webhook-models) that start with `ticket.` and `contact.`, and save.",
    "Requests are signed with the client secret of the app.",
  ],
  // https://developers.intercom.com/docs/webhooks/webhook-notifications
  signature: { kind: "hmac", headers: ["x-hub-signature"], algorithm: "sha1", encoding: "hex", prefix: "sha1=" },
  events: ({ body }) => (body?.topic === "ping" ? [] : [String(body?.topic)]),
  lists: {
    "helpdesk.listTickets": tickets,
    "ticketing.listTickets": tickets,
    "helpdesk.listComments": tickets,
    "helpdesk.listCustomers": {
      events: ["contact"],
      deletes: ["contact.deleted", "contact.archived", "contact.merged"],
    },
  },
  account: async ({ upstream }) => (await upstream<{ app: { id_code: string } }>(get("/me"))).body.app.id_code,
  accounts: ({ body }) => [String(body?.app_id)],
};

/** An access token belongs to an app of the workspace, whose secret the integration does not have. */
export const hooksOfOwnApp: ApplicationHooks = {
  ...hooks,
  secret: "hook_secret",
  steps: [
    ...hooks.steps.slice(0, 2),
    "Enter the client secret of the app, under **Basic information**, as the signing secret of the integration (`hook_secret`); with several apps, the secrets of all of them, separated by spaces.",
  ],
};
