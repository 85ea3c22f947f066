import type { EmulatedReply, EmulatedRequest, EmulatedTokens } from "../../../contracts/emulator.ts";
import { uuid } from "../../../emulator-kit/data.ts";
import { emulate, reply } from "../../../emulator-kit/emulator.ts";
import { changes } from "./changes.ts";
import { BOT, makeState, people, type SandboxPage, type SandboxSource, type State, workspace } from "./data.ts";
import { createComment, createPage, type Problem, updatePage } from "./writes.ts";

const MAX_PAGE_SIZE = 100;

/** https://developers.notion.com/reference/status-codes */
const CODES: Record<number, [code: string, message: string]> = {
  400: ["validation_error", "The request body does not match the schema for the expected parameters."],
  401: ["unauthorized", "API token is invalid."],
  403: [
    "restricted_resource",
    "Given the bearer token used, the client doesn't have permission to perform this operation.",
  ],
  404: ["object_not_found", "The requested resource could not be found."],
  409: ["conflict_error", "Conflict occurred while saving. Please try again."],
  429: ["rate_limited", "You have been rate limited. Please try again in a few minutes."],
};

function failure(status: number, message?: string, code?: string): EmulatedReply {
  const [known, text] = CODES[status] ?? ["internal_server_error", "Unexpected error occurred."];
  const body = { object: "error", status, code: code ?? known, message: message ?? text, request_id: uuid(1) };
  return reply(status, body, status === 429 ? { "retry-after": "1" } : {});
}

const notFound = (kind: string, id: string) =>
  failure(
    404,
    `Could not find ${kind} with ID: ${id}. Make sure the relevant pages and databases are shared with your integration.`,
  );

const ID = /^[\da-f]{8}-?([\da-f]{4}-?){3}[\da-f]{12}$/i;
const isSame = (one: string, other: string) => one.replaceAll("-", "") === other.replaceAll("-", "").toLowerCase();

/** One of a list by its ID, which may be written without dashes. */
function find<Item extends { id: string }>(
  items: readonly Item[],
  kind: string,
  id: string,
  found: (item: Item) => EmulatedReply,
): EmulatedReply {
  if (!ID.test(id))
    return failure(400, `path failed validation: path.${kind}_id should be a valid uuid, instead was \`"${id}"\`.`);
  const item = items.find((one) => isSame(one.id, id));
  return item ? found(item) : notFound(kind, id);
}

/** Cursors are the IDs of the first item of the next page. */
function pageOf(
  items: readonly { id: string }[],
  { page_size = MAX_PAGE_SIZE, start_cursor }: { page_size?: number; start_cursor?: string | undefined },
  type: string,
): EmulatedReply {
  if (!Number.isInteger(page_size) || page_size < 1 || page_size > MAX_PAGE_SIZE)
    return failure(
      400,
      `body failed validation: body.page_size should be ≤ \`${MAX_PAGE_SIZE}\`, instead was \`${page_size}\`.`,
    );
  const start = start_cursor === undefined ? 0 : items.findIndex(({ id }) => id === start_cursor);
  if (start < 0)
    return failure(400, "The start_cursor provided is invalid: body.start_cursor should be a valid cursor.");
  const end = start + page_size;
  return reply(200, {
    object: "list",
    results: items.slice(start, end).map((item) => ({ ...item })),
    next_cursor: items[end]?.id ?? null,
    has_more: end < items.length,
    type,
    [type]: {},
    request_id: uuid(1),
  });
}

type Timestamp = "created_time" | "last_edited_time";
const byTime =
  (timestamp: Timestamp, direction: string) => (one: Record<Timestamp, string>, other: Record<Timestamp, string>) =>
    one[timestamp].localeCompare(other[timestamp]) * (direction === "ascending" ? 1 : -1);

function search({ body = {} }: EmulatedRequest, { sources, pages }: State): EmulatedReply {
  const all: (SandboxSource | SandboxPage)[] = [...sources, ...pages];
  const kind = body.filter?.value;
  const found = all
    .filter((item) => !item.in_trash && (kind === undefined || item.object === kind))
    .sort(byTime("last_edited_time", body.sort?.direction ?? "descending"));
  return pageOf(found, body, "page_or_data_source");
}

interface Condition {
  and?: Condition[];
  timestamp?: Timestamp;
  created_time?: { on_or_after?: string };
  last_edited_time?: { on_or_after?: string };
}

/** Of the filters, only those by time are emulated. Undefined for others. */
function matches(page: SandboxPage, { and, timestamp, ...rest }: Condition): boolean | undefined {
  if (and) {
    const parts = and.map((part) => matches(page, part));
    return parts.includes(undefined) ? undefined : parts.every(Boolean);
  }
  const since = timestamp && rest[timestamp]?.on_or_after;
  return since === undefined ? undefined : page[timestamp!] >= since;
}

