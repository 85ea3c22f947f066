import { changeableList, helpdeskLists, toSecond } from "../../../emulator-kit/index.ts";
import { isComment } from "../records.ts";
import { type Conversation, link, type State } from "./data.ts";
import { withNote } from "./fields.ts";

const newId = (nth: number) => 50_000_000 + nth;
const isShown = ({ state }: Conversation) => state !== "deleted";
const firstCommented = ({ conversations }: State) =>
  conversations.find((one) => isShown(one) && one.threads.some(isComment));

const conversations = changeableList({
  items: ({ conversations }: State) => conversations,
  isShown,
  update: ({ title, now }, { customFields }) => ({
    subject: title,
    customFields: withNote(customFields, title),
    userUpdatedAt: toSecond(now),
    modifiedAt: toSecond(now),
  }),
  create: ({ nth, now }, { threads }) => ({
    id: newId(nth),
    number: 100_000 + nth,
    createdAt: toSecond(now),
    threads: threads.slice(-1).map((thread) => ({ ...thread, id: newId(nth) })),
  }),
});

const comments = changeableList({
  items: ({ conversations }: State, { ticket_id }) => conversations.find(({ id }) => String(id) === ticket_id)?.threads,
  parameters: (state) => ({ ticket_id: String(firstCommented(state)?.id) }),
  sample: (state) => firstCommented(state)?.threads.find(isComment),
  isShown: isComment,
  update: ({ title }) => ({ body: title }),
  create: ({ nth, now }) => ({ id: newId(nth), createdAt: toSecond(now) }),
  newestFirst: true,
  impossible: { delete: "a thread stays in its conversation" },
});

const customers = changeableList({
  items: ({ customers }: State) => customers,
  keeps: ({ conversations }) => conversations.map(({ primaryCustomer }) => String(primaryCustomer.id)),
  update: ({ title, now }) => ({ firstName: title, updatedAt: toSecond(now) }),
  create: ({ nth, now }, { _embedded }) => ({
    id: newId(nth),
    createdAt: toSecond(now),
    _embedded: { ..._embedded, emails: [{ id: newId(nth), value: `created-${nth}@example.com`, type: "work" }] },
    _links: { self: link(`/customers/${newId(nth)}`) },
  }),
});

export const changes = helpdeskLists(conversations, comments, customers);
