import { type Task, type TaskComment, tasks } from "../../categories/tasks.ts";
import type { Project } from "../../categories/ticketing.ts";
import type { InputOf } from "../../contracts/operation.ts";
import type { CategoryImplementation, Context, Place } from "../../contracts/provider.ts";
import type { Answer, Upstream } from "../../contracts/upstream.ts";
import { implement, list, one } from "../../provider-kit/implement.ts";
import { get, path, post, put } from "../../provider-kit/request.ts";
import { plainToMarkdown, toText } from "../../provider-kit/text/plain.ts";
import { firstTime, isoTime } from "../../provider-kit/time.ts";
import { type CommentPiece, commentToMarkdown } from "./comment-text.ts";
import { markdownToComment } from "./to-comment.ts";
import { newAssignee, readCurrent, refuseMove, statusIn, tagChanges, taskFields, userId } from "./writes.ts";

// Only the fields that are read here. A field that is missing from a response counts as null.
interface ClickUpUser {
  id: number;
  username?: string | null;
  email?: string | null;
}
export interface ClickUpTask {
  id: string;
  name: string;
  text_content?: string | null;
  markdown_description?: string | null;
  status?: { status: string; type?: string } | null;
  /** A Unix timestamp in milliseconds, as a string, like all times here. */
  date_created?: string | null;
  date_updated?: string | null;
  date_closed?: string | null;
  date_done?: string | null;
  due_date?: string | null;
  assignees?: ClickUpUser[];
  tags?: { name: string }[];
  priority?: { priority?: string | null } | null;
  parent?: string | null;
  list?: { id: string } | null;
  url?: string;
}
export interface ClickUpPage {
  tasks: ClickUpTask[];
  last_page?: boolean;
}
export interface ClickUpComment {
  id: string;
  comment?: CommentPiece[];
  comment_text?: string | null;
  user?: ClickUpUser | null;
  date: string;
}
interface ClickUpList {
  id: string;
  name: string;
  content?: string | null;
}
interface ClickUpLists {
  lists?: ClickUpList[];
  folders?: { lists?: ClickUpList[] }[];
}

/** Where tasks or lists are read: a workspace, a list, or one level of a space. */
interface ClickUpPlace extends Place {
  path: string;
}
interface ProjectPlace extends ClickUpPlace {
  team: string;
}

const milliseconds = (text: string | null | undefined) => (text ? Number(text) : null);

const toPerson = (user: ClickUpUser | null | undefined) =>
  user ? { id: String(user.id), name: user.username || user.email || null } : null;

/** By the type of a status. Each workspace names its own statuses; "custom" are the active ones. */
const CATEGORIES: Record<string, Task["status_category"]> = {
  open: "todo",
  unstarted: "todo",
  custom: "in_progress",
  done: "done",
  closed: "done",
};

export const toTask = (task: ClickUpTask): Task => ({
  id: task.id,
  title: task.name,
  description: toText(task.markdown_description) ?? plainToMarkdown(task.text_content),
  status: task.status?.status ?? "",
  status_category: CATEGORIES[task.status?.type ?? ""] ?? (task.date_closed ? "done" : "todo"),
  project_id: task.list?.id ?? null,
  assignee: toPerson(task.assignees?.[0]),
  priority: task.priority?.priority ?? null,
  labels: task.tags?.map(({ name }) => name) ?? [],
  due_at: isoTime(milliseconds(task.due_date)),
  parent_id: task.parent ?? null,
  url: task.url ?? `https://app.clickup.com/t/${task.id}`,
  created_at: firstTime(milliseconds(task.date_created)),
  updated_at: firstTime(milliseconds(task.date_updated), milliseconds(task.date_created)),
  completed_at: isoTime(milliseconds(task.date_done) ?? milliseconds(task.date_closed)),
});

export const toComment = (comment: ClickUpComment): TaskComment => ({
  id: comment.id,
  text: commentToMarkdown(comment.comment ?? []) ?? plainToMarkdown(comment.comment_text),
  author: toPerson(comment.user),
  created_at: isoTime(milliseconds(comment.date)),
});

const toProject = ({ id, name, content }: ClickUpList, { team }: ProjectPlace): Project => ({
  id,
  name,
  description: plainToMarkdown(content),
  url: `https://app.clickup.com/${team}/v/li/${id}`,
});

async function readTeams(upstream: Upstream): Promise<Place[]> {
  const { body } = await upstream<{ teams: { id: string }[] }>(get("/team"));
  return body.teams.map(({ id }) => ({ id }));
}

async function taskPlaces(context: Context<InputOf<typeof tasks.operations.listTasks>>): Promise<ClickUpPlace[]> {
  const { project_id: list } = context.input;
  if (list !== undefined) return [{ id: list, path: path`/list/${list}/task` }];
  const teams = await readTeams(context.upstream);
  return teams.map(({ id }) => ({ id, path: path`/team/${id}/task` }));
}

