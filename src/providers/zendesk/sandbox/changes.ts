import { changeableList, firstFilled, helpdeskLists } from "../../../emulator-kit/changes.ts";
import { toSecond } from "../../../emulator-kit/data.ts";
import type { State } from "./data.ts";

const KEPT = "comments of a ticket are its history: they are neither changed nor deleted";

const tickets = changeableList({
  items: ({ tickets }: State) => tickets,
  id: ({ id }) => String(id),
  update: ({ title, now }) => ({
    subject: title,
    raw_subject: title,
    updated_at: toSecond(now),
    generated_timestamp: Math.floor(now.getTime() / 1000),
  }),
  create: ({ nth, now }, { url }) => ({
    id: 100_000 + nth,
    url: url.replace(/\d+\.json$/, `${100_000 + nth}.json`),
    created_at: toSecond(now),
  }),
  onCreate({ id }, { comments }) {
    comments[id] = [];
  },
});

const comments = changeableList({
  items: ({ comments }: State, { ticket_id }) => comments[ticket_id!],
  parameters: ({ comments }) => ({ ticket_id: firstFilled(Object.entries(comments))?.key }),
  sample: ({ comments }) => firstFilled(Object.entries(comments))?.sample,
  // https://developer.zendesk.com/api-reference/ticketing/tickets/ticket_comments/
  impossible: { update: KEPT, delete: KEPT },
  id: ({ id }) => String(id),
  update: ({ title }) => ({ body: title, html_body: `<p>${title}</p>`, plain_body: title }),
  create: ({ nth, now }) => ({ id: 20_000_000 + nth, created_at: toSecond(now) }),
});

const customers = changeableList({
  items: ({ users }: State) => users,
  shows:
    () =>
    ({ role }) =>
      role === "end-user",
  keeps: ({ tickets }) => tickets.map(({ requester_id }) => String(requester_id)),
  id: ({ id }) => String(id),
  update: ({ title, now }) => ({ name: title, updated_at: toSecond(now) }),
  create: ({ nth, now }) => ({
    id: 30_000_000 + nth,
    email: `created-${nth}@example.com`,
    created_at: toSecond(now),
  }),
});

export const changes = helpdeskLists(tickets, comments, customers);
