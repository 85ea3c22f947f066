import { type Ticket, ticketing } from "../../categories/ticketing.ts";
import type { Context, Place } from "../../contracts/provider.ts";
import type { Answer, Query, Upstream } from "../../contracts/upstream.ts";
import { implement, list } from "../../provider-kit/implement.ts";
import { get } from "../../provider-kit/request.ts";
import { firstTime } from "../../provider-kit/time.ts";

// Only the fields that are requested below.
export interface AsanaTask {
  gid: string;
  name?: string | null;
  notes?: string | null;
  completed?: boolean;
  created_at?: string;
  modified_at?: string;
  permalink_url?: string;
  projects?: { gid: string }[];
}
export interface AsanaPage<Item> {
  data: Item[];
  /** Null on the last page, absent if no limit was given. */
  next_page?: { offset: string } | null;
}

/** https://developers.asana.com/docs/pagination */
const MAX_PAGE_SIZE = 100;

/** The fields read here, and some that a client may want from the raw response: by default a task has only its name. */
const FIELDS =
  "name,notes,completed,created_at,modified_at,permalink_url,projects,resource_subtype,assignee.name,due_on,tags.name";

/** A place to read tasks from: a project, or the user's own tasks in a workspace. */
export interface AsanaPlace extends Place {
  where: Query;
  /** Every project that this list reads. */
  projects: ReadonlySet<string>;
}

async function readAll(upstream: Upstream, path: string, query: Query = {}): Promise<{ gid: string }[]> {
  const found: { gid: string }[] = [];
  let offset: string | undefined;
  do {
    const { body } = await upstream<AsanaPage<{ gid: string }>>(get(path, { ...query, limit: MAX_PAGE_SIZE, offset }));
    found.push(...body.data);
    offset = body.next_page?.offset;
  } while (offset);
  return found;
}

/**
 * Tasks can only be listed by project, or by workspace and assignee. So every project is read in turn, then the user's
 * own tasks that are in no project. https://developers.asana.com/reference/gettasks
 */
async function places({ upstream }: Context): Promise<AsanaPlace[]> {
  const workspaces = await readAll(upstream, "/workspaces");
  const lists = await Promise.all(workspaces.map(({ gid }) => readAll(upstream, "/projects", { workspace: gid })));
  const projects = new Set(lists.flat().map(({ gid }) => gid));
  return workspaces.flatMap((workspace, index) => [
    ...lists[index]!.map(({ gid }) => ({ id: gid, projects, where: { project: gid } })),
    { id: `${workspace.gid}:me`, projects, where: { workspace: workspace.gid, assignee: "me" } },
  ]);
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

export const toTicket = (task: AsanaTask): Ticket => ({
  id: task.gid,
  title: task.name ?? "",
  status: task.completed ? "completed" : "incomplete",
  url: task.permalink_url ?? `https://app.asana.com/0/0/${task.gid}`,
  description: task.notes || null,
  created_at: firstTime(task.created_at),
  updated_at: firstTime(task.modified_at, task.created_at),
});

export default implement(ticketing, {
  listTickets: list({
    maxPageSize: MAX_PAGE_SIZE,
    sparse: true,
    places,
    items: (body: AsanaPage<AsanaTask>, { place }) => body.data.filter((task) => belongsTo(place, task)),
    next: ({ body }: Answer<AsanaPage<AsanaTask>>) => body.next_page?.offset,
    request: ({ limit, cursor, place }) =>
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
          opt_fields: FIELDS,
          limit,
          offset: cursor,
        },
      ),
    record: toTicket,
  }),
});
