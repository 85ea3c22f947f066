import {
  checkFields,
  type EmulatedReply,
  type EmulatedRequest,
  isText,
  refuse,
  reply,
} from "../../../emulator-kit/index.ts";
import {
  API_BOT,
  type Conversation,
  comment,
  contact,
  conversation,
  inboxes,
  message,
  recipient,
  type State,
  stranger,
  tags,
  teammates,
} from "./data.ts";
import { validFields } from "./fields.ts";

const FAILURES: Record<number, [title: string, message: string]> = {
  400: ["Bad request", "Invalid request"],
  401: ["Unauthenticated", "JSON Web Token error"],
  403: ["Forbidden", "Access to the resource is not allowed"],
  404: ["Not found", "Requested resource was not found"],
  422: ["Unprocessable entity", "The request could not be processed"],
  429: ["Too many requests", "Rate limit exceeded"],
};

export function failure(status: number, detail?: string): EmulatedReply {
  const [title, message] = FAILURES[status] ?? ["Internal error", "An internal error occurred"];
  const headers: Record<string, string> = status === 429 ? { "retry-after": "12" } : {};
  return reply(status, { _error: { status, title, message: detail ?? message } }, headers);
}
const invalid = (field: string) => failure(400, `body.${field}: invalid`);

const now = () => Date.now() / 1000;
const newId = (state: State, prefix: string) => `${prefix}_${(state.nextId++).toString(36)}`;

/** What changed comes first in the list. */
function bump(state: State, changed: Conversation): void {
  changed.updated_at = now();
  state.conversations = [changed, ...state.conversations.filter((one) => one !== changed)];
}

const accepted = (message_uid: string) => reply(202, { status: "accepted", message_uid });

function findContact(state: State, name: string | undefined, handle: string) {
  const known = state.contacts.find(({ handles }) => handles.some((one) => one.handle === handle));
  if (known) return known;
  const added = contact(newId(state, "crd"), name ?? null, handle);
  state.contacts.push(added);
  return added;
}

const findMessage = ({ conversations }: State, uid: string | undefined) =>
  conversations.flatMap(({ messages }) => messages).find(({ message_uid }) => message_uid === uid);

export function importMessage({ params, body }: EmulatedRequest, state: State): EmulatedReply {
  const { sender, to, subject = "", external_id, created_at, metadata, tags: names = [] } = body ?? {};
  if (!inboxes.includes(params.inbox!)) return failure(404);
  checkFields(
    {
      "sender.handle": isText(sender?.handle),
      to: Array.isArray(to) && to.every(isText),
      body: isText(body?.body),
      external_id: isText(external_id),
      created_at: Number.isInteger(created_at),
      "metadata.is_inbound": typeof metadata?.is_inbound === "boolean",
      tags: names.every((name: string) => tags.some((tag) => tag.name === name)),
    },
    invalid,
  );
  const message_uid = external_id.slice(0, 32);
  if (findMessage(state, message_uid)) return accepted(message_uid);
  const customer = recipient(findContact(state, sender.name, sender.handle), "from");
  // Without a reference, a message joins the conversation with its sender.
  const joined = state.conversations.find((one) => !metadata.thread_ref && one.recipient?.handle === sender.handle);
  const target =
    joined ??
    conversation({
      id: newId(state, "cnv"),
      type: "conversation",
      subject,
      // Imported messages are archived unless told otherwise.
      status: metadata.is_archived === false ? "unassigned" : "archived",
      assignee: null,
      recipient: customer,
      tags: tags.filter(({ name }) => names.includes(name)),
      created_at,
      updated_at: created_at,
      messages: [],
      comments: [],
    });
  const fields = { id: newId(state, "msg"), message_uid, author: null, body: body.body, created_at };
  target.messages.push(message(target, customer, fields));
  bump(state, target);
  return accepted(message_uid);
}

export const readMessage = ({ params }: EmulatedRequest, state: State): EmulatedReply =>
  reply(200, findMessage(state, params.message?.replace(/^alt:uid:/, "")) ?? refuse(failure(404)));

export function changeConversation(changed: Conversation, { body }: EmulatedRequest, state: State): EmulatedReply {
  const { status, assignee_id, tag_ids, custom_fields } = body ?? {};
  checkFields(
    {
      status: [undefined, "archived", "open", "deleted", "spam"].includes(status),
      ...validFields(custom_fields),
    },
    invalid,
  );
  const assignee = teammates.find(({ id }) => id === assignee_id);
  const chosen = tags.filter(({ id }) => tag_ids?.includes(id));
  if ((assignee_id && !assignee) || (tag_ids && chosen.length !== tag_ids.length)) return failure(404);
  if (assignee) changed.assignee = assignee;
  if (tag_ids) changed.tags = chosen;
  // Those that are left out are erased.
  if (custom_fields) changed.custom_fields = custom_fields;
  const isOpen = status === "open" || (status === undefined && ["assigned", "unassigned"].includes(changed.status));
  if (isOpen) changed.status = changed.assignee ? "assigned" : "unassigned";
  else if (status !== undefined) changed.status = status === "archived" ? "archived" : "deleted";
  bump(state, changed);
  return reply(204);
}

export function addComment(changed: Conversation, { body }: EmulatedRequest, state: State): EmulatedReply {
  checkFields({ body: isText(body?.body) }, invalid);
  const added = comment(newId(state, "com"), changed.id, API_BOT, body.body, now());
  changed.comments.push(added);
  bump(state, changed);
  return reply(201, added);
}

export function sendReply(changed: Conversation, { body }: EmulatedRequest, state: State): EmulatedReply {
  checkFields({ body: isText(body?.body), type: changed.type === "conversation" }, invalid);
  const customer = changed.recipient ? { ...changed.recipient, role: "to" } : stranger("customer", "to");
  const message_uid = newId(state, "uid");
  const fields = { id: newId(state, "msg"), message_uid, author: API_BOT, body: body.body, created_at: now() };
  changed.messages.push(message(changed, customer, fields));
  // A reply archives the conversation unless told otherwise.
  if (body.options?.archive !== false) changed.status = "archived";
  bump(state, changed);
  return accepted(message_uid);
}
