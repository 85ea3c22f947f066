import { changeableList, helpdeskLists, listsByKey, toSecond } from "../../../emulator-kit/index.ts";
import type { State } from "./data.ts";

const tickets = changeableList({
  items: ({ tickets }: State) => tickets,
  isShown: ({ spam, deleted }) => !spam && !deleted,
  update: ({ title, now }, { custom_fields }) => ({
    subject: title,
    custom_fields: { ...custom_fields, cf_note: title },
    updated_at: toSecond(now),
  }),
  create: ({ nth, now }) => ({ id: 100_000 + nth, created_at: toSecond(now) }),
  onCreate: ({ id }, { conversations }) => void conversations.set(id, []),
});

const conversations = changeableList({
  ...listsByKey("ticket_id", ({ conversations }: State) => conversations),
  update: ({ title, now }) => ({ body: `<div>${title}</div>`, body_text: title, updated_at: toSecond(now) }),
  create: ({ nth, now }) => ({ id: 20_000_000 + nth, created_at: toSecond(now) }),
});

const contacts = changeableList({
  items: ({ contacts }: State) => contacts,
  keeps: ({ tickets }) => tickets.map(({ requester_id }) => String(requester_id)),
  update: ({ title, now }, { custom_fields }) => ({
    name: title,
    custom_fields: { ...custom_fields, note: title },
    updated_at: toSecond(now),
  }),
  create: ({ nth, now }) => ({
    id: 1_000_000 + nth,
    email: `created-${nth}@example.com`,
    created_at: toSecond(now),
  }),
});

export const changes = helpdeskLists(tickets, conversations, contacts);