/** Lists are in spaces, some of them in folders. The lists of a folder come with it. */
async function projectPlaces({ upstream }: Context): Promise<ProjectPlace[]> {
  const places: ProjectPlace[] = [];
  for (const { id: team } of await readTeams(upstream)) {
    const { body } = await upstream<{ spaces: { id: string }[] }>(get(path`/team/${team}/space`));
    for (const { id } of body.spaces)
      for (const level of ["folder", "list"])
        places.push({ id: `${id}/${level}`, team, path: path`/space/${id}/${level}` });
  }
  return places;
}

/** https://developer.clickup.com/docs/task-comments-pagination */
const COMMENTS_PER_PAGE = 25;

/** After a write, whose answer has no Markdown. */
const readTask = async (id: string, upstream: Upstream) =>
  (await upstream<ClickUpTask>(get(path`/task/${id}`, { include_markdown_description: true }))).body;

export const operations: CategoryImplementation<typeof tasks.operations> = {
  listTasks: list({
    // https://developer.clickup.com/reference/getfilteredteamtasks
    maxPageSize: 100,
    ignoresPageSize: true,
    filtersUpdatedSince: true,
    places: taskPlaces,
    items: (body: ClickUpPage) => body.tasks,
    // Not every response has `last_page`. Hidden tasks can make a page shorter, so only an empty page is the last one.
    next: ({ body }: Answer<ClickUpPage>, { cursor = 0 }: { cursor: number | undefined }) =>
      (body.last_page ?? body.tasks.length === 0) ? null : cursor + 1,
    request: ({ input, cursor = 0, place }) =>
      get(
        place.path,
        {
          // Closed tasks and subtasks are left out by default, and from a list those that are in several lists.
          include_closed: true,
          subtasks: true,
          ...(input.project_id === undefined ? {} : { include_timl: true }),
          include_markdown_description: true,
        },
        {
          page: cursor,
          ...(input.updated_since === undefined ? {} : { date_updated_gt: Date.parse(input.updated_since) - 1 }),
        },
      ),
    record: toTask,
  }),

  getTask: one({
    request: ({ input }) => get(path`/task/${input.task_id}`, { include_markdown_description: true }),
    record: toTask,
  }),

  listProjects: list({
    // Not paged.
    maxPageSize: 1_000,
    ignoresPageSize: true,
    places: projectPlaces,
    items: ({ lists, folders }: ClickUpLists) => lists ?? folders?.flatMap((folder) => folder.lists ?? []) ?? [],
    next: () => null,
    request: ({ place }) => get(place.path),
    record: (found, { place }) => toProject(found, place),
  }),

  listComments: list({
    maxPageSize: COMMENTS_PER_PAGE,
    ignoresPageSize: true,
    items: (body: { comments: ClickUpComment[] }) => body.comments,
    next: ({ body: { comments } }: Answer<{ comments: ClickUpComment[] }>) => {
      const oldest = comments.at(-1);
      return oldest && comments.length >= COMMENTS_PER_PAGE ? { start: oldest.date, start_id: oldest.id } : null;
    },
    request: ({ input, cursor }) =>
      get(path`/task/${input.task_id}/comment`, {}, { start: undefined, start_id: undefined, ...cursor }),
    record: toComment,
  }),

  createTask: one({
    requires: ["project_id"],
    async load({ input, upstream }) {
      const { project_id: project } = input;
      const task = {
        ...taskFields(input),
        status: await statusIn(project, input.status, upstream),
        assignees: input.assignee_id === undefined ? undefined : [userId(input.assignee_id)],
        tags: input.labels,
      };
      const { body } = await upstream<ClickUpTask>(post(path`/list/${project}/task`, task));
      return readTask(body.id, upstream);
    },
    record: toTask,
  }),

  // Fields are changed by one call, and each tag by a call of its own.
  updateTask: one({
    async load({ input, upstream }) {
      const { task_id, status, project_id, assignee_id, labels, ...changes } = input;
      const current = await readCurrent(task_id, upstream);
      refuseMove(project_id, current);
      const fields = {
        ...taskFields(changes),
        status: await statusIn(current.list.id, status, upstream),
        assignees: assignee_id === undefined ? undefined : newAssignee(assignee_id, current),
      };
      if (Object.values(fields).some((value) => value !== undefined))
        await upstream(put(path`/task/${task_id}`, fields));
      for (const change of tagChanges(task_id, labels, current)) await upstream(change);
      return readTask(task_id, upstream);
    },
    record: toTask,
  }),

  // The answer has only the ID; a new comment is the first one of the list.
  createComment: one({
    async load({ input: { task_id, text }, upstream }) {
      const comment = markdownToComment(text);
      const { body } = await upstream<{ id: string | number; date: number }>(
        post(path`/task/${task_id}/comment`, { comment, notify_all: false }),
      );
      const found = await upstream<{ comments: ClickUpComment[] }>(get(path`/task/${task_id}/comment`));
      const created = found.body.comments.find(({ id }) => id === String(body.id));
      return created ?? { id: String(body.id), comment, date: String(body.date) };
    },
    record: toComment,
  }),
};

export default implement(tasks, operations);
