import {
  checkFields,
  type EmulatedReply,
  type EmulatedRequest,
  isText,
  refuse,
  reply,
  toSecond,
} from "../../../emulator-kit/index.ts";
import {
  type Conversation,
  conversation,
  customer,
  customerRef,
  mailboxes,
  me,
  type State,
  tagRef,
  thread,
  userRef,
  users,
} from "./data.ts";
import { readFields } from "./fields.ts";

const now = () => toSecond(new Date());

/** https://developer.helpscout.com/mailbox-api/overview/errors/ */
const invalid = (path: string) =>
  reply(400, {
    logRef: "cb73aad3-9a81-44fd-bf70-48250ea256ff#13",
    message: "Validation error",
    _embedded: { errors: [{ path, message: "is not valid", source: "JSON" }] },
  });

export const created = ({ id }: { id: number }) => reply(201, undefined, { "resource-id": String(id) });

function touched(changed: Conversation): EmulatedReply {
  changed.modifiedAt = now();
  changed.userUpdatedAt = changed.modifiedAt;
  return reply(204);
}

/** By ID, or by email address; whoever is new becomes a customer. */
function findCustomer(state: State, { id, email, firstName = null, lastName = null }: EmulatedRequest["body"]) {
  const known = state.customers.find(
    (one) => one.id === id || (email !== undefined && one._embedded.emails.some(({ value }) => value === email)),
  );
  if (known) return known;
  if (!isText(email)) return refuse(invalid("customer"));
  const added = customer(state.nextId++, firstName, lastName, email, now());
  state.customers.push(added);
  return added;
}

export function newConversation({ body }: EmulatedRequest, state: State): Conversation {
  const { subject, mailboxId, type, status, threads: [first] = [], tags = [] } = body ?? {};
  checkFields(
    {
      subject: isText(subject),
      mailboxId: mailboxes.some(({ id }) => id === mailboxId),
      type: type === "email",
      status: ["active", "pending", "closed"].includes(status),
      threads: isText(first?.text),
    },
    invalid,
  );
  const customFields = readFields(body.fields, invalid);
  const requester = findCustomer(state, body.customer ?? {});
  const id = state.nextId++;
  const createdAt = now();
  const by = customerRef(requester);
  return conversation(requester, tags, {
    ...{ id, subject, status, mailboxId, createdAt },
    number: 15_000 + state.conversations.length,
    customFields,
    state: "published",
    userUpdatedAt: createdAt,
    modifiedAt: createdAt,
    threads: [
      thread({ id: state.nextId++, type: first.type, createdBy: by, customer: by, createdAt, body: first.text }),
    ],
  });
}

/** One operation of JSON Patch, not a list of them. */
export function changeConversation(changed: Conversation, { body }: EmulatedRequest): EmulatedReply {
  const { op, path, value } = body ?? {};
  const user = users.find(({ id }) => id === value);
  const isStatus = path === "/status";
  checkFields(
    {
      op: op === "replace",
      path: isStatus || path === "/assignTo",
      value: isStatus ? ["active", "pending", "closed", "spam"].includes(value) : user !== undefined,
    },
    invalid,
  );
  if (isStatus) changed.status = value;
  else changed.assignee = userRef(user!);
  return touched(changed);
}

export function replaceTags(changed: Conversation, { body }: EmulatedRequest): EmulatedReply {
  checkFields({ tags: Array.isArray(body?.tags) && body.tags.every(isText) }, invalid);
  changed.tags = body.tags.map(tagRef);
  return touched(changed);
}

/** Those that are left out are removed. */
export function replaceFields(changed: Conversation, { body }: EmulatedRequest): EmulatedReply {
  checkFields({ fields: Array.isArray(body?.fields) }, invalid);
  changed.customFields = readFields(body.fields, invalid);
  return touched(changed);
}

export const addThread =
  (type: "note" | "message") =>
  (changed: Conversation, { body }: EmulatedRequest, state: State): EmulatedReply => {
    const { primaryCustomer } = changed;
    checkFields(
      { text: isText(body?.text), customer: type === "note" || body?.customer?.id === primaryCustomer.id },
      invalid,
    );
    const added = { id: state.nextId++, type, createdBy: userRef(me), customer: primaryCustomer, createdAt: now() };
    changed.threads.unshift(thread({ ...added, body: body.text }));
    touched(changed);
    return created(added);
  };
