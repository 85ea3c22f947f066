import type { EmulatedReply, EmulatedRequest } from "../../../contracts/emulator.ts";
import { emulate, isReply, reply } from "../../../emulator-kit/emulator.ts";
import {
  failureWithStatus as failure,
  googleHeaders,
  googlePage,
  googleTokenFailure,
} from "../../../emulator-kit/google.ts";
import { withoutLiterals } from "../../../provider-kit/text/mrkdwn-literals.ts";
import { markdownToMrkdwn } from "../../../provider-kit/text/to-mrkdwn.ts";
import { changes } from "./changes.ts";
import { ME, type Message, makeState, newId, newMessage, type State, withMarkdown } from "./data.ts";
import { mcp } from "./mcp.ts";

const MAX_PAGE_SIZE = 1000;
const MAX_TEXT_BYTES = 32_000;

/** A page token is valid only for the same list, filter and order. */
function paginate<Item>(items: Item[], request: EmulatedRequest, defaultSize: number) {
  const sameParameters = ["filter", "orderBy", "readMask"];
  const found = googlePage(items, request, { size: "pageSize", defaultSize, maxSize: MAX_PAGE_SIZE, sameParameters });
  if (!("invalid" in found)) return found;
  return failure(400, found.invalid === "pageSize" ? "page_size must not be negative" : "Invalid page token");
}

/** Google leaves an empty list out of a response, like every empty field. */
const pageReply = (name: string, page: object[], nextPageToken: object) =>
  reply(200, { ...(page.length > 0 ? { [name]: page } : {}), ...nextPageToken });

function listPeople(request: EmulatedRequest, { people }: State): EmulatedReply {
  const { query } = request;
  if (!query.get("readMask"))
    return failure(400, "personFields mask is required. Please specify one or more valid paths.");
  if (!query.get("sources")) return failure(400, "Must specify at least one source.");
  const found = paginate(people, request, 100);
  return isReply(found) ? found : pageReply("people", found.page, found.nextPageToken);
}

/** `space_type = "SPACE" OR spaceType = "GROUP_CHAT"` */
function wantedTypes(filter: string): string[] | undefined {
  const parts = filter.split(/\s+OR\s+/).map((part) => /^space(?:_t|T)ype\s*=\s*"?([A-Z_]+)"?$/.exec(part.trim())?.[1]);
  return parts.every((part) => part !== undefined) ? parts : undefined;
}

function listSpaces(request: EmulatedRequest, { spaces }: State): EmulatedReply {
  const filter = request.query.get("filter");
  const types = filter ? wantedTypes(filter) : [];
  if (!types) return failure(400, "Invalid filter");
  const wanted = filter ? spaces.filter(({ spaceType }) => types.includes(spaceType)) : spaces;
  const found = paginate(wanted, request, 100);
  return isReply(found) ? found : pageReply("spaces", found.page, found.nextPageToken);
}

const findSpace = ({ params }: EmulatedRequest, { spaces }: State) =>
  spaces.find(({ name }) => name === `spaces/${params.space}`)?.name;

const MARKDOWN = "MARKUP_SYNTAX_MARKDOWN";

/** Close to Chat's own markup, which is Slack's without its escapes. */
const toChatMarkup = (markdown: string) =>
  withoutLiterals(markdownToMrkdwn(markdown) ?? "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

/** A message as it is sent, with its text in the requested syntax. */
function render({ markdown, ...message }: Message, syntax: unknown): object {
  if (markdown === undefined) return message;
  const formattedText = syntax === MARKDOWN ? markdown : toChatMarkup(markdown);
  return { ...message, formattedText, argumentText: message.text };
}

function listMessages(request: EmulatedRequest, state: State): EmulatedReply {
  const space = findSpace(request, state);
  if (!space) return failure(404);
  const order = request.query.get("orderBy") ?? "";
  if (!/^((create_time|createTime)\s+)?(ASC|DESC)?$/i.test(order)) return failure(400, "Invalid order_by");
  const all = state.messages.get(space) ?? [];
  const syntax = request.query.get("markupSyntax");
  const found = paginate(/DESC$/i.test(order) ? all.toReversed() : all, request, 25);
  if (isReply(found)) return found;
  const page = found.page.map((message) => render(message, syntax));
  return pageReply("messages", page, found.nextPageToken);
}

function createMessage(request: EmulatedRequest, state: State): EmulatedReply {
  const space = findSpace(request, state);
  if (!space) return failure(404);
  const text = String(request.body?.text ?? "");
  if (!text) return failure(400, "Message cannot be empty.");
  if (Buffer.byteLength(text) > MAX_TEXT_BYTES) return failure(400, "Message is too long.");
  const all = state.messages.get(space) ?? [];
  state.messages.set(space, all);
  const id = newId(Date.now() + all.length);
  const wanted = request.body.thread?.name;
  const isReply = wanted !== undefined && all.some(({ thread }) => thread.name === wanted);
  if (wanted !== undefined && !isReply && request.query.get("messageReplyOption") === "REPLY_MESSAGE_OR_FAIL")
    return failure(404);
  const thread = isReply ? String(wanted).split("/").at(-1)! : id;
  const created = withMarkdown(newMessage(space, id, thread, ME, new Date().toISOString()), text);
  all.push(created);
  return reply(200, render(created, request.body.markupSyntax));
}

export default emulate<State>({
  state: makeState,
  changes,
  mcp,
  failure: (status) => failure(status),
  headers: googleHeaders,
  routes: {
    "GET /v1/userinfo": (_, { people }) => {
      const [me] = people;
      return reply(200, {
        sub: ME,
        name: me!.names?.[0]?.displayName,
        picture: me!.photos?.[0]?.url,
        email: me!.emailAddresses?.[0]?.value,
        email_verified: true,
      });
    },
    "GET /v1/people:listDirectoryPeople": listPeople,
    "GET /v1/spaces": listSpaces,
    "GET /v1/spaces/:space/messages": listMessages,
    "POST /v1/spaces/:space/messages": createMessage,
  },
  tokenFailure: googleTokenFailure,
});
