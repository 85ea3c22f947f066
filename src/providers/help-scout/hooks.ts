import { type ConnectionHooks, type HookedList, path, post, remove } from "../../provider-kit/index.ts";
import { createdId } from "./writes.ts";

const EVENTS = [
  ...["convo.created", "convo.deleted", "convo.merged", "convo.moved", "convo.assigned", "convo.status", "convo.tags"],
  ...["convo.custom-fields", "convo.customer.reply.created", "convo.agent.reply.created", "convo.note.created"],
  ...["customer.created", "customer.updated", "customer.deleted"],
];
const MAX_SECRET_LENGTH = 40;

const conversations: HookedList = { events: ["convo"], deletes: ["convo.deleted", "convo.merged"] };

/** https://developer.helpscout.com/webhooks/ */
export const hooks: ConnectionHooks = {
  per: "connection",
  needs: "Its user may have to be an administrator.",
  secret: "hook",
  signature: { kind: "hmac", headers: ["x-helpscout-signature"], algorithm: "sha1", encoding: "base64" },
  events: ({ headers }) => [headers["x-helpscout-event"] ?? ""],
  lists: {
    "helpdesk.listTickets": conversations,
    "ticketing.listTickets": conversations,
    "helpdesk.listComments": {
      events: ["convo.created", "convo.merged", "convo.customer", "convo.agent", "convo.note"],
    },
    "helpdesk.listCustomers": { events: ["customer"], deletes: ["customer.deleted"] },
  },
  // https://developer.helpscout.com/mailbox-api/endpoints/webhooks/create/
  async create({ upstream, url, secret: random }) {
    const secret = random.slice(0, MAX_SECRET_LENGTH);
    const answer = await upstream(
      post("/webhooks", { url, secret, events: EVENTS, payloadVersion: "V2", notification: true, label: "Plugboard" }),
    );
    return { remote: { id: createdId(answer) }, secret };
  },
  remove: ({ upstream }, { id = "" }) => upstream(remove(path`/webhooks/${id}`)),
};
