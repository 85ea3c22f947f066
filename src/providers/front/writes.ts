import {
  byName,
  type CategoryImplementation,
  type Context,
  Fault,
  get,
  type helpdesk,
  invalidInput,
  linkQuery,
  markdownToHtml,
  one,
  ProviderFailure,
  patch,
  path,
  post,
  toText,
  unknownValue,
} from "../../provider-kit/index.ts";
import { withWritten, writtenValues } from "./custom-fields.ts";
import {
  type FrontComment,
  type FrontConversation,
  type FrontMessage,
  linkedId,
  messageToComment,
  toComment,
  toTicket,
} from "./records.ts";

type Calls = Pick<Context, "upstream">;

interface Accepted {
  message_uid: string;
}
interface Channel {
  address?: string | null;
  is_private?: boolean | null;
  _links?: { related?: { inbox?: string | null } | null } | null;
}
interface Tag {
  id: string;
  name: string;
}
interface TagPage {
  _results: Tag[];
  _pagination?: { next?: string | null } | null;
}

function refusePriority(priority: string | undefined): void {
  if (priority !== undefined) throw unknownValue("priority", priority, []);
}

const readConversation = async ({ upstream }: Calls, id: string) =>
  (await upstream<FrontConversation>(get(path`/conversations/${id}`))).body;

/** Messages are accepted first, and can be read a moment later. In milliseconds. */
const WAITS = [100, 400, 1000, 2000];

/** https://dev.frontapp.com/reference/messages#creating-a-new-message */
export async function acceptedMessage(
  { upstream, sleep }: Pick<Context, "upstream" | "sleep">,
  { message_uid }: Accepted,
) {
  const read = () => upstream<FrontMessage>(get(path`/messages/alt:uid:${message_uid}`));
  for (const wait of [...WAITS, undefined]) {
    try {
      return (await read()).body;
    } catch (error) {
      if (!(error instanceof ProviderFailure) || error.status !== 404) throw error;
      if (wait !== undefined) await sleep(wait);
    }
  }
  throw new Fault("outcome_unknown", "Front has accepted the message, but does not show it yet: do not send it again");
}

/** Where new tickets arrive, and under which address: the first shared channel with an inbox. */
async function firstChannel({ upstream }: Calls): Promise<{ inbox: string; address: string }> {
  const { body } = await upstream<{ _results: Channel[] }>(get("/channels"));
  for (const { address, is_private, _links } of body._results) {
    const inbox = linkedId(_links?.related?.inbox);
    if (inbox && address && !is_private) return { inbox, address };
  }
  throw invalidInput({ path: ["body"], message: "cannot be created: Front has no shared channel with an inbox" });
}

const MAX_TAG_PAGES = 10;

/** Tags are set by their IDs. */
async function tagIds({ upstream }: Calls, names: readonly string[]): Promise<string[]> {
  const tags: Tag[] = [];
  let token: string | string[] | undefined;
  for (let page = 0; page < MAX_TAG_PAGES && (page === 0 || token); page++) {
    const { body } = await upstream<TagPage>(
      get("/tags", {}, { limit: 100, page_token: typeof token === "string" ? token : undefined }),
    );
    tags.push(...body._results);
    token = linkQuery(body._pagination?.next)?.page_token;
  }
  return names.map((name) => byName("tags", name, tags, (tag) => tag.name).id);
}

/** The custom fields of a conversation after a write; undefined if none is written. */
async function allCustomFields(context: Calls & Pick<Context, "written">, id: string) {
  if (context.written.length === 0) return undefined;
  const written = writtenValues(context.written);
  return withWritten((await readConversation(context, id)).custom_fields, written);
}

/** What can be set: whether an open conversation is `assigned` depends on its assignee. */
const STATUSES = ["open", "archived", "deleted", "spam"];

export const writes: CategoryImplementation<typeof helpdesk.operations> = {
  /**
   * As a message of the requester: a conversation that is created directly has no customer.
   * https://dev.frontapp.com/reference/import-inbox-message
   */
  createTicket: one({
    async load(context) {
      const { input, upstream, write, writeKey } = context;
      refusePriority(input.priority);
      const custom_fields = withWritten({}, writtenValues(context.written));
      const { inbox, address } = await firstChannel(context);
      const { body } = await write<Accepted>(
        post(path`/inboxes/${inbox}/imported_messages`, {
          sender: { handle: input.requester.email, name: input.requester.name },
          to: [address],
          subject: input.subject,
          body: markdownToHtml(input.description),
          body_format: "html",
          type: "email",
          // Front does not import two messages with the same ID.
          external_id: writeKey,
          created_at: Math.floor(Date.now() / 1000),
          tags: input.tags,
          // A thread of its own: otherwise it would join an older conversation with the same sender.
          metadata: { thread_ref: writeKey, is_inbound: true, is_archived: false, should_skip_rules: false },
        }),
      );
      const message = await acceptedMessage(context, body);
      const id = linkedId(message._links?.related?.conversation) ?? "";
      // A message has no custom fields.
      if (Object.keys(custom_fields).length > 0) await upstream(patch(path`/conversations/${id}`, { custom_fields }));
      return readConversation(context, id);
    },
    record: toTicket,
  }),

  updateTicket: one({
    async load(context) {
      const { ticket_id, status, priority, assignee_id, tags } = context.input;
      refusePriority(priority);
      const change = {
        status: status && byName("status", status, STATUSES, (name) => name),
        assignee_id,
        tag_ids: tags?.length ? await tagIds(context, tags) : tags,
        custom_fields: await allCustomFields(context, ticket_id),
      };
      await context.write(patch(path`/conversations/${ticket_id}`, change));
      return readConversation(context, ticket_id);
    },
    record: toTicket,
  }),

  createComment: one({
    async load(context) {
      const { input, write } = context;
      const address = path`/conversations/${input.ticket_id}`;
      if (input.is_public === false) {
        const { body } = await write<FrontComment>(post(`${address}/comments`, { body: toText(input.text) }));
        return toComment(body);
      }
      const { body } = await write<Accepted>(
        // A reply archives the conversation unless told otherwise.
        post(`${address}/messages`, { body: markdownToHtml(input.text), options: { archive: false } }),
      );
      return messageToComment(await acceptedMessage(context, body));
    },
    record: (comment) => comment,
  }),
};
