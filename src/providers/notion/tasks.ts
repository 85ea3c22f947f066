import { type Task, type TaskComment, tasks } from "../../categories/tasks.ts";
import type { Project } from "../../categories/ticketing.ts";
import { invalidInput } from "../../contracts/fault.ts";
import type { InputOf } from "../../contracts/operation.ts";
import type { CategoryImplementation, Context, Place } from "../../contracts/provider.ts";
import type { Answer, Upstream, UpstreamRequest } from "../../contracts/upstream.ts";
import { orNull } from "../../provider-kit/contact.ts";
import { implement, keepIf, list, one } from "../../provider-kit/implement.ts";
import { get, patch, path, post, search } from "../../provider-kit/request.ts";
import { firstTime, isoTime } from "../../provider-kit/time.ts";
import { categoryOf, type Layout, layoutOf, type NotionProperties } from "./layout.ts";
import { CHECKED, propertiesFrom, UNCHECKED } from "./page-writes.ts";
import { plainText, type RichText, richTextToMarkdown } from "./rich-text.ts";
import { markdownToRichText } from "./to-rich-text.ts";

// Only the fields that are read.
interface Option {
  id?: string;
  name: string;
}
/** The value of a page's property, under the name of its type. */
interface NotionValue {
  type: string;
  title?: RichText[];
  rich_text?: RichText[];
  status?: Option | null;
  select?: Option | null;
  multi_select?: Option[];
  checkbox?: boolean;
  date?: { start?: string | null } | null;
  people?: { id: string; name?: string | null }[];
  relation?: { id: string }[];
}
export interface NotionPage {
  object: string;
  id: string;
  url: string;
  created_time: string;
  last_edited_time?: string | null;
  parent?: { data_source_id?: string };
  properties: Record<string, NotionValue>;
}
export interface NotionDataSource {
  id: string;
  title?: RichText[];
  description?: RichText[];
  url?: string | null;
  properties: NotionProperties;
}
export interface NotionComment {
  id: string;
  rich_text?: RichText[];
  created_by?: { id: string } | null;
  display_name?: { resolved_name?: string | null } | null;
  created_time?: string | null;
}
export interface NotionPageOf<Item> {
  results: Item[];
  has_more?: boolean;
  next_cursor?: string | null;
  /** Incomplete if the query has more results than Notion returns to one query. */
  request_status?: { type?: string };
}

/** Where a walk is: on a page of a query, which begins at a time of creation if it is not the first one. */
export type QueryPosition = { start_cursor?: string; since?: string };

export interface SourcePlace extends Place {
  layout: Layout;
}

/** https://developers.notion.com/reference/intro#pagination */
const MAX_PAGE_SIZE = 100;
/** As many places as the engine remembers. Reading more at the start of a walk would take minutes. */
const MAX_SOURCES = 1_000;

function statusOf(value: NotionValue | undefined, layout: Layout): Pick<Task, "status" | "status_category"> {
  if (value?.type === "checkbox")
    return value.checkbox
      ? { status: CHECKED, status_category: "done" }
      : { status: UNCHECKED, status_category: "todo" };
  const option = value?.status ?? value?.select;
  return option
    ? { status: option.name, status_category: categoryOf(layout, option) }
    : { status: "", status_category: "todo" };
}

export function toTask(page: NotionPage, layout: Layout): Task {
  const value = (name: string | undefined) => (name === undefined ? undefined : page.properties[name]);
  const [assignee] = value(layout.assignee)?.people ?? [];
  const priority = value(layout.priority);
  return {
    id: page.id,
    title: plainText(value(layout.title)?.title),
    description: richTextToMarkdown(value(layout.description)?.rich_text),
    ...statusOf(value(layout.status), layout),
    project_id: page.parent?.data_source_id ?? null,
    assignee: assignee ? { id: assignee.id, name: orNull(assignee.name) } : null,
    priority: (priority?.select ?? priority?.status)?.name ?? null,
    labels: value(layout.labels)?.multi_select?.map(({ name }) => name) ?? [],
    due_at: isoTime(value(layout.due)?.date?.start),
    parent_id: value(layout.parent)?.relation?.[0]?.id ?? null,
    url: page.url,
    created_at: firstTime(page.created_time),
    updated_at: firstTime(page.last_edited_time, page.created_time),
    // When a status was set is not recorded.
    completed_at: null,
  };
}

const toPlacedTask = ({ page, layout }: { page: NotionPage; layout: Layout }): Task => toTask(page, layout);

export const toProject = ({ id, title, description, url }: NotionDataSource): Project => ({
  id,
  name: plainText(title),
  description: richTextToMarkdown(description),
  url: url ?? null,
});

export const toComment = (comment: NotionComment): TaskComment => ({
  id: comment.id,
  text: richTextToMarkdown(comment.rich_text),
  author: comment.created_by ? { id: comment.created_by.id, name: orNull(comment.display_name?.resolved_name) } : null,
  created_at: isoTime(comment.created_time),
});

const nextCursor = <Item>({ body }: Answer<NotionPageOf<Item>>) => (body.has_more ? body.next_cursor : null);

/** Every data source, in an order in which one that is edited meanwhile is not missed. */
const searchSources = (limit: number, cursor: string | undefined): UpstreamRequest =>
  search(
    "/search",
    {
      filter: { property: "object", value: "data_source" },
      sort: { timestamp: "last_edited_time", direction: "ascending" },
    },
    { page_size: limit, start_cursor: cursor },
  );

