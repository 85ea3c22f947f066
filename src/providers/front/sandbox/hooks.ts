import type { ChangeKind, EmulatedHooks } from "../../../emulator-kit/index.ts";
import { HOST, me, type State } from "./data.ts";

const CONVERSATION = { create: "inbound_received", update: "assignee_changed", delete: "conversation_deleted" };

/** The event that Front sends for a change of a list. There is none for contacts. */
const SENT: Record<string, Partial<Record<ChangeKind, string>>> = {
  "helpdesk.listTickets": CONVERSATION,
  "ticketing.listTickets": CONVERSATION,
  "helpdesk.listComments": { create: "new_comment_added" },
};

/** https://dev.frontapp.com/docs/application-webhooks */
export const hooks: EmulatedHooks<State> = {
  request({ list, kind, id, parameters, now }) {
    const type = SENT[list]?.[kind];
    if (!type) return undefined;
    const conversation = parameters.ticket_id ?? id;
    const payload = {
      _links: { self: `${HOST}/events/evt_${now.getTime().toString(36)}` },
      id: `evt_${now.getTime().toString(36)}`,
      emitted_at: now.getTime() / 1000,
      conversation: { _links: { self: `${HOST}/conversations/${conversation}` }, id: conversation },
    };
    return { body: { type, authorization: { id: me.id }, payload } };
  },
  challenge: () => ({
    headers: { "x-front-challenge": "3f8d2b0c9a" },
    body: { type: "sync", authorization: { id: me.id } },
  }),
};
