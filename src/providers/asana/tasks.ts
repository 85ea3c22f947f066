import { type Task, type TaskComment, tasks } from "../../categories/tasks.ts";
import type { Project } from "../../categories/ticketing.ts";
import type { InputOf } from "../../contracts/operation.ts";
import type { CategoryImplementation, Context, Place } from "../../contracts/provider.ts";
import type { Answer, Query, Upstream } from "../../contracts/upstream.ts";
import { implement, keepIf, list, one } from "../../provider-kit/implement.ts";
import { get, path, post } from "../../provider-kit/request.ts";
import { htmlToMarkdown } from "../../provider-kit/text/from-html.ts";
import { markdownToBodyHtml } from "../../provider-kit/text/to-body-html.ts";
import { firstTime, isoTime } from "../../provider-kit/time.ts";
import { editTask, furtherChanges, tagsOfNewTask, taskFields } from "./writes.ts";

// Only the fields that are requested below.
interface AsanaUser {
  gid: string;
  name?: string | null;
}
export interface AsanaTask {
  gid: string;
  name?: string | null;
  html_notes?: string | null;
  completed?: boolean;
  completed_at?: string | null;
  created_at?: string;
  modified_at?: string;
  /** A date, also if there is a time. */
  due_on?: string | null;
  due_at?: string | null;
  permalink_url?: string;
  projects?: { gid: string }[];
  assignee?: AsanaUser | null;
  tags?: { name?: string | null }[];
  parent?: { gid: string } | null;
}
export interface AsanaStory {
  gid: string;
  resource_subtype?: string;
  html_text?: string | null;
  created_at?: string;
  /** Null if Asana itself wrote the story. */
  created_by?: AsanaUser | null;
}
interface AsanaProject {
  gid: string;
  name?: string | null;
  html_notes?: string | null;
  permalink_url?: string | null;
}
export interface AsanaPage<Item> {
  data: Item[];
  /** Null on the last page, absent if no limit was given. */
  next_page?: { offset: string } | null;
}

/** https://developers.asana.com/docs/pagination */
const MAX_PAGE_SIZE = 100;
/** As many places as the engine remembers. Reading more at the start of a walk would take minutes. */
const MAX_PROJECTS = 1_000;

/** The fields read here, and one that a client may want from the raw response: by default a task has only its name. */
const TASK_FIELDS =
  "name,html_notes,completed,completed_at,created_at,modified_at,due_on,due_at,permalink_url,projects,resource_subtype,assignee.name,tags.name,parent";

const STORY_FIELDS = "resource_subtype,html_text,created_at,created_by.name";

/** A place to read tasks from: a project, or the user's own tasks in a workspace. */
export interface AsanaPlace extends Place {
  where: Query;
  /** Every project that this list reads. */
  projects: ReadonlySet<string>;
}

/** The first items of a list, up to `most`. */
async function readUpTo(most: number, upstream: Upstream, path: string, query: Query = {}): Promise<Place[]> {
  const found: { gid: string }[] = [];
  let offset: string | undefined;
  while (found.length < most) {
    const { body } = await upstream<AsanaPage<{ gid: string }>>(get(path, { ...query, limit: MAX_PAGE_SIZE, offset }));
    found.push(...body.data);
    offset = body.next_page?.offset;
    if (!offset) break;
  }
  return found.slice(0, most).map(({ gid }) => ({ id: gid }));
}

const readWorkspaces = ({ upstream }: Pick<Context, "upstream">) => readUpTo(MAX_PAGE_SIZE, upstream, "/workspaces");

/**
 * Tasks can only be listed by project, or by workspace and assignee. So every project is read in turn, then the user's
 * own tasks that are in no project. https://developers.asana.com/reference/gettasks
 */
export async function places({
  input,
  upstream,
}: Context<InputOf<typeof tasks.operations.listTasks>>): Promise<AsanaPlace[]> {
  const { project_id: only } = input;
  if (only !== undefined) return [{ id: only, projects: new Set([only]), where: { project: only } }];
  const projects = new Set<string>();
  const found: Omit<AsanaPlace, "projects">[] = [];
  for (const workspace of await readWorkspaces({ upstream })) {
    const own = await readUpTo(MAX_PROJECTS - projects.size, upstream, "/projects", { workspace: workspace.id });
    for (const { id } of own) {
      projects.add(id);
      found.push({ id, where: { project: id } });
    }
    found.push({ id: `${workspace.id}:me`, where: { workspace: workspace.id, assignee: "me" } });
  }
  return found.map((place) => ({ ...place, projects }));
}

/**
 * A task can be in several projects and would then be listed several times. It counts only in the first of its projects
 * that this list reads. Each page can decide that alone, without any state from earlier pages. The field `memberships`
 * has the same information but needs another permission.
 */
export const belongsTo = ({ id, where, projects }: AsanaPlace, task: AsanaTask): boolean => {
  const first = task.projects?.find(({ gid }) => projects.has(gid))?.gid;
  return where.project === undefined ? first === undefined : first === id;
};

const toPerson = (user: AsanaUser | null | undefined) => (user ? { id: user.gid, name: user.name || null } : null);

