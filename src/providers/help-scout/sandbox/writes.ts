import type { EmulatedReply, EmulatedRequest } from "../../../contracts/emulator.ts";
import { reply } from "../../../emulator-kit/emulator.ts";
import {
  conversation,
  customer,
  customerRef,
  mailboxes,
  me,
  type SandboxCustomer,
  type State,
  type StoredConversation,
  tagRef,
  thread,
  time,
  userRef,
} from "./data.ts";

const now = () => time(new Date());

/** https://developer.helpscout.com/mailbox-api/overview/errors/ */
const invalid = (path: string, message: string) =>
  reply(400, {
    logRef: "cb73aad3-9a81-44fd-bf70-48250ea256ff#13",
    message: "Validation error",
    _embedded: { errors: [{ path, message, source: "JSON" }] },
  });

const created = (id: number, path: string) =>
  reply(201, undefined, { "resource-id": String(id), location: `https://api.helpscout.net${path}` });

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

function touch(stored: StoredConversation): void {
  stored.modifiedAt = now();
  stored.conversation.userUpdatedAt = stored.modifiedAt;
}

/** By ID, or by email address; whoever is new becomes a customer. */
function findCustomer(state: State, sent: { id?: number; email?: string; firstName?: string; lastName?: string }) {
  const { id, email, firstName = null, lastName = null } = sent;
  const known = state.customers.find(
    (one) => one.id === id || (email !== undefined && one._embedded.emails.some(({ value }) => value === email)),
  );
  if (known || !isText(email)) return known;
  const added: SandboxCustomer = customer(state.nextId++, { firstName, lastName, email }, now());
  state.customers.push(added);
  return added;
}

export function createConversation({ body }: EmulatedRequest, state: State): EmulatedReply {
  const { subject, mailboxId, type, status, threads, tags = [] } = body ?? {};
  if (!isText(subject)) return invalid("subject", "may not be empty");
  if (!mailboxes.some(({ id }) => id === mailboxId)) return invalid("mailboxId", "does not exist");
  if (type !== "email") return invalid("type", "is not valid");
  if (!["active", "pending", "closed"].includes(status)) return invalid("status", "is not valid");
  const [first] = Array.isArray(threads) ? threads : [];
  if (!isText(first?.text)) return invalid("threads", "may not be empty");
  const requester = findCustomer(state, body.customer ?? {});
  if (!requester) return invalid("customer", "may not be null");
  const id = state.nextId++;
  const createdAt = now();
  const by = customerRef(requester);
  state.conversations.push({
    modifiedAt: createdAt,
    threads: [
      thread({ id: state.nextId++, type: first.type, createdBy: by, customer: by, createdAt, body: first.text }),
    ],
    conversation: conversation({
      id,
      number: 15_000 + state.conversations.length,
      subject,
      status,
      state: "published",
      mailboxId,
      assignee: undefined,
      createdBy: by,
      requester,
      tags,
      createdAt,
      userUpdatedAt: createdAt,
    }),
  });
  return created(id, `/v2/conversations/${id}`);
}

/** One operation of JSON Patch, not a list of them. */
export function patchConversation({ body }: EmulatedRequest, state: State, stored: StoredConversation): EmulatedReply {
  const { op, path, value } = body ?? {};
  if (op !== "replace") return invalid("op", "is not valid");
  if (path === "/status") {
    if (!["active", "pending", "closed", "spam", "open"].includes(value)) return invalid("value", "is not valid");
    stored.conversation.status = value;
  } else if (path === "/assignTo") {
    const user = state.users.find(({ id }) => id === value);
    if (!user) return invalid("value", "User does not exist");
    stored.conversation.assignee = userRef(user);
  } else return invalid("path", "is not valid");
  touch(stored);
  return reply(204);
}

export function replaceTags({ body }: EmulatedRequest, _: State, stored: StoredConversation): EmulatedReply {
  if (!Array.isArray(body?.tags) || !body.tags.every(isText)) return invalid("tags", "is not valid");
  stored.conversation.tags = body.tags.map(tagRef);
  touch(stored);
  return reply(204);
}

const addThread =
  (type: "note" | "message") =>
  ({ body }: EmulatedRequest, state: State, stored: StoredConversation): EmulatedReply => {
    if (!isText(body?.text)) return invalid("text", "may not be empty");
    const { primaryCustomer } = stored.conversation;
    if (type === "message" && body.customer?.id !== primaryCustomer.id) return invalid("customer", "may not be null");
    const id = state.nextId++;
    stored.threads.unshift(
      thread({ id, type, createdBy: userRef(me), customer: primaryCustomer, createdAt: now(), body: body.text }),
    );
    touch(stored);
    return created(id, `/v2/conversations/${stored.conversation.id}/threads/${id}`);
  };
export const addNote = addThread("note");
export const addReply = addThread("message");
