import {
  bearerToken,
  cut,
  type EmulatedReply,
  type EmulatedRequest,
  type EmulatedRoute,
  emulate,
  refuse,
  reply,
  uuid,
  wholeNumber,
} from "../../../emulator-kit/index.ts";
import { changes } from "./changes.ts";
import { BOT, makeState, people, type SandboxPage, type State, workspace } from "./data.ts";
import { failure, refuseBody } from "./errors.ts";
import { hooks } from "./hooks.ts";
import { createComment, createPage, updatePage } from "./writes.ts";

const MAX_PAGE_SIZE = 100;

const ID = /^[\da-f]{8}-?([\da-f]{4}-?){3}[\da-f]{12}$/i;
const plainId = (id: string) => id.replaceAll("-", "").toLowerCase();

/** One of a list by its ID, which may be written without dashes. */
function find<Item extends { id: string }>(items: readonly Item[], kind: string, id = ""): Item {
  if (!ID.test(id))
    refuse(failure(400, `path failed validation: path.${kind}_id should be a valid uuid, instead was \`"${id}"\`.`));
  const advice = "Make sure the relevant pages and databases are shared with your integration.";
  const found = items.find((one) => plainId(one.id) === plainId(id));
  return found ?? refuse(failure(404, `Could not find ${kind} with ID: ${id}. ${advice}`));
}

const answer = (body: object) => reply(200, { ...body, request_id: uuid(1) });

/** Cursors are the IDs of the first item of the next page. */
function pageOf(items: readonly { id: string }[], size: unknown, cursor: unknown, type: string): EmulatedReply {
  const page_size = wholeNumber(size, { fallback: MAX_PAGE_SIZE, max: MAX_PAGE_SIZE }, () =>
    failure(400, `body failed validation: body.page_size should be ≤ \`${MAX_PAGE_SIZE}\`, instead was \`${size}\`.`),
  );
  const start = cursor == null ? 0 : items.findIndex(({ id }) => id === cursor);
  if (start < 0) refuse(failure(400, "The start_cursor provided is invalid: it should be a valid cursor."));
  const { items: results, next } = cut(items, start, page_size);
  return answer({
    object: "list",
    results: results.map((item) => ({ ...item })),
    next_cursor: next === undefined ? null : items[next]!.id,
    has_more: next !== undefined,
    type,
    [type]: {},
  });
}

type Timestamp = "created_time" | "last_edited_time";
const byTime =
  (timestamp: Timestamp, direction: string) => (one: Record<Timestamp, string>, other: Record<Timestamp, string>) =>
    one[timestamp].localeCompare(other[timestamp]) * (direction === "ascending" ? 1 : -1);

function search({ body = {} }: EmulatedRequest, { sources, pages }: State): EmulatedReply {
  const kind = body.filter?.value;
  const found = [...sources, ...pages]
    .filter(({ in_trash, object }) => !in_trash && (kind === undefined || object === kind))
    .sort(byTime("last_edited_time", body.sort?.direction));
  return pageOf(found, body.page_size, body.start_cursor, "page_or_data_source");
}

type Condition = {
  timestamp?: Timestamp;
  property?: string;
  people?: { contains: string };
  title?: { contains: string };
} & { [name in Timestamp]?: { on_or_after: string } };

/** Of the filters, only those by time, by people and by title are emulated. */
function matches(page: SandboxPage, { timestamp, property, people, title, ...times }: Condition): boolean {
  if (property !== undefined && title) {
    const value = page.properties[property] as { title?: { plain_text: string }[] } | undefined;
    const texts = value?.title ?? refuseBody(`Could not find property ${property}.`);
    return texts
      .map(({ plain_text }) => plain_text)
      .join("")
      .toLowerCase()
      .includes(title.contains.toLowerCase());
  }
  if (property !== undefined && people) {
    const { contains } = people;
    if (!ID.test(contains)) refuseBody("body.filter.people.contains should be a valid uuid.");
    const value = page.properties[property] as { people?: { id: string }[] } | undefined;
    return value?.people?.some(({ id }) => id === contains) ?? refuseBody(`Could not find property ${property}.`);
  }
  const { on_or_after } = (timestamp && times[timestamp]) ?? refuseBody("body.filter is not emulated in the sandbox.");
  return page[timestamp!] >= on_or_after;
}