/** Whether somebody works on a task is not recorded: sections and custom fields have no fixed meaning. */
export const toTask = (task: AsanaTask): Task => ({
  id: task.gid,
  title: task.name ?? "",
  description: htmlToMarkdown(task.html_notes),
  status: task.completed ? "completed" : "incomplete",
  status_category: task.completed ? "done" : "todo",
  project_id: task.projects?.[0]?.gid ?? null,
  assignee: toPerson(task.assignee),
  // A priority is a custom field, which a project may name and fill as it likes.
  priority: null,
  labels: task.tags?.flatMap(({ name }) => name || []) ?? [],
  due_at: isoTime(task.due_at ?? task.due_on),
  parent_id: task.parent?.gid ?? null,
  url: task.permalink_url ?? `https://app.asana.com/0/0/${task.gid}`,
  created_at: firstTime(task.created_at),
  updated_at: firstTime(task.modified_at, task.created_at),
  completed_at: isoTime(task.completed_at),
});

export const toComment = (story: AsanaStory): TaskComment => ({
  id: story.gid,
  text: htmlToMarkdown(story.html_text),
  author: toPerson(story.created_by),
  created_at: isoTime(story.created_at),
});

const toProject = (project: AsanaProject): Project => ({
  id: project.gid,
  name: project.name ?? "",
  description: htmlToMarkdown(project.html_notes),
  url: project.permalink_url ?? null,
});

const nextOffset = <Item>({ body }: Answer<AsanaPage<Item>>) => body.next_page?.offset;

export const operations: CategoryImplementation<typeof tasks.operations> = {
  listTasks: list({
    maxPageSize: MAX_PAGE_SIZE,
    sparse: true,
    filtersUpdatedSince: true,
    places,
    items: (body: AsanaPage<AsanaTask>, { place }) => keepIf(body.data, (task) => belongsTo(place, task)),
    next: nextOffset<AsanaTask>,
    request: ({ input, limit, cursor, place }) =>
      // The fields are locked: without `projects` a page could not tell which tasks belong to it.
      get(
        "/tasks",
        {},
        {
          project: undefined,
          section: undefined,
          tag: undefined,
          workspace: undefined,
          assignee: undefined,
          ...place.where,
          ...(input.updated_since === undefined ? {} : { modified_since: input.updated_since }),
          opt_fields: TASK_FIELDS,
          limit,
          offset: cursor,
        },
      ),
    record: toTask,
  }),

  getTask: one({
    request: ({ input }) => get(path`/tasks/${input.task_id}`, { opt_fields: TASK_FIELDS }),
    record: ({ data }: { data: AsanaTask }) => toTask(data),
  }),

  listProjects: list({
    maxPageSize: MAX_PAGE_SIZE,
    places: readWorkspaces,
    items: (body: AsanaPage<AsanaProject>) => body.data,
    next: nextOffset<AsanaProject>,
    request: ({ limit, cursor, place }) =>
      get(
        "/projects",
        { opt_fields: "name,html_notes,permalink_url,archived" },
        { workspace: place.id, limit, offset: cursor },
      ),
    record: toProject,
  }),

  // Stories are everything that happened to a task. https://developers.asana.com/reference/getstoriesfortask
  listComments: list({
    maxPageSize: MAX_PAGE_SIZE,
    sparse: true,
    items: (body: AsanaPage<AsanaStory>) =>
      keepIf(body.data, ({ resource_subtype }) => resource_subtype === "comment_added"),
    next: nextOffset<AsanaStory>,
    request: ({ input, limit, cursor }) =>
      // The fields are locked: without `resource_subtype` comments could not be told from the rest.
      get(path`/tasks/${input.task_id}/stories`, {}, { opt_fields: STORY_FIELDS, limit, offset: cursor }),
    record: toComment,
  }),

  createTask: one({
    requires: ["project_id"],
    async load({ input, upstream }) {
      const { project_id: project } = input;
      const data = {
        ...taskFields(input),
        projects: [project],
        parent: input.parent_id,
        tags: await tagsOfNewTask(input.labels, project, upstream),
      };
      const request = post("/tasks", { data }, {}, { query: { opt_fields: TASK_FIELDS } });
      return (await upstream<{ data: AsanaTask }>(request)).body.data;
    },
    record: toTask,
  }),

  updateTask: one({
    async load({ input, upstream }) {
      const fields = Object.fromEntries(Object.entries(taskFields(input)).filter(([, value]) => value !== undefined));
      const further = await furtherChanges(input, upstream);
      if (Object.keys(fields).length > 0) await upstream(editTask(input.task_id, fields));
      for (const call of further) await upstream(call);
      const request = get(path`/tasks/${input.task_id}`, { opt_fields: TASK_FIELDS });
      return (await upstream<{ data: AsanaTask }>(request)).body.data;
    },
    record: toTask,
  }),

  createComment: one({
    request: ({ input }) =>
      post(
        path`/tasks/${input.task_id}/stories`,
        { data: { html_text: markdownToBodyHtml(input.text) ?? "<body></body>" } },
        {},
        { query: { opt_fields: STORY_FIELDS } },
      ),
    record: ({ data }: { data: AsanaStory }) => toComment(data),
  }),
};

export default implement(tasks, operations);
