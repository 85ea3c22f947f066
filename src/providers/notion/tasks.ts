import {
  type Answer,
  type CategoryImplementation,
  type Context,
  Fault,
  get,
  type InputOf,
  implement,
  list,
  one,
  type Place,
  path,
  search,
  tasks,
  wordsOf,
} from "../../provider-kit/index.ts";
import { customFields } from "./custom-fields.ts";
import { type Layout, layoutOf } from "./layout.ts";
import {
  type NotionComment,
  type NotionDataSource,
  type NotionPage,
  readPage,
  readSource,
  toComment,
  toPlacedTask,
  toProject,
  toTask,
} from "./records.ts";
import { isTracker, MAX_PAGE_SIZE, type NotionPageOf, nextCursor, readTrackers, searchSources } from "./sources.ts";
import { writes } from "./writes.ts";

/** Where a walk is: on a page of a query, which begins at a time of creation if it is not the first one. */
type QueryPosition = { start_cursor?: string; since?: string; incomplete?: 1 };
type Cursor = { cursor: QueryPosition | undefined };
type TaskPage = NotionPageOf<NotionPage>;

interface SourcePlace extends Place {
  layout: Layout;
}

const placeOf = ({ id, properties }: NotionDataSource): SourcePlace => ({ id, layout: layoutOf(properties) });

async function sourcePlaces({
  input,
  upstream,
}: Context<InputOf<typeof tasks.operations.listTasks>>): Promise<SourcePlace[]> {
  const { project_id: only } = input;
  if (only !== undefined) return [placeOf(await readSource(only, upstream))];
  return (await readTrackers(upstream)).map(placeOf);
}

/** Any page of a query that has more results than Notion returns may say so, but only the last one is the end of it. */
const isIncomplete = ({ request_status }: TaskPage, position: QueryPosition) =>
  request_status?.type === "incomplete" || position.incomplete !== undefined;

/** A query that was cut off is continued from its last minute on: all of that minute comes with the next query. */
export function pagesOf(body: TaskPage, position: QueryPosition = {}): NotionPage[] {
  if (body.has_more || !isIncomplete(body, position)) return body.results;
  const last = body.results.at(-1)?.created_time;
  return body.results.filter((page) => page?.created_time !== last);
}

/** https://developers.notion.com/guides/data-apis/query-large-data-sources */
export function nextPosition(body: TaskPage, position: QueryPosition = {}): QueryPosition | null {
  const isCapped = isIncomplete(body, position);
  if (body.has_more && body.next_cursor)
    return { ...position, start_cursor: body.next_cursor, ...(isCapped && { incomplete: 1 }) };
  if (!isCapped) return null;
  const since = body.results.at(-1)?.created_time;
  if (since !== undefined && since !== position.since) return { since };
  // A query cannot be divided further than by the minute.
  const message = "Notion returns no more than 10,000 pages that were created within one minute, and there are more";
  throw new Fault("upstream_malformed", message, { permanent: true });
}

const from = (timestamp: "created_time" | "last_edited_time", time: string | undefined) =>
  time === undefined ? [] : [{ timestamp, [timestamp]: { on_or_after: time } }];

/** Where nobody can be assigned, nothing is found anyway. */
const assignedTo = (id: string | undefined, { assignee }: Layout) =>
  id === undefined || assignee === undefined ? [] : [{ property: assignee, people: { contains: id } }];

/** The search of Notion, which also looks at titles only, finds pages of every kind. */
const titled = (text: string | undefined, { title = "title" }: Layout) =>
  wordsOf(text ?? "").map((word) => ({ property: title, title: { contains: word } }));

export const operations: CategoryImplementation<typeof tasks.operations> = {
  listTasks: list({
    maxPageSize: MAX_PAGE_SIZE,
    filters: ["updated_since", "project_id", "assignee_id", "query"],
    places: sourcePlaces,
    items: (body: TaskPage, { cursor }: Cursor) => pagesOf(body, cursor),
    next: ({ body }: Answer<TaskPage>, { cursor }: Cursor) => nextPosition(body, cursor),
    keep: ({ object }) => object === "page",
    request({ input, limit, cursor, place }) {
      const conditions = [
        ...from("last_edited_time", input.updated_since),
        ...from("created_time", cursor?.since),
        ...assignedTo(input.assignee_id, place.layout),
        ...titled(input.query, place.layout),
      ];
      const filter = conditions.length > 0 ? { and: conditions } : undefined;
      return search(
        path`/data_sources/${place.id}/query`,
        { filter, sorts: [{ timestamp: "created_time", direction: "ascending" }] },
        { ...(input.query && { filter }), page_size: limit, start_cursor: cursor?.start_cursor },
      );
    },
    record: (page, { place }) => toTask(page, place.layout),
  }),

  getTask: one({
    async load({ input, upstream }) {
      const { page, properties } = await readPage(input.task_id, upstream);
      return { page, layout: layoutOf(properties) };
    },
    record: toPlacedTask,
    original: ({ page }) => page,
  }),

  listProjects: list({
    maxPageSize: MAX_PAGE_SIZE,
    items: (body: NotionPageOf<NotionDataSource>) => body.results,
    next: nextCursor<NotionDataSource>,
    keep: isTracker,
    request: ({ limit, cursor }) => searchSources(limit, cursor),
    record: toProject,
  }),

  listComments: list({
    maxPageSize: MAX_PAGE_SIZE,
    items: (body: NotionPageOf<NotionComment>) => body.results,
    next: nextCursor<NotionComment>,
    request: ({ input, limit, cursor }) =>
      get("/comments", {}, { block_id: input.task_id, page_size: limit, start_cursor: cursor }),
    record: toComment,
  }),

  ...writes,
};

export default implement(tasks, operations, { task: customFields });
