import { changeableList, helpdeskLists } from "../../../emulator-kit/changes.ts";
import { isTicket } from "../records.ts";
import type { State } from "./data.ts";

const seconds = (now: Date) => now.getTime() / 1000;
const newId = (prefix: string, nth: number) => `${prefix}_${(50_000_000 + nth).toString(36)}`;

const conversations = changeableList({
  items: ({ conversations }: State) => conversations,
  shows:
    () =>
    ({ conversation }) =>
      isTicket(conversation),
  id: ({ conversation }) => conversation.id,
  update: ({ title, now }, { conversation }) => ({
    conversation: { ...conversation, subject: title, updated_at: seconds(now) },
  }),
  create: ({ nth, title, now }, { conversation }) => ({
    conversation: {
      ...conversation,
      id: newId("cnv", nth),
      subject: title,
      created_at: seconds(now),
      updated_at: seconds(now),
    },
    messages: [],
    comments: [],
  }),
  updatedFirst: true,
});

/** Those of teammates. Messages are e-mail: nobody can take them back. */
const comments = changeableList({
  items: ({ conversations }: State, { ticket_id }) =>
    conversations.find(({ conversation }) => conversation.id === ticket_id)?.comments,
  parameters: ({ conversations }) => ({
    ticket_id: conversations.find(({ conversation, comments }) => isTicket(conversation) && comments.length > 0)
      ?.conversation.id,
  }),
  sample: ({ conversations }) => conversations.find(({ comments }) => comments.length > 0)?.comments[0],
  id: ({ id }) => id,
  update: ({ title }) => ({ body: title }),
  create: ({ nth, now }) => ({ id: newId("com", nth), posted_at: seconds(now) }),
});

const contacts = changeableList({
  items: ({ contacts }: State) => contacts,
  id: ({ id }) => id,
  update: ({ title }) => ({ name: title }),
  create: ({ nth }) => ({
    id: newId("crd", nth),
    handles: [{ handle: `created-${nth}@example.com`, source: "email" }],
  }),
});

export const changes = helpdeskLists(conversations, comments, contacts);
