import {
  type Answer,
  type CategoryImplementation,
  type Context,
  defined,
  get,
  type InputOf,
  implement,
  list,
  one,
  type Place,
  path,
  search,
  type Task,
  tasks,
} from "../../provider-kit/index.ts";
import { firstWindow, isTooWide, nextWindow, startOf, type Window } from "./creation-window.ts";
import { customFields } from "./custom-fields.ts";
import {
  type Names,
  nameOf,
  type People,
  readPeople,
  readWorkflows,
  type ShortcutComment,
  type ShortcutMember,
  type ShortcutStory,
  type ShortcutTeam,
  STATUS_CATEGORY,
  statesOf,
  toComment,
  toNamedTask,
  toProject,
  toTask,
} from "./records.ts";
import { type FoundCursor, type FoundStories, nextFound, storiesWith } from "./text-search.ts";
import { writes } from "./writes.ts";

interface StoryPlace extends Place, Names {
  /** Read first. */
  window: Window;
}

/** One place: what the stories refer to is read once, at the start of a walk. */
async function storyPlace({
  input,
  upstream,
}: Context<InputOf<typeof tasks.operations.listTasks>>): Promise<StoryPlace[]> {
  const { project_id: team } = input;
  // A search ignores a team that does not exist.
  if (team !== undefined) await upstream(get(path`/groups/${team}`));
  const states = statesOf(await readWorkflows(upstream));
  return [{ id: team ?? "", states, people: await readPeople(upstream), window: firstWindow(Date.now()) }];
}

/** The types of states that mean a category. A type that is not known counts as one of what is to do. */
const typesOf = (category: Task["status_category"] | undefined) =>
  category === undefined || category === "todo"
    ? undefined
    : Object.keys(STATUS_CATEGORY).filter((type) => STATUS_CATEGORY[type] === category);

interface StoryContext {
  cursor: Window | FoundCursor | undefined;
  place: StoryPlace;
}
const windowOf = ({ cursor, place }: StoryContext) => (cursor as Window | undefined) ?? place.window;
const foundCursorOf = ({ cursor }: Pick<StoryContext, "cursor">) => cursor as FoundCursor | undefined;

export const operations: CategoryImplementation<typeof tasks.operations> = {
  listTasks: list({
    // Not paged, except for a search by text.
    maxPageSize: 1_000,
    ignoresPageSize: true,
    filters: ["updated_since", "project_id", "status_category", "assignee_id", "query"],
    places: storyPlace,
    items(stories: ShortcutStory[] | FoundStories, context: StoryContext) {
      if (!Array.isArray(stories)) return stories.data;
      if (isTooWide(windowOf(context), stories.length)) return [];
      // The order is not documented.
      return stories.toSorted(
        (one, other) => Date.parse(other?.created_at) - Date.parse(one?.created_at) || other?.id - one?.id || 0,
      );
    },
    next: ({ body }: Answer<ShortcutStory[] | FoundStories>, context: StoryContext) =>
      Array.isArray(body) ? nextWindow(windowOf(context), body.length) : nextFound(body, foundCursorOf(context)),
    keep: ({ created_at, group_id }, { input: { query, project_id }, ...context }) =>
      query === undefined
        ? // The end that is sent counts as inside.
          Date.parse(created_at) < Date.parse(windowOf(context).end)
        : project_id === undefined || group_id === project_id,
    request({ input: { query, project_id, status_category, assignee_id, updated_since }, ...context }) {
      if (query !== undefined) return storiesWith(query, foundCursorOf(context));
      const window = windowOf(context);
      return search(
        "/stories/search",
        { includes_description: true },
        {
          created_at_start: startOf(window),
          created_at_end: window.end,
          ...defined({
            updated_at_start: updated_since,
            group_id: project_id,
            owner_id: assignee_id,
            workflow_state_types: typesOf(status_category),
          }),
        },
      );
    },
    record: (story, { place }) => toTask(story, place),
  }),

  getTask: one({
    async load({ input, upstream }) {
      const { body: story } = await upstream<ShortcutStory>(get(path`/stories/${input.task_id}`));
      const states = statesOf(await readWorkflows(upstream));
      const people = new Map<string, string | null>();
      const owner = story.owner_ids?.[0];
      if (owner) people.set(owner, nameOf((await upstream<ShortcutMember>(get(path`/members/${owner}`))).body));
      return { story, states, people };
    },
    record: toNamedTask,
    original: ({ story }) => story,
  }),

  listProjects: list({
    // Not paged.
    maxPageSize: 1_000,
    ignoresPageSize: true,
    items: (teams: ShortcutTeam[]) => teams,
    next: () => null,
    request: () => get("/groups"),
    record: toProject,
  }),

  listComments: list({
    // Not paged.
    maxPageSize: 1_000,
    ignoresPageSize: true,
    places: async ({ upstream }): Promise<(Place & People)[]> => [{ id: "", people: await readPeople(upstream) }],
    items: (comments: ShortcutComment[]) => comments,
    next: () => null,
    keep: ({ deleted }) => !deleted,
    request: ({ input }) => get(path`/stories/${input.task_id}/comments`),
    record: (comment, { place }) => toComment(comment, place),
  }),

  ...writes,
};

export default implement(tasks, operations, { task: customFields });