const isTracker = ({ properties }: NotionDataSource) => layoutOf(properties).status !== undefined;

const placeOf = ({ id, properties }: NotionDataSource): SourcePlace => ({ id, layout: layoutOf(properties) });

async function sourcePlaces({
  input,
  upstream,
}: Context<InputOf<typeof tasks.operations.listTasks>>): Promise<SourcePlace[]> {
  const { project_id: only } = input;
  if (only !== undefined) return [placeOf(await readSource(only, upstream))];
  const places: SourcePlace[] = [];
  let cursor: string | null | undefined;
  do {
    const answer = await upstream<NotionPageOf<NotionDataSource>>(searchSources(MAX_PAGE_SIZE, cursor ?? undefined));
    places.push(...answer.body.results.filter(isTracker).map(placeOf));
    cursor = nextCursor(answer);
  } while (cursor && places.length < MAX_SOURCES);
  return places.slice(0, MAX_SOURCES);
}

const readSource = async (id: string, upstream: Upstream): Promise<NotionDataSource> =>
  (await upstream<NotionDataSource>(get(path`/data_sources/${id}`))).body;

/** A page with the properties of its data source, which alone say what a status means. */
async function readPage(id: string, upstream: Upstream): Promise<{ page: NotionPage; properties: NotionProperties }> {
  const { body: page } = await upstream<NotionPage>(get(path`/pages/${id}`));
  const source = page.parent?.data_source_id;
  return {
    page,
    properties: source ? (await readSource(source, upstream)).properties : (page.properties as NotionProperties),
  };
}

/** Whether this is the last page of a query that has more results than Notion returns. */
const isCutOff = ({ has_more, request_status }: NotionPageOf<unknown>) =>
  !has_more && request_status?.type === "incomplete";

/** A query that was cut off is continued from its last minute on: all of that minute comes with the next query. */
export function pagesOf(body: NotionPageOf<NotionPage>): NotionPage[] {
  const pages = keepIf(body.results, ({ object }) => object === "page");
  const last = pages.at(-1)?.created_time;
  return isCutOff(body) ? keepIf(pages, ({ created_time }) => created_time !== last) : pages;
}

/** https://developers.notion.com/guides/data-apis/query-large-data-sources */
export function nextPosition(body: NotionPageOf<NotionPage>, position: QueryPosition = {}): QueryPosition | null {
  if (body.has_more && body.next_cursor) return { ...position, start_cursor: body.next_cursor };
  const since = isCutOff(body) ? body.results.at(-1)?.created_time : undefined;
  // A query cannot be divided further than by the minute.
  return since === undefined || since === position.since ? null : { since };
}

const from = (timestamp: "created_time" | "last_edited_time", time: string | undefined) =>
  time === undefined ? [] : [{ timestamp, [timestamp]: { on_or_after: time } }];

export const operations: CategoryImplementation<typeof tasks.operations> = {
  listTasks: list({
    maxPageSize: MAX_PAGE_SIZE,
    filtersUpdatedSince: true,
    places: sourcePlaces,
    items: pagesOf,
    next: ({ body }: Answer<NotionPageOf<NotionPage>>, { cursor }: { cursor: QueryPosition | undefined }) =>
      nextPosition(body, cursor),
    request({ input, limit, cursor, place }) {
      const conditions = [...from("last_edited_time", input.updated_since), ...from("created_time", cursor?.since)];
      return search(
        path`/data_sources/${place.id}/query`,
        {
          ...(conditions.length > 0 ? { filter: { and: conditions } } : {}),
          sorts: [{ timestamp: "created_time", direction: "ascending" }],
        },
        { page_size: limit, start_cursor: cursor?.start_cursor },
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
  }),

  listProjects: list({
    maxPageSize: MAX_PAGE_SIZE,
    sparse: true,
    items: (body: NotionPageOf<NotionDataSource>) => keepIf(body.results, isTracker),
    next: nextCursor<NotionDataSource>,
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

  createTask: one({
    requires: ["project_id"],
    async load({ input: { project_id: source, ...fields }, upstream }) {
      const { properties: known } = await readSource(source, upstream);
      const parent = { type: "data_source_id", data_source_id: source };
      const properties = propertiesFrom(fields, known);
      const { body: page } = await upstream<NotionPage>(post("/pages", { parent, properties }));
      return { page, layout: layoutOf(known) };
    },
    record: toPlacedTask,
  }),

  updateTask: one({
    async load({ input: { task_id, project_id, ...fields }, upstream }) {
      const { page: before, properties: known } = await readPage(task_id, upstream);
      if (project_id !== undefined && project_id !== before.parent?.data_source_id)
        throw invalidInput({
          path: ["body", "project_id"],
          message: "cannot be changed: the properties of a page belong to its data source",
        });
      const properties = propertiesFrom(fields, known);
      const { body: page } = await upstream<NotionPage>(patch(path`/pages/${task_id}`, { properties }));
      return { page, layout: layoutOf(known) };
    },
    record: toPlacedTask,
  }),

  createComment: one({
    request: ({ input }) =>
      post("/comments", { parent: { page_id: input.task_id }, rich_text: markdownToRichText(input.text) }),
    record: toComment,
  }),
};

export default implement(tasks, operations);
