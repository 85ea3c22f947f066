import { changeableList, helpdeskLists } from "../../../emulator-kit/index.ts";
import { NOTE } from "./attributes.ts";
import type { SandboxPart, State } from "./data.ts";

const seconds = (now: Date) => Math.floor(now.getTime() / 1000);
const isWritten = ({ part_type }: SandboxPart) => part_type === "comment" || part_type === "note";
const firstCommented = ({ tickets }: State) => tickets.find(({ parts }) => parts.some(isWritten));

const tickets = changeableList({
  items: ({ tickets }: State) => tickets,
  update: ({ title, now }, { ticket_attributes }) => ({
    ticket_attributes: { ...ticket_attributes, _default_title_: title, [NOTE]: title },
    updated_at: seconds(now),
  }),
  create: ({ nth, now }) => ({
    id: String(215_480_000_000_000 + nth),
    ticket_id: String(10_000 + nth),
    parts: [],
    created_at: seconds(now),
  }),
});

const comments = changeableList({
  items: ({ tickets }: State, { ticket_id }) => tickets.find(({ id }) => id === ticket_id)?.parts,
  parameters: (state) => ({ ticket_id: firstCommented(state)?.id }),
  isShown: isWritten,
  sample: (state) => firstCommented(state)?.parts.find(isWritten),
  update: ({ title, now }) => ({ body: `<p>${title}</p>`, updated_at: seconds(now) }),
  create: ({ nth, now }) => ({ id: String(20_000_000 + nth), created_at: seconds(now) }),
  impossible: { delete: "a part of a ticket can be redacted, but stays in the ticket" },
});

const contacts = changeableList({
  items: ({ contacts }: State) => contacts,
  keeps: ({ tickets }) => tickets.flatMap((ticket) => ticket.contacts.contacts.map(({ id }) => id)),
  update: ({ title, now }, { custom_attributes }) => ({
    name: title,
    custom_attributes: { ...custom_attributes, note: title },
    updated_at: seconds(now),
  }),
  create: ({ nth, now }) => ({
    id: `6ba682d2${nth.toString(16).padStart(16, "0")}`,
    external_id: null,
    email: `created-${nth}@example.com`,
    created_at: seconds(now),
  }),
});

export const changes = helpdeskLists(tickets, comments, contacts);