function query({ body = {}, params }: EmulatedRequest, { sources, pages }: State): EmulatedReply {
  const { id } = find(sources, "data_source", params.source);
  const { filter, sorts: [sort] = [] } = body;
  const conditions: Condition[] = filter ? (filter.and ?? [filter]) : [];
  const found = pages
    .filter(({ parent, in_trash }) => parent.data_source_id === id && !in_trash)
    .filter((page) => conditions.every((condition) => matches(page, condition)));
  if (sort?.timestamp) found.sort(byTime(sort.timestamp, sort.direction));
  return pageOf(found, body.page_size, body.start_cursor, "page_or_data_source");
}

function listComments({ query }: EmulatedRequest, { pages, comments }: State): EmulatedReply {
  const { id } = find(pages, "block", query.get("block_id") ?? "");
  return pageOf(comments.get(id) ?? [], query.get("page_size"), query.get("start_cursor"), "comment");
}

/** A secret of an internal integration belongs to the workspace, a token to a user. */
const self: EmulatedRoute<State> = (request, _, tokens) => {
  const isKey = tokens.inspect(bearerToken(request) ?? "")?.kind === "key";
  const owner = isKey ? { type: "workspace", workspace: true } : { type: "user", user: people[0] };
  const bot = { owner, workspace_id: workspace.id, workspace_name: workspace.name };
  return answer({ object: "user", id: BOT, name: "Plugboard", avatar_url: null, type: "bot", bot });
};

const API: Record<string, EmulatedRoute<State>> = {
  "GET /v1/users/me": self,
  "POST /v1/search": search,
  "GET /v1/data_sources/:source": ({ params }, { sources }) => reply(200, find(sources, "data_source", params.source)),
  "POST /v1/data_sources/:source/query": query,
  "GET /v1/pages/:page": ({ params }, { pages }) => reply(200, { ...find(pages, "page", params.page) }),
  "POST /v1/pages": ({ body = {} }, state) =>
    answer(createPage(find(state.sources, "data_source", body.parent?.data_source_id), body.properties, state)),
  "PATCH /v1/pages/:page": ({ params, body = {} }, state) =>
    answer(updatePage(find(state.pages, "page", params.page), body.properties, state)),
  "GET /v1/comments": listComments,
  "POST /v1/comments": ({ body = {} }, state) =>
    answer(createComment(find(state.pages, "page", body.parent?.page_id), body.rich_text ?? [], state)),
};

/** Every call has to name a version. */
const versioned =
  (handle: EmulatedRoute<State>): EmulatedRoute<State> =>
  (request, state, tokens) =>
    request.headers["notion-version"]
      ? handle(request, state, tokens)
      : failure(400, "Notion-Version header failed validation: it should be defined.", "missing_version");

export default emulate<State>({
  state: makeState,
  changes,
  hooks,
  failure: (status) => failure(status),
  open: ["POST /v1/oauth/revoke"],
  routes: {
    ...Object.fromEntries(Object.entries(API).map(([key, handle]) => [key, versioned(handle)])),
    "POST /v1/oauth/revoke": ({ headers, body }, _, tokens) =>
      headers.authorization?.startsWith("Basic ") && tokens.revoke(String(body?.token))
        ? answer({})
        : failure(400, "Invalid token."),
  },
  // A token has no lifetime. https://developers.notion.com/reference/create-a-token
  tokenAnswer: ({ access_token, refresh_token }) =>
    answer({
      access_token,
      token_type: "bearer",
      refresh_token,
      bot_id: BOT,
      workspace_id: workspace.id,
      workspace_name: workspace.name,
      owner: { type: "user", user: people[0] },
    }),
});
