import {
  type Answer,
  byName,
  type CategoryImplementation,
  type Context,
  get,
  header,
  type helpdesk,
  type InputOf,
  invalidInput,
  markdownToHtml,
  one,
  patch,
  path,
  post,
  put,
  type UpstreamRequest,
  unknownValue,
} from "../../provider-kit/index.ts";
import { withWritten } from "./custom-fields.ts";
import { type HelpScoutConversation, type HelpScoutThread, toComment, toTicket } from "./records.ts";

type Change = InputOf<typeof helpdesk.operations.updateTicket>;
type Calls = Pick<Context, "upstream">;

/** A create answers nothing but the ID of what it created. */
export function createdId(answer: Answer): string {
  const id = header(answer, "resource-id");
  if (!id) throw new TypeError("the response has no Resource-ID");
  return id;
}

const readTicket = async ({ upstream }: Calls, id: string) =>
  (await upstream<HelpScoutConversation>(get(path`/conversations/${id}`, { embed: "threads" }))).body;

function refusePriority(priority: string | undefined): void {
  if (priority !== undefined) throw unknownValue("priority", priority, []);
}

/** Conversations are created in an inbox, and a ticket does not say in which: it is the first. */
async function firstInbox({ upstream }: Calls): Promise<number> {
  const { body } = await upstream<{ _embedded?: { mailboxes?: { id: number }[] } }>(get("/mailboxes"));
  const inbox = body._embedded?.mailboxes?.[0];
  if (!inbox) throw invalidInput({ path: ["body"], message: "cannot be created: the connection's user has no inbox" });
  return inbox.id;
}

function toNewCustomer({ email, name }: { email: string; name?: string | undefined }) {
  const [firstName, ...rest] = name?.trim().split(/\s+/) ?? [];
  return { email, firstName: firstName || undefined, lastName: rest.join(" ") || undefined };
}

/** https://developer.helpscout.com/mailbox-api/endpoints/conversations/update/ */
const STATUSES = ["active", "pending", "closed", "spam"];

function toUserId(id: string): number {
  if (/^\d{1,15}$/.test(id)) return Number(id);
  throw invalidInput({ path: ["body", "assignee_id"], message: "must be the ID of a user of Help Scout, a number" });
}

/** A write of custom fields replaces all of them, so those that stay are sent again. */
async function customFieldsRequest(context: Context<Change>, address: string): Promise<UpstreamRequest> {
  const { customFields } = await readTicket(context, context.input.ticket_id);
  return put(`${address}/fields`, { fields: withWritten(customFields ?? [], context.written) });
}

/**
 * The one call that makes a change: Help Scout takes a single field at a time, and tags and custom fields at addresses of
 * their own.
 */
async function changeRequest(context: Context<Change>): Promise<UpstreamRequest> {
  const { ticket_id, status, priority, assignee_id, tags } = context.input;
  refusePriority(priority);
  const address = path`/conversations/${ticket_id}`;
  const replace = (field: string, value: string | number) => patch(address, { op: "replace", path: field, value });
  const requests: [field: string, request: UpstreamRequest][] = [];
  if (status !== undefined)
    requests.push([
      "status",
      replace(
        "/status",
        byName("status", status, STATUSES, (name) => name),
      ),
    ]);
  if (assignee_id !== undefined) requests.push(["assignee_id", replace("/assignTo", toUserId(assignee_id))]);
  if (tags !== undefined) requests.push(["tags", put(`${address}/tags`, { tags })]);
  const hasCustom = context.written.length > 0;
  const [first, ...others] = [...requests.map(([field]) => field), ...(hasCustom ? ["custom"] : [])];
  // Several writes could be carried out in part.
  if (others.length > 0)
    throw invalidInput(
      ...others.map((field) => ({
        path: ["body", field],
        message: `cannot be changed together with \`${first}\`: Help Scout changes one field per request`,
      })),
    );
  if (hasCustom) return customFieldsRequest(context, address);
  // Without any field, the client's own `provider` is the change.
  return requests[0]?.[1] ?? patch(address, {});
}

export const writes: CategoryImplementation<typeof helpdesk.operations> = {
  createTicket: one({
    async load(context) {
      const { subject, description, requester, priority, tags } = context.input;
      refusePriority(priority);
      const answer = await context.write(
        post("/conversations", {
          type: "email",
          status: "active",
          subject,
          mailboxId: await firstInbox(context),
          customer: toNewCustomer(requester),
          threads: [{ type: "customer", customer: { email: requester.email }, text: markdownToHtml(description) }],
          tags,
          fields: context.written.length > 0 ? withWritten([], context.written) : undefined,
        }),
      );
      return readTicket(context, createdId(answer));
    },
    record: toTicket,
  }),

  updateTicket: one({
    async load(context) {
      await context.write(await changeRequest(context));
      return readTicket(context, context.input.ticket_id);
    },
    record: toTicket,
  }),

  createComment: one({
    async load(context) {
      const { upstream, write, input } = context;
      const address = path`/conversations/${input.ticket_id}`;
      const text = markdownToHtml(input.text);
      let answer: Answer;
      if (input.is_public === false) answer = await write(post(`${address}/notes`, { text }));
      else {
        const { body } = await upstream<HelpScoutConversation>(get(address));
        answer = await write(post(`${address}/reply`, { customer: { id: body.primaryCustomer?.id }, text }));
      }
      // A single thread cannot be read. The newest ones are on the first page.
      const { body } = await upstream<{ _embedded: { threads: HelpScoutThread[] } }>(get(`${address}/threads`));
      const id = createdId(answer);
      const created = body._embedded.threads.find((thread) => String(thread.id) === id);
      if (!created) throw new TypeError("the new thread is not listed");
      return created;
    },
    record: toComment,
  }),
};
