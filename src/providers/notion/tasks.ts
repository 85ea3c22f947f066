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

/**
 * Where a walk is: on a page of a query, which begins at a time of creation if it is not the first one, after so many
 * results, the last of which was created at a time.
 */
type QueryPosition = { start_cursor?: string; since?: string; incomplete?: 1; read?: number; last?: string };
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

/** A query returns 10,000 results. After these, it is left at the next minute that begins on a page. */
const MANY_RESULTS = 9_000;

/**
 * The minute at which a query is left: all of it comes with the next query. What was returned of it on earlier pages
 * comes again, which only happens to minutes with so many pages that a query is cut off within them.
 */
function endOf(body: TaskPage, position: QueryPosition): string | undefined {
  const minute = body.results.at(-1)?.created_time;
  if (!body.has_more) return isIncomplete(body, position) ? minute : undefined;
  const beginsHere = body.results[0]?.created_time !== minute || position.last !== minute;
  return (position.read ?? 0) >= MANY_RESULTS && beginsHere ? minute : undefined;
}

export function pagesOf(body: TaskPage, position: QueryPosition = {}): NotionPage[] {
  const end = endOf(body, position);
  return end === undefined ? body.results : body.results.filter((page) => page?.created_time !== end);
}

/** https://developers.notion.com/guides/data-apis/query-large-data-sources */
export function nextPosition(body: TaskPage, position: QueryPosition = {}): QueryPosition | null {
  const since = endOf(body, position);
  if (since !== undefined && since !== position.since) return { since };
  const isCapped = isIncomplete(body, position);
  const { results, has_more, next_cursor } = body;
  if (has_more && next_cursor) {
    const read = (position.read ?? 0) + results.length;
    const last = results.at(-1)?.created_time ?? position.last;
    return { ...position, start_cursor: next_cursor, ...(isCapped && { incomplete: 1 }), read, ...(last && { last }) };
  }
  if (!isCapped) return null;
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
