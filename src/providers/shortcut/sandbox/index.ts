import type { EmulatedReply, EmulatedRequest } from "../../../contracts/emulator.ts";
import { emulate, reply } from "../../../emulator-kit/emulator.ts";
import { changes } from "./changes.ts";
import { commentsOf, makeState, type SandboxStory, type State } from "./data.ts";
import { addComment, changeStory, createStory, type Problem } from "./writes.ts";

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

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** One of a list by the ID in the path. An ID of the wrong form is refused before anything is looked up. */
function find<Item extends { id: string | number }>(
  items: readonly Item[],
  id: string,
  found: (item: Item) => EmulatedReply,
): EmulatedReply {
  if (!(typeof items[0]?.id === "number" ? /^\d+$/ : UUID).test(id)) return invalid("public-id", id);
  const item = items.find((one) => String(one.id) === id);
  return item ? found(item) : failure(404);
}

/** A story in a list: what belongs to it is given by ID, and its description only on request. */
function slim(story: SandboxStory, state: State, withDescription: boolean) {
  const { description, ...rest } = story;
  return {
    ...rest,
    ...(withDescription ? { description } : {}),
    task_ids: [],
    file_ids: [],
    linked_file_ids: [],
    comment_ids: commentsOf(story, state).map(({ id }) => id),
    num_tasks_completed: 0,
  };
}

const whole = (story: SandboxStory, state: State) => ({
  ...story,
  comments: commentsOf(story, state),
  tasks: [],
  files: [],
  linked_files: [],
  branches: [],
  commits: [],
  pull_requests: [],
});

/** A story that was written, or what is wrong with it. */
const withStory = (written: SandboxStory | Problem, state: State, status: number): EmulatedReply =>
  "problem" in written ? reply(written.problem, { message: written.message }) : reply(status, whole(written, state));

/** Both ends of a range count as inside. */
function isWithin(time: string | null, start: string | undefined, end: string | undefined): boolean {
  if (start === undefined && end === undefined) return true;
  if (time === null) return false;
  const at = Date.parse(time);
  return (start === undefined || at >= Date.parse(start)) && (end === undefined || at <= Date.parse(end));
}

const TIMES = ["created_at_start", "created_at_end", "updated_at_start", "updated_at_end"];

/** Everything that matches, at once and in no useful order. */
function searchStories({ body }: EmulatedRequest, state: State): EmulatedReply {
  const wanted = body ?? {};
  const wrong = TIMES.find((name) => wanted[name] !== undefined && Number.isNaN(Date.parse(wanted[name])));
  if (wrong) return invalid(wrong, wanted[wrong]);
  const found = state.stories.filter(
    (story) =>
      isWithin(story.created_at, wanted.created_at_start, wanted.created_at_end) &&
      isWithin(story.updated_at ?? story.created_at, wanted.updated_at_start, wanted.updated_at_end) &&
      (wanted.group_id === undefined || story.group_id === wanted.group_id) &&
      (wanted.archived === undefined || story.archived === wanted.archived) &&
      (wanted.story_type === undefined || story.story_type === wanted.story_type),
  );
  return reply(
    201,
    found.map((story) => slim(story, state, wanted.includes_description === true)),
  );
}

export default emulate<State>({
  state: makeState,
  changes,
  failure,
  credential: ({ headers }) => headers["shortcut-token"],
  routes: {
    "GET /api/v3/member": (_, { members, workspace }) => {
      const [{ id, role, profile }] = members as [State["members"][number]];
      const { mention_name, name, is_owner } = profile;
      return reply(200, {
        id,
        role,
        mention_name,
        name,
        is_owner,
        workspace2: workspace,
        organization2: { id: workspace.id },
      });
    },
    "GET /api/v3/members": (_, { members }) => reply(200, members),
    "GET /api/v3/members/:id": ({ params }, { members }) => find(members, params.id!, (member) => reply(200, member)),
    "GET /api/v3/workflows": (_, { workflows }) => reply(200, workflows),
    "GET /api/v3/groups": (_, { groups }) => reply(200, groups),
    "GET /api/v3/groups/:id": ({ params }, { groups }) => find(groups, params.id!, (group) => reply(200, group)),
    "POST /api/v3/stories/search": searchStories,
    "POST /api/v3/stories": ({ body }, state) => withStory(createStory(body, state), state, 201),
    "GET /api/v3/stories/:id": ({ params }, state) =>
      find(state.stories, params.id!, (story) => reply(200, whole(story, state))),
    "PUT /api/v3/stories/:id": ({ params, body }, state) =>
      find(state.stories, params.id!, (story) => withStory(changeStory(story, body, state), state, 200)),
    "GET /api/v3/stories/:id/comments": ({ params }, state) =>
      find(state.stories, params.id!, (story) => reply(200, commentsOf(story, state))),
    "POST /api/v3/stories/:id/comments": ({ params, body }, state) =>
      find(state.stories, params.id!, (story) => reply(201, addComment(story, body, state))),
  },
});
