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
  path,
  tasks,
} from "../../provider-kit/index.ts";
import { customFields } from "./custom-fields.ts";
import { type ClickUpLists, type ClickUpPlace, listsIn, projectPlaces, readTeams } from "./places.ts";
import { type ClickUpComment, type ClickUpTask, toComment, toProject, toTask } from "./records.ts";
import { writes } from "./writes.ts";

export interface ClickUpPage {
  tasks: ClickUpTask[];
  last_page?: boolean;
}

async function taskPlaces(context: Context<InputOf<typeof tasks.operations.listTasks>>): Promise<ClickUpPlace[]> {
  const { project_id: list } = context.input;
  if (list !== undefined) return [{ id: list, path: path`/list/${list}/task` }];
  const teams = await readTeams(context.upstream);
  return teams.map(({ id }) => ({ id, path: path`/team/${id}/task` }));
}

/** https://developer.clickup.com/docs/task-comments-pagination */
const COMMENTS_PER_PAGE = 25;

export const operations: CategoryImplementation<typeof tasks.operations> = {
  listTasks: list({
    // https://developer.clickup.com/reference/getfilteredteamtasks
    maxPageSize: 100,
    ignoresPageSize: true,
    filters: ["updated_since", "project_id", "assignee_id"],
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
          include_timl: input.project_id === undefined ? undefined : true,
          include_markdown_description: true,
        },
        {
          page: cursor,
          ...defined({
            date_updated_gt: input.updated_since && Date.parse(input.updated_since) - 1,
            "assignees[]": input.assignee_id,
          }),
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
    items: (body: ClickUpLists) => listsIn(body),
    next: () => null,
    request: ({ place }) => get(place.path),
    record: (found, { place }) => toProject(found, place.team),
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

  ...writes,
};

export default implement(tasks, operations, { task: customFields });
