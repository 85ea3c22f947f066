import { changeableList, helpdeskLists } from "../../../emulator-kit/index.ts";
import { isTicket } from "../records.ts";
import type { State } from "./data.ts";
import { NOTE } from "./fields.ts";

const seconds = (now: Date) => now.getTime() / 1000;
const newId = (prefix: string, nth: number) => `${prefix}_${(50_000_000 + nth).toString(36)}`;
const firstCommented = ({ conversations }: State) =>
  conversations.find((one) => isTicket(one) && one.comments.length > 0);

const conversations = changeableList({
  items: ({ conversations }: State) => conversations,
  isShown: isTicket,
  update: ({ title, now }, { custom_fields }) => ({
    subject: title,
    custom_fields: { ...custom_fields, [NOTE]: title },
    updated_at: seconds(now),
  }),
  create: ({ nth, now }) => ({ id: newId("cnv", nth), created_at: seconds(now), messages: [], comments: [] }),
  updatedFirst: true,
});

/** Those of teammates. Messages are e-mail: nobody can take them back. */
const comments = changeableList({
  items: ({ conversations }: State, { ticket_id }) => conversations.find(({ id }) => id === ticket_id)?.comments,
  parameters: (state) => ({ ticket_id: firstCommented(state)?.id }),
  sample: (state) => firstCommented(state)?.comments[0],
  update: ({ title }) => ({ body: title }),
  create: ({ nth, now }) => ({ id: newId("com", nth), posted_at: seconds(now) }),
});

const contacts = changeableList({
  items: ({ contacts }: State) => contacts,
  update: ({ title }, { custom_fields }) => ({ name: title, custom_fields: { ...custom_fields, [NOTE]: title } }),
  create: ({ nth }) => ({
    id: newId("crd", nth),
    handles: [{ handle: `created-${nth}@example.com`, source: "email" }],
  }),
});

export const changes = helpdeskLists(conversations, comments, contacts);
