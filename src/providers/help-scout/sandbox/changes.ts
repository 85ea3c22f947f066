import { changeableList, helpdeskLists } from "../../../emulator-kit/changes.ts";
import { isComment } from "../records.ts";
import { link, type State, time } from "./data.ts";

const newId = (nth: number) => 50_000_000 + nth;
const firstCommented = ({ conversations }: State) =>
  conversations.find(({ conversation, threads }) => conversation.state !== "deleted" && threads.some(isComment));

const conversations = changeableList({
  items: ({ conversations }: State) => conversations,
  shows:
    () =>
    ({ conversation }) =>
      conversation.state !== "deleted",
  id: ({ conversation }) => String(conversation.id),
  update: ({ title, now }, { conversation }) => ({
    conversation: { ...conversation, subject: title, userUpdatedAt: time(now) },
    modifiedAt: time(now),
  }),
  create: ({ nth, title, now }, { conversation, threads }) => ({
    conversation: {
      ...conversation,
      id: newId(nth),
      number: 100_000 + nth,
      subject: title,
      createdAt: time(now),
      userUpdatedAt: time(now),
    },
    threads: threads.slice(-1).map((thread) => ({ ...thread, id: newId(nth) })),
  }),
});

const comments = changeableList({
  items: ({ conversations }: State, { ticket_id }) =>
    conversations.find(({ conversation }) => String(conversation.id) === ticket_id)?.threads,
  parameters: (state) => ({ ticket_id: String(firstCommented(state)?.conversation.id) }),
  sample: (state) => firstCommented(state)?.threads.find(isComment),
  shows: () => isComment,
  id: ({ id }) => String(id),
  update: ({ title }) => ({ body: title }),
  create: ({ nth, now }) => ({ id: newId(nth), createdAt: time(now) }),
  newestFirst: true,
  impossible: { delete: "a thread stays in its conversation" },
});

const customers = changeableList({
  items: ({ customers }: State) => customers,
  keeps: ({ conversations }) => conversations.map(({ conversation }) => String(conversation.primaryCustomer.id)),
  id: ({ id }) => String(id),
  update: ({ title, now }) => ({ firstName: title, updatedAt: time(now) }),
  create: ({ nth, now }, { _embedded }) => ({
    id: newId(nth),
    createdAt: time(now),
    _embedded: { ..._embedded, emails: [{ id: newId(nth), value: `created-${nth}@example.com`, type: "work" }] },
    _links: { self: link(`/customers/${newId(nth)}`) },
  }),
});

export const changes = helpdeskLists(conversations, comments, customers);
