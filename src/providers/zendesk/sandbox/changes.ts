import { changeableList, helpdeskLists, listsByKey, toSecond } from "../../../emulator-kit/index.ts";
import type { State } from "./data.ts";
import { withNote } from "./fields.ts";

const KEPT = "comments of a ticket are its history: they are neither changed nor deleted";

const tickets = changeableList({
  items: ({ tickets }: State) => tickets,
  update: ({ title, now }, { custom_fields }) => ({
    subject: title,
    custom_fields: withNote(custom_fields, title),
    updated_at: toSecond(now),
  }),
  create: ({ nth, now }, { url }) => ({
    id: 100_000 + nth,
    url: url.replace(/\d+\.json$/, `${100_000 + nth}.json`),
    created_at: toSecond(now),
  }),
  onCreate: ({ id }, { comments }) => void comments.set(id, []),
});

const comments = changeableList({
  ...listsByKey("ticket_id", ({ comments }: State) => comments),
  // https://developer.zendesk.com/api-reference/ticketing/tickets/ticket_comments/
  impossible: { update: KEPT, delete: KEPT },
  update: ({ title }) => ({ body: title, html_body: `<p>${title}</p>`, plain_body: title }),
  create: ({ nth, now }) => ({ id: 20_000_000 + nth, created_at: toSecond(now) }),
});

const customers = changeableList({
  items: ({ users }: State) => users,
  isShown: ({ role }) => role === "end-user",
  keeps: ({ tickets }) => tickets.map(({ requester_id }) => String(requester_id)),
  update: ({ title, now }, { user_fields }) => ({
    name: title,
    user_fields: { ...user_fields, note: title },
    updated_at: toSecond(now),
  }),
  create: ({ nth, now }) => ({
    id: 30_000_000 + nth,
    email: `created-${nth}@example.com`,
    created_at: toSecond(now),
  }),
});

export const changes = helpdeskLists(tickets, comments, customers);
