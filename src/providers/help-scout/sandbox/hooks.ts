import {
  type ChangeKind,
  type EmulatedHooks,
  type EmulatedReply,
  type EmulatedRoute,
  hookRegistry,
  refuse,
  reply,
} from "../../../emulator-kit/index.ts";
import type { State } from "./data.ts";

const registry = hookRegistry();

const CONVERSATION = { create: "convo.created", update: "convo.custom-fields", delete: "convo.deleted" };

/** The event that Help Scout sends for a change of a list. There is none for a thread that is edited. */
const SENT: Record<string, Partial<Record<ChangeKind, string>>> = {
  "helpdesk.listTickets": CONVERSATION,
  "ticketing.listTickets": CONVERSATION,
  "helpdesk.listComments": { create: "convo.customer.reply.created" },
  "helpdesk.listCustomers": { create: "customer.created", update: "customer.updated", delete: "customer.deleted" },
};

/** https://developer.helpscout.com/webhooks/ */
export const hooks: EmulatedHooks<State> = {
  registered: registry.registered,
  request({ list, kind, id, parameters }) {
    const event = SENT[list]?.[kind];
    if (!event) return undefined;
    const [type] = event.split(".");
    const changed = parameters.ticket_id ?? id;
    const address = `https://api.helpscout.net/v2/${type === "convo" ? "conversations" : "customers"}/${changed}`;
    return { headers: { "x-helpscout-event": event }, body: { _links: { self: { href: address } }, id: changed } };
  },
};

export const hookRoutes = (
  failure: (status: number, message?: string) => EmulatedReply,
): Record<string, EmulatedRoute<State>> => ({
  "POST /v2/webhooks"({ body }, state) {
    const { url, secret, events } = body ?? {};
    if (!URL.canParse(url)) refuse(failure(400, "url: is not valid"));
    if (typeof secret !== "string" || secret.length > 40) refuse(failure(400, "secret: is not valid"));
    if (!Array.isArray(events)) refuse(failure(400, "events: is not valid"));
    const { id } = registry.add(state, {
      ...{ id: registry.nextId(), url, secret },
      covers: (list) => Object.values(SENT[list] ?? {}).some((event) => events.includes(event)),
    });
    return reply(201, undefined, { "resource-id": id });
  },
  "DELETE /v2/webhooks/:webhook": ({ params }, state) =>
    registry.remove(state, params.webhook!) ? reply(204) : failure(404),
});
