import { randomUUID } from "node:crypto";
import {
  type ChangeKind,
  type EmulatedHooks,
  type EmulatedReply,
  type EmulatedRoute,
  hookRegistry,
  refuse,
  reply,
} from "../../../emulator-kit/index.ts";
import { me, type State } from "./data.ts";

const registry = hookRegistry();

const TICKET = { create: "ticket.created", update: "ticket.subject_changed", delete: "ticket.soft_deleted" };

/** The event that Zendesk sends for a change of a list. */
const SENT: Record<string, Partial<Record<ChangeKind, string>>> = {
  "helpdesk.listTickets": TICKET,
  "ticketing.listTickets": TICKET,
  "helpdesk.listComments": { create: "ticket.comment_added" },
  "helpdesk.listCustomers": { create: "user.created", update: "user.name_changed", delete: "user.deleted" },
};

/** https://developer.zendesk.com/api-reference/webhooks/event-types/webhook-event-types/ */
export const hooks: EmulatedHooks<State> = {
  registered: registry.registered,
  request({ list, kind, id, parameters, now }) {
    const event = SENT[list]?.[kind];
    if (!event) return undefined;
    const [object] = event.split(".");
    const subject = event === "ticket.comment_added" ? parameters.ticket_id : id;
    return {
      headers: { "x-zendesk-account-id": "123456" },
      body: {
        account_id: 123_456,
        id: randomUUID(),
        type: `zen:event-type:${event}`,
        time: now.toISOString(),
        zendesk_event_version: "2022-11-06",
        subject: `zen:${object}:${subject}`,
        detail: { id: String(subject) },
        event: {},
      },
    };
  },
};

export const hookRoutes = (failure: (status: number) => EmulatedReply): Record<string, EmulatedRoute<State>> => ({
  "POST /api/v2/webhooks"({ body }, state) {
    const { name, endpoint, http_method, request_format, status, subscriptions } = body?.webhook ?? {};
    // With event subscriptions, other methods and formats are refused.
    if (!name || !endpoint || http_method !== "POST" || request_format !== "json") refuse(failure(400));
    const id = `01HOOK${registry.nextId()}`;
    registry.add(state, {
      id,
      url: endpoint,
      secret: randomUUID(),
      covers: (list) =>
        Object.values(SENT[list] ?? {}).some((event) => subscriptions.includes(`zen:event-type:${event}`)),
    });
    const created = { created_at: new Date().toISOString(), created_by: String(me.id) };
    return reply(201, {
      webhook: { id, name, endpoint, http_method, request_format, status, subscriptions, ...created },
    });
  },
  "GET /api/v2/webhooks/:webhook/signing_secret"({ params }, state) {
    const { secret } = registry.find(state, params.webhook!) ?? refuse(failure(404));
    return reply(200, { signing_secret: { algorithm: "SHA256", secret } });
  },
  "DELETE /api/v2/webhooks/:webhook": ({ params }, state) =>
    registry.remove(state, params.webhook!) ? reply(204) : failure(404),
});