const query = ({ body = {}, params }: EmulatedRequest, { sources, pages }: State): EmulatedReply =>
  find(sources, "data_source", params.source!, ({ id }) => {
    const { filter, sorts = [] } = body;
    const own = pages.filter(({ parent, in_trash }) => parent.data_source_id === id && !in_trash);
    if (filter && own[0] && matches(own[0], filter) === undefined)
      return failure(400, "body failed validation: body.filter is not emulated in the sandbox.");
    const found = own.filter((page) => !filter || matches(page, filter));
    const [sort] = sorts;
    if (sort?.timestamp) found.sort(byTime(sort.timestamp, sort.direction));
    return pageOf(found, body, "page_or_data_source");
  });

function listComments({ query }: EmulatedRequest, state: State): EmulatedReply {
  const size = query.get("page_size");
  const position = {
    ...(size === null ? {} : { page_size: Number(size) }),
    start_cursor: query.get("start_cursor") ?? undefined,
  };
  return find(state.pages, "block", query.get("block_id") ?? "", ({ id }) =>
    pageOf(state.comments.get(id) ?? [], position, "comment"),
  );
}

/** What was written, or what is wrong with it. */
const written = (result: object | Problem): EmulatedReply =>
  "problem" in result
    ? failure(400, `body failed validation: ${result.problem}`)
    : reply(200, { ...result, request_id: uuid(1) });

const postPage = ({ body = {} }: EmulatedRequest, state: State): EmulatedReply =>
  find(state.sources, "data_source", body.parent?.data_source_id ?? "", (source) =>
    written(createPage(source, body.properties ?? {}, state)),
  );

const patchPage = ({ params, body = {} }: EmulatedRequest, state: State): EmulatedReply =>
  find(state.pages, "page", params.page!, (page) => written(updatePage(page, body.properties ?? {}, state)));

const postComment = ({ body = {} }: EmulatedRequest, state: State): EmulatedReply =>
  find(state.pages, "page", body.parent?.page_id ?? "", (page) =>
    written(createComment(page, body.rich_text ?? [], state)),
  );

/** A secret of an internal integration belongs to the workspace, a token to a user. */
function self({ headers }: EmulatedRequest, _: State, tokens: EmulatedTokens): EmulatedReply {
  const token = headers.authorization?.split(" ").at(-1) ?? "";
  const owner =
    tokens.inspect(token)?.kind === "key" ? { type: "workspace", workspace: true } : { type: "user", user: people[0] };
  const bot = { owner, workspace_id: workspace.id, workspace_name: workspace.name };
  return reply(200, {
    object: "user",
    id: BOT,
    name: "Plugboard",
    avatar_url: null,
    type: "bot",
    bot,
    request_id: uuid(1),
  });
}

/** Every call has to name a version. */
const versioned =
  (handle: (request: EmulatedRequest, state: State, tokens: EmulatedTokens) => EmulatedReply) =>
  (request: EmulatedRequest, state: State, tokens: EmulatedTokens): EmulatedReply =>
    request.headers["notion-version"]
      ? handle(request, state, tokens)
      : failure(
          400,
          "Notion-Version header failed validation: Notion-Version header should be defined, instead was `undefined`.",
          "missing_version",
        );

export default emulate<State>({
  state: makeState,
  changes,
  failure: (status) => failure(status),
  open: ["POST /v1/oauth/revoke"],
  routes: {
    "GET /v1/users/me": versioned(self),
    "POST /v1/search": versioned(search),
    "GET /v1/data_sources/:source": versioned(({ params }, { sources }) =>
      find(sources, "data_source", params.source!, (source) => reply(200, source)),
    ),
    "POST /v1/data_sources/:source/query": versioned(query),
    "GET /v1/pages/:page": versioned(({ params }, { pages }) =>
      find(pages, "page", params.page!, (page) => reply(200, { ...page })),
    ),
    "POST /v1/pages": versioned(postPage),
    "PATCH /v1/pages/:page": versioned(patchPage),
    "GET /v1/comments": versioned(listComments),
    "POST /v1/comments": versioned(postComment),
    "POST /v1/oauth/revoke": ({ headers, body }, _, tokens) =>
      headers.authorization?.startsWith("Basic ") && tokens.revoke(String(body?.token))
        ? reply(200, { request_id: uuid(1) })
        : failure(400, "Invalid token."),
  },
  // A token has no lifetime. https://developers.notion.com/reference/create-a-token
  tokenAnswer: ({ access_token, refresh_token }) =>
    reply(200, {
      access_token,
      token_type: "bearer",
      refresh_token,
      bot_id: BOT,
      workspace_icon: null,
      workspace_id: workspace.id,
      workspace_name: workspace.name,
      owner: { type: "user", user: people[0] },
      duplicated_template_id: null,
      request_id: uuid(1),
    }),
});
