import {
  alike,
  collection,
  cut,
  type EmulatedReply,
  type EmulatedRequest,
  emulate,
  hasWords,
  linkTo,
  makeCursor,
  readCursor,
  refuse,
  reply,
  wholeNumber,
} from "../../../emulator-kit/index.ts";
import { changes } from "./changes.ts";
import { FIELDS } from "./custom-fields.ts";
import { makeState, members, type SandboxStory, type State, workflows, workspace } from "./data.ts";
import { hookRoutes, hooks } from "./hooks.ts";
import { addComment, changedStory, newStory } from "./writes.ts";

const MESSAGES: Record<number, string> = {
  400: "The request included invalid or missing parameters.",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Resource not found.",
  422: "The request could not be processed.",
  429: "Too many requests.",
};

const failure = (status: number): EmulatedReply =>
  reply(status, { message: MESSAGES[status] ?? "The server encountered an error." });

const invalid = (name: string, value: unknown) =>
  reply(400, { message: MESSAGES[400], errors: { [name]: ["not", value] } });

/** An ID of the wrong form is refused before anything is looked up. */
const notFound =
  (form: RegExp) =>
  ({ params }: EmulatedRequest) =>
    form.test(params.id!) ? failure(404) : invalid("public-id", params.id);

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Lists are not paged, and members and teams have UUIDs. */
const common = {
  notFound: notFound(UUID),
  page: (found: object[]) => reply(200, found),
};
const people = collection({ ...common, items: () => members });
const groups = collection({ ...common, items: ({ groups }: State) => groups });

const wholeStory = (story: SandboxStory, { comments }: State) => ({
  ...story,
  ...alike("tasks files linked_files branches commits pull_requests", []),
  comments: comments.get(story.id),
});

const stories = collection({
  items: ({ stories }: State) => stories,
  notFound: notFound(/^\d+$/),
  show: (story, _, state) => wholeStory(story, state),
  create: newStory,
  update: changedStory,
});

/** Both ends of a range count as inside, and an absent one is no end. */
const isWithin = (time: string, start: string, end: string): boolean =>
  !(Date.parse(time) < Date.parse(start)) && !(Date.parse(time) > Date.parse(end));

const TIMES = ["created_at_start", "created_at_end", "updated_at_start", "updated_at_end"];

/** Everything that matches, in one response and in no useful order. What belongs to a story is given by ID. */
function searchStories({ body: wanted }: EmulatedRequest, { stories, comments }: State): EmulatedReply {
  const wrong = TIMES.find((name) => wanted[name] !== undefined && Number.isNaN(Date.parse(wanted[name])));
  if (wrong) refuse(invalid(wrong, wanted[wrong]));
  const { owner_id, workflow_state_types: types } = wanted;
  if (owner_id !== undefined && !UUID.test(owner_id)) refuse(invalid("owner_id", owner_id));
  const typeOf = new Map(workflows.flatMap(({ states }) => states.map(({ id, type }) => [id, type])));
  const found = stories.filter(
    ({ created_at, updated_at, group_id, owner_ids, workflow_state_id }) =>
      isWithin(created_at, wanted.created_at_start, wanted.created_at_end) &&
      isWithin(updated_at ?? created_at, wanted.updated_at_start, wanted.updated_at_end) &&
      (wanted.group_id === undefined || group_id === wanted.group_id) &&
      (owner_id === undefined || owner_ids.includes(owner_id)) &&
      (types === undefined || types.includes(typeOf.get(workflow_state_id))),
  );
  const slim = found.map(({ description, ...story }) => ({
    ...story,
    ...(wanted.includes_description === true && { description }),
    ...alike("task_ids file_ids linked_file_ids", []),
    comment_ids: comments.get(story.id)!.map(({ id }) => id),
    num_tasks_completed: 0,
  }));
  return reply(201, slim);
}

/** By words in quotes only. https://developer.shortcut.com/api/rest/v3#Search-Stories */
function searchText(request: EmulatedRequest, state: State): EmulatedReply {
  const { query } = request;
  const text = query.get("query") ?? "";
  if (!/^"[^"]+"( "[^"]+")*$/.test(text)) refuse(invalid("query", text));
  const size = wholeNumber(query.get("page_size"), { fallback: 25, max: 250 }, () => invalid("page_size", "too large"));
  const start = readCursor<number>(query.get("next") ?? makeCursor(0)) ?? refuse(invalid("next", query.get("next")));
  const found = state.stories.filter(({ name, description }) => hasWords(text, name, description));
  const { items, next } = cut(found, start, size);
  const link = next === undefined ? null : new URL(linkTo(request, { next: makeCursor(next) }));
  return reply(200, {
    total: found.length,
    data: items.map((story) => wholeStory(story, state)),
    next: link && link.pathname + link.search,
  });
}

function ownMember(): EmulatedReply {
  const [{ id, role, profile }] = members as [(typeof members)[number]];
  const { mention_name, name, is_owner } = profile;
  const organization2 = { id: workspace.id };
  return reply(200, { id, role, mention_name, name, is_owner, workspace2: workspace, organization2 });
}

export default emulate<State>({
  state: makeState,
  changes,
  hooks,
  failure,
  credential: ({ headers }) => headers["shortcut-token"],
  routes: {
    "GET /api/v3/member": ownMember,
    "GET /api/v3/members": people.list,
    "GET /api/v3/members/:id": people.get,
    "GET /api/v3/custom-fields": () => reply(200, FIELDS),
    "GET /api/v3/workflows": () => reply(200, workflows),
    "GET /api/v3/groups": groups.list,
    "GET /api/v3/groups/:id": groups.get,
    "GET /api/v3/search/stories": searchText,
    "POST /api/v3/stories/search": searchStories,
    "POST /api/v3/stories": stories.create,
    "GET /api/v3/stories/:id": stories.get,
    "PUT /api/v3/stories/:id": stories.update,
    "GET /api/v3/stories/:id/comments": stories.below(({ id }, _, { comments }) => reply(200, comments.get(id))),
    "POST /api/v3/stories/:id/comments": stories.below(addComment),
    ...hookRoutes(failure),
  },
});
