import type { EmulatedReply, EmulatedRequest } from "../../../contracts/emulator.ts";
import { reply } from "../../../emulator-kit/emulator.ts";
import {
  API_BOT,
  comment,
  conversation,
  inboxes,
  message,
  newContact,
  recipient,
  type State,
  type StoredConversation,
  stranger,
  tags,
} from "./data.ts";

const now = () => Date.now() / 1000;
const newId = (state: State, prefix: string) => `${prefix}_${(state.nextId++).toString(36)}`;

const invalid = (message: string) => reply(400, { _error: { status: 400, title: "Bad request", message } });
const missing = () =>
  reply(404, { _error: { status: 404, title: "Not found", message: "Requested resource was not found" } });

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** What changed comes first in the list. */
function bump(state: State, stored: StoredConversation): void {
  stored.conversation.updated_at = now();
  state.conversations = [stored, ...state.conversations.filter((one) => one !== stored)];
}

const accepted = (message_uid: string) => reply(202, { status: "accepted", message_uid });

function findContact(state: State, name: string | undefined, handle: string) {
  const known = state.contacts.find(({ handles }) => handles.some((one) => one.handle === handle));
  if (known) return known;
  const added = newContact(newId(state, "crd"), name ?? null, handle);
  state.contacts.push(added);
  return added;
}

export function importMessage({ params, body }: EmulatedRequest, state: State): EmulatedReply {
  const { sender, to, subject = "", external_id, created_at, metadata } = body ?? {};
  if (!inboxes.includes(params.inbox ?? "")) return missing();
  if (!isText(sender?.handle)) return invalid("body.sender.handle: missing");
  if (!Array.isArray(to) || !to.every(isText)) return invalid("body.to: expected an array of strings");
  if (!isText(body.body)) return invalid("body.body: missing");
  if (!isText(external_id)) return invalid("body.external_id: missing");
  if (!Number.isInteger(created_at)) return invalid("body.created_at: expected an integer");
  if (typeof metadata?.is_inbound !== "boolean") return invalid("body.metadata.is_inbound: missing");
  const unknown = body.tags?.find((name: string) => !tags.some((tag) => tag.name === name));
  if (unknown !== undefined) return invalid(`body.tags: there is no tag "${unknown}"`);
  const uid = external_id.slice(0, 32);
  const isKnown = state.conversations.some(({ messages }) => messages.some((one) => one.message_uid === uid));
  if (isKnown) return accepted(uid);
  const customer = recipient(findContact(state, sender.name, sender.handle), "from");
  // Without a reference, a message joins the conversation with its sender.
  const joined = metadata.thread_ref
    ? undefined
    : state.conversations.find(({ conversation: { recipient: other } }) => other?.handle === customer.handle);
  const id = joined?.conversation.id ?? newId(state, "cnv");
  const fields = { id: newId(state, "msg"), uid, conversation: id, subject, body: body.body, created_at };
  if (joined) {
    joined.messages.push(message({ ...fields, from: customer, author: null }));
    bump(state, joined);
    return accepted(uid);
  }
  const stored: StoredConversation = {
    messages: [message({ ...fields, from: customer, author: null })],
    comments: [],
    conversation: conversation({
      id,
      type: "conversation",
      subject,
      // Imported messages are archived unless told otherwise.
      status: metadata.is_archived === false ? "unassigned" : "archived",
      assignee: null,
      recipient: customer,
      tags: tags.filter(({ name }) => body.tags?.includes(name)),
      created_at,
      updated_at: created_at,
    }),
  };
  bump(state, stored);
  return accepted(uid);
}

export function readMessage({ params }: EmulatedRequest, { conversations }: State): EmulatedReply {
  const uid = params.message?.replace(/^alt:uid:/, "");
  const found = conversations
    .flatMap(({ messages }) => messages)
    .find(({ id, message_uid }) => id === params.message || message_uid === uid);
  return found ? reply(200, found) : missing();
}

export function changeConversation({ body }: EmulatedRequest, state: State, stored: StoredConversation): EmulatedReply {
  const { status, assignee_id, tag_ids } = body ?? {};
  const { conversation: changed } = stored;
  if (status !== undefined && !["archived", "open", "deleted", "spam"].includes(status))
    return invalid("body.status: should be one of archived, open, deleted, spam");
  const assignee = state.teammates.find(({ id }) => id === assignee_id);
  if (assignee_id !== undefined && !assignee) return missing();
  const chosen = tags.filter(({ id }) => tag_ids?.includes(id));
  if (tag_ids !== undefined && chosen.length !== tag_ids.length) return missing();
  if (assignee) changed.assignee = assignee;
  if (tag_ids !== undefined) changed.tags = chosen;
  const isOpen = status === "open" || (status === undefined && ["assigned", "unassigned"].includes(changed.status));
  if (isOpen) changed.status = changed.assignee ? "assigned" : "unassigned";
  else if (status !== undefined) changed.status = status === "archived" ? "archived" : "deleted";
  bump(state, stored);
  return reply(204);
}

export function addComment({ body }: EmulatedRequest, state: State, stored: StoredConversation): EmulatedReply {
  if (!isText(body?.body)) return invalid("body.body: missing");
  const added = comment(newId(state, "com"), stored.conversation.id, API_BOT, body.body, now());
  stored.comments.push(added);
  bump(state, stored);
  return reply(201, added);
}

export function sendReply({ body }: EmulatedRequest, state: State, stored: StoredConversation): EmulatedReply {
  if (!isText(body?.body)) return invalid("body.body: missing");
  const { id, subject, recipient: customer, type } = stored.conversation;
  if (type !== "conversation") return invalid("Only conversations with messages can be replied to");
  const uid = newId(state, "uid");
  stored.messages.push(
    message({
      id: newId(state, "msg"),
      uid,
      conversation: id,
      from: customer ? { ...customer, role: "to" } : stranger("customer", "to"),
      author: API_BOT,
      body: body.body,
      subject,
      created_at: now(),
    }),
  );
  // A reply archives the conversation unless told otherwise.
  if (body.options?.archive !== false) stored.conversation.status = "archived";
  bump(state, stored);
  return accepted(uid);
}
