import { type ApplicationHooks, get, type HookedList } from "../../provider-kit/index.ts";

const conversations: HookedList = { deletes: ["conversation_deleted"] };

/** https://dev.frontapp.com/docs/application-webhooks */
export const hooks: ApplicationHooks = {
  per: "application",
  secret: "hook_secret",
  steps: [
    "In Front, open **Settings**, **Developers** and the app. Copy the signing key of the app, and enter it as the signing secret of the integration (`hook_secret`).",
    "Add the feature **Webhooks** with the address, and choose all events. Front calls the address when you save: the signing key has to be entered before.",
  ],
  signature: {
    kind: "hmac",
    headers: ["x-front-signature"],
    algorithm: "sha256",
    encoding: "base64",
    signed: "{timestamp}:{body}",
    timestamp: { in: { header: "x-front-request-timestamp" }, unit: "milliseconds", windowSeconds: 300 },
  },
  handshake: { in: "header", name: "x-front-challenge", answer: "text", isSigned: true },
  events: ({ body }) => (body?.type === "sync" ? [] : [String(body?.type)]),
  lists: {
    "helpdesk.listTickets": conversations,
    "ticketing.listTickets": conversations,
    "helpdesk.listComments": { events: ["inbound_received", "outbound_sent", "new_comment_added"] },
  },
  account: async ({ upstream }) => String((await upstream<{ id: string }>(get("/me"))).body.id),
  accounts: ({ body }) => [String(body?.authorization?.id)],
};
