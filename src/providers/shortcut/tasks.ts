import { type Task, type TaskComment, tasks } from "../../categories/tasks.ts";
import type { Project } from "../../categories/ticketing.ts";
import type { InputOf } from "../../contracts/operation.ts";
import type { CategoryImplementation, Context, Place } from "../../contracts/provider.ts";
import type { Answer } from "../../contracts/upstream.ts";
import { implement, keepIf, list, one } from "../../provider-kit/implement.ts";
import { get, path, post, search } from "../../provider-kit/request.ts";
import { outsideCode } from "../../provider-kit/text/outside-code.ts";
import { toText } from "../../provider-kit/text/plain.ts";
import { firstTime, isoTime } from "../../provider-kit/time.ts";
import { firstWindow, isTooWide, nextWindow, startOf, type Window } from "./creation-window.ts";
import {
  type NamedStory,
  type Names,
  nameOf,
  type People,
  readPeople,
  readWorkflows,
  type ShortcutComment,
  type ShortcutMember,
  type ShortcutStory,
  statesOf,
} from "./story.ts";
import { createStory, updateStory } from "./story-writes.ts";

interface ShortcutTeam {
  id: string;
  name: string;
  description?: string | null;
  app_url?: string | null;
}

interface StoryPlace extends Place, Names {
  /** Read first. */
  window: Window;
}

/** https://help.shortcut.com/hc/en-us/articles/205701199-Story-Workflows */
const STATUS_CATEGORY: Record<string, Task["status_category"]> = {
  backlog: "todo",
  unstarted: "todo",
  started: "in_progress",
  done: "done",
};

/** Mentions are links that only Shortcut's own application opens: `[@ada](shortcutapp://members/…)` */
const MENTION = /\[(@[^\]\n]*)\]\(shortcutapp:\/\/[^)\s]*\)/g;

const textOf = (markdown: string | null | undefined): string | null =>
  toText(markdown && outsideCode(markdown, (part) => part.replace(MENTION, "$1")));

const toPerson = (id: string | null | undefined, { people }: People) =>
  id ? { id, name: people.get(id) ?? null } : null;

export function toTask(story: ShortcutStory, names: Names): Task {
  const state = names.states.get(story.workflow_state_id);
  return {
    id: String(story.id),
    title: story.name,
    description: textOf(story.description),
    status: state?.name ?? "",
    status_category: STATUS_CATEGORY[state?.type ?? ""] ?? (story.completed ? "done" : "todo"),
    project_id: story.group_id ?? null,
    assignee: toPerson(story.owner_ids?.[0], names),
    // A priority is a custom field, which a story only has the ID of.
    priority: null,
    labels: story.labels?.map(({ name }) => name) ?? [],
    due_at: isoTime(story.deadline),
    parent_id: story.parent_story_id ? String(story.parent_story_id) : null,
    url: story.app_url,
    created_at: firstTime(story.created_at),
    updated_at: firstTime(story.updated_at, story.created_at),
    completed_at: isoTime(story.completed_at_override ?? story.completed_at),
  };
}

const toNamedTask = ({ story, ...names }: NamedStory): Task => toTask(story, names);

export const toComment = (comment: ShortcutComment, names: People): TaskComment => ({
  id: String(comment.id),
  text: textOf(comment.text),
  author: toPerson(comment.author_id, names),
  created_at: isoTime(comment.created_at),
});

const toProject = ({ id, name, description, app_url }: ShortcutTeam): Project => ({
  id,
  name,
  description: toText(description),
  url: app_url ?? null,
});

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

interface WindowContext {
  cursor: Window | undefined;
  place: StoryPlace;
}
const windowOf = ({ cursor, place }: WindowContext) => cursor ?? place.window;

export const operations: CategoryImplementation<typeof tasks.operations> = {
  listTasks: list({
    // Not paged.
    maxPageSize: 1_000,
    ignoresPageSize: true,
    filtersUpdatedSince: true,
    places: storyPlace,
    items(stories: ShortcutStory[], context: WindowContext) {
      const window = windowOf(context);
      if (isTooWide(window, stories.length)) return [];
      // The end that is sent counts as inside. The order is not documented.
      const end = Date.parse(window.end);
      return keepIf(stories, ({ created_at }) => Date.parse(created_at) < end).sort(
        (one, other) => Date.parse(other?.created_at) - Date.parse(one?.created_at) || other?.id - one?.id || 0,
      );
    },
    next: ({ body }: Answer<ShortcutStory[]>, context: WindowContext) => nextWindow(windowOf(context), body.length),
    request({ input: { project_id, updated_since }, ...context }) {
      const window = windowOf(context);
      return search(
        "/stories/search",
        { includes_description: true },
        {
          created_at_start: startOf(window),
          created_at_end: window.end,
          ...(updated_since === undefined ? {} : { updated_at_start: updated_since }),
          ...(project_id === undefined ? {} : { group_id: project_id }),
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
    items: (comments: ShortcutComment[]) => keepIf(comments, ({ deleted }) => !deleted),
    next: () => null,
    request: ({ input }) => get(path`/stories/${input.task_id}/comments`),
    record: (comment, { place }) => toComment(comment, place),
  }),

  createTask: one({ load: createStory, record: toNamedTask }),

  updateTask: one({ load: updateStory, record: toNamedTask }),

  createComment: one({
    async load({ input, upstream }) {
      const people = await readPeople(upstream);
      const { body } = await upstream<ShortcutComment>(
        post(path`/stories/${input.task_id}/comments`, { text: input.text }),
      );
      return { comment: body, people };
    },
    record: ({ comment, people }: { comment: ShortcutComment } & People) => toComment(comment, { people }),
  }),
};

export default implement(tasks, operations);
