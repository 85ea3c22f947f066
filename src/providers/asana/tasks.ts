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
  type Query,
  tasks,
} from "../../provider-kit/index.ts";
import { customFieldPaths, customFields } from "./custom-fields.ts";
import {
  type AsanaProject,
  type AsanaStory,
  type AsanaTask,
  STORY_FIELDS,
  TASK_FIELDS,
  toComment,
  toProject,
  toTask,
} from "./records.ts";
import { type AsanaPage, MAX_PAGE_SIZE, readUpTo, readWorkspaces } from "./workspaces.ts";
import { writes } from "./writes.ts";

/** As many places as the engine remembers. Reading more at the start of a walk would take minutes. */
const MAX_PROJECTS = 1_000;

/** A place to read tasks from: a project, or the user's own tasks in a workspace. */
export interface AsanaPlace extends Place {
  where: Query;
  /** Every project that this list reads. */
  projects: ReadonlySet<string>;
}

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

const nextOffset = <Item>({ body }: Answer<AsanaPage<Item>>) => body.next_page?.offset;

export const operations: CategoryImplementation<typeof tasks.operations> = {
  listTasks: list({
    maxPageSize: MAX_PAGE_SIZE,
    filters: ["updated_since", "project_id"],
    places,
    items: (body: AsanaPage<AsanaTask>) => body.data,
    next: nextOffset<AsanaTask>,
    keep: (task, { place }) => belongsTo(place, task),
    request: ({ input, limit, cursor, place, select }) =>
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
          ...defined({
            modified_since: input.updated_since,
            // Only what is not completed. There is no filter for what is.
            completed_since: input.status_category === "todo" ? "now" : undefined,
          }),
          opt_fields: TASK_FIELDS + customFieldPaths(select),
          limit,
          offset: cursor,
        },
      ),
    record: toTask,
  }),

  getTask: one({
    request: ({ input, select }) =>
      get(path`/tasks/${input.task_id}`, { opt_fields: TASK_FIELDS + customFieldPaths(select) }),
    record: ({ data }: { data: AsanaTask }) => toTask(data),
    original: ({ data }) => data,
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
    items: (body: AsanaPage<AsanaStory>) => body.data,
    next: nextOffset<AsanaStory>,
    keep: ({ resource_subtype }) => resource_subtype === "comment_added",
    request: ({ input, limit, cursor }) =>
      // The fields are locked: without `resource_subtype` comments could not be told from the rest.
      get(path`/tasks/${input.task_id}/stories`, {}, { opt_fields: STORY_FIELDS, limit, offset: cursor }),
    record: toComment,
  }),

  ...writes,
};

export default implement(tasks, operations, { task: customFields });
