import { randomUUID } from "node:crypto";
import type { ChangeKind, EmulatedHooks } from "../../../emulator-kit/index.ts";
import { type State, WORKSPACE } from "./data.ts";

const TICKET = { create: "ticket.created", update: "ticket.attribute.updated" };

/** The topic of a change of a list. */
const TOPICS: Record<string, Partial<Record<ChangeKind, string>>> = {
  "helpdesk.listTickets": TICKET,
  "ticketing.listTickets": TICKET,
  "helpdesk.listComments": { create: "ticket.admin.replied" },
  "helpdesk.listCustomers": {
    create: "contact.user.created",
    update: "contact.user.updated",
    delete: "contact.deleted",
  },
};

/** https://developers.intercom.com/docs/webhooks/webhook-notifications */
export const hooks: EmulatedHooks<State> = {
  request({ list, kind, id, parameters, now }) {
    const topic = TOPICS[list]?.[kind];
    if (!topic) return undefined;
    const [type] = topic.split(".");
    const seconds = Math.floor(now.getTime() / 1000);
    return {
      body: {
        type: "notification_event",
        app_id: WORKSPACE,
        data: { type: "notification_event_data", item: { type, id: parameters.ticket_id ?? id } },
        links: {},
        id: `notif_${randomUUID()}`,
        topic,
        ...{ delivery_status: "pending", delivery_attempts: 1, delivered_at: 0 },
        ...{ first_sent_at: seconds, created_at: seconds, self: null },
      },
    };
  },
  // The address is only checked for an answer.
  challenge: () => ({ method: "HEAD" }),
};
