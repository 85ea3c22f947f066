import { changeableList, firstFilled, helpdeskLists } from "../../../emulator-kit/changes.ts";
import { toSecond } from "../../../emulator-kit/data.ts";
import type { State } from "./data.ts";

const tickets = changeableList({
  items: ({ tickets }: State) => tickets,
  shows:
    () =>
    ({ spam, deleted }) =>
      !spam && !deleted,
  id: ({ id }) => String(id),
  update: ({ title, now }) => ({ subject: title, updated_at: toSecond(now) }),
  create: ({ nth, now }) => ({ id: 100_000 + nth, created_at: toSecond(now) }),
  onCreate({ id }, { conversations }) {
    conversations[id] = [];
  },
});

const conversations = changeableList({
  items: ({ conversations }: State, { ticket_id }) => conversations[ticket_id!],
  parameters: ({ conversations }) => ({ ticket_id: firstFilled(Object.entries(conversations))?.key }),
  sample: ({ conversations }) => firstFilled(Object.entries(conversations))?.sample,
  id: ({ id }) => String(id),
  update: ({ title, now }) => ({ body: `<div>${title}</div>`, body_text: title, updated_at: toSecond(now) }),
  create: ({ nth, now }) => ({ id: 20_000_000 + nth, created_at: toSecond(now) }),
});

const contacts = changeableList({
  items: ({ contacts }: State) => contacts,
  keeps: ({ tickets }) => tickets.map(({ requester_id }) => String(requester_id)),
  id: ({ id }) => String(id),
  update: ({ title, now }) => ({ name: title, updated_at: toSecond(now) }),
  create: ({ nth, now }) => ({
    id: 1_000_000 + nth,
    email: `created-${nth}@example.com`,
    created_at: toSecond(now),
  }),
});

export const changes = helpdeskLists(tickets, conversations, contacts);
