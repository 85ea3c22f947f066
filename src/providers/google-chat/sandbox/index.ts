import {
  collection,
  type EmulatedReply,
  type EmulatedRequest,
  emulate,
  googleFailureWithStatus as failure,
  googleEmulator,
  googlePage,
  refuse,
  reply,
} from "../../../emulator-kit/index.ts";
import { markdownToMrkdwn, withoutLiterals } from "../../../provider-kit/index.ts";
import { changes } from "./changes.ts";
import { ME, type Message, makeState, newId, newMessage, type State, withMarkdown } from "./data.ts";
import { mcp } from "./mcp.ts";

const MAX_TEXT_BYTES = 32_000;

/** A page token is valid only for the same list, filter and order. */
function pageOf<Item extends object>(
  name: string,
  all: Item[],
  request: EmulatedRequest,
  defaultSize = 100,
): EmulatedReply {
  const { page, nextPageToken } = googlePage(all, request, {
    size: "pageSize",
    defaultSize,
    maxSize: 1000,
    sameParameters: ["filter", "orderBy", "readMask"],
    refusal: (parameter) => failure(400, `Invalid ${parameter}`),
  });
  // Google leaves an empty list out of a response, like every empty field.
  return reply(200, { ...(page.length > 0 && { [name]: page }), nextPageToken });
}

function listPeople(request: EmulatedRequest, { people }: State): EmulatedReply {
  if (!request.query.get("readMask")) return failure(400, "personFields mask is required.");
  if (!request.query.get("sources")) return failure(400, "Must specify at least one source.");
  return pageOf("people", people, request);
}

const spaces = collection({
  items: ({ spaces }: State) => spaces,
  parameter: "space",
  names: ({ name }) => [name.replace("spaces/", "")],
  notFound: () => failure(404),
  /** `space_type = "SPACE" OR spaceType = "GROUP_CHAT"` */
  select(all, { query }) {
    const filter = query.get("filter");
    if (!filter) return all;
    const types = filter.split(/\s+OR\s+/).map((part) => {
      const [, type] = /^space(?:_t|T)ype\s*=\s*"?([A-Z_]+)"?$/.exec(part.trim()) ?? [];
      return type ?? refuse(failure(400, "Invalid filter"));
    });
    return all.filter(({ spaceType }) => types.includes(spaceType));
  },
  page: (found, request) => pageOf("spaces", found, request),
});

/** Close to Chat's own markup, which is Slack's without its escapes. */
const toChatMarkup = (markdown: string) =>
  withoutLiterals(markdownToMrkdwn(markdown) ?? "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

/** A message as it is sent, with its text in the requested syntax. */
function render({ markdown, ...message }: Message, syntax: unknown): object {
  if (markdown === undefined) return message;
  const formattedText = syntax === "MARKUP_SYNTAX_MARKDOWN" ? markdown : toChatMarkup(markdown);
  return { ...message, formattedText, argumentText: message.text };
}

const listMessages = spaces.below(({ name }, request, { messages }) => {
  const order = request.query.get("orderBy") ?? "";
  if (!/^((create_time|createTime)\s+)?(ASC|DESC)?$/i.test(order)) return failure(400, "Invalid order_by");
  const all = (messages.get(name) ?? []).map((message) => render(message, request.query.get("markupSyntax")));
  return pageOf("messages", /DESC$/i.test(order) ? all.reverse() : all, request, 25);
});

const createMessage = spaces.below(({ name: space }, { body, query }, { messages }) => {
  const text = String(body?.text ?? "");
  if (!text || Buffer.byteLength(text) > MAX_TEXT_BYTES) return failure(400, "Message is empty or too long.");
  const all = messages.get(space) ?? [];
  messages.set(space, all);
  const id = newId(Date.now() + all.length);
  const wanted: string | undefined = body.thread?.name;
  const isReply = all.some(({ thread }) => thread.name === wanted);
  if (wanted && !isReply && query.get("messageReplyOption") === "REPLY_MESSAGE_OR_FAIL") return failure(404);
  const thread = isReply ? wanted!.split("/").at(-1)! : id;
  const created = withMarkdown(newMessage(space, id, thread, ME, new Date().toISOString()), text);
  all.push(created);
  return reply(200, render(created, body.markupSyntax));
});

export default emulate<State>({
  ...googleEmulator,
  state: makeState,
  changes,
  mcp,
  failure: (status) => failure(status),
  routes: {
    "GET /v1/userinfo": (_, { people: [me] }) =>
      reply(200, {
        sub: ME,
        name: me!.names?.[0]?.displayName,
        picture: me!.photos?.[0]?.url,
        email: me!.emailAddresses?.[0]?.value,
        email_verified: true,
      }),
    "GET /v1/people:listDirectoryPeople": listPeople,
    "GET /v1/spaces": spaces.list,
    "GET /v1/spaces/:space/messages": listMessages,
    "POST /v1/spaces/:space/messages": createMessage,
  },
});
