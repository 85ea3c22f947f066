import {
  firstTime,
  get,
  isoTime,
  orNull,
  type Project,
  path,
  type Task,
  type TaskComment,
  type Upstream,
} from "../../provider-kit/index.ts";
import { categoryOf, type Layout, type NotionProperties } from "./layout.ts";
import { plainText, type RichText, richTextToMarkdown } from "./rich-text.ts";

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

/** The names of a checkbox as a status. */
export const CHECKED = "Checked";
export const UNCHECKED = "Unchecked";

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
    priority: orNull((priority?.select ?? priority?.status)?.name),
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

export const toPlacedTask = ({ page, layout }: { page: NotionPage; layout: Layout }): Task => toTask(page, layout);

export const toProject = ({ id, title, description, url }: NotionDataSource): Project => ({
  id,
  name: plainText(title),
  description: richTextToMarkdown(description),
  url: orNull(url),
});

export const toComment = (comment: NotionComment): TaskComment => ({
  id: comment.id,
  text: richTextToMarkdown(comment.rich_text),
  author: comment.created_by ? { id: comment.created_by.id, name: orNull(comment.display_name?.resolved_name) } : null,
  created_at: isoTime(comment.created_time),
});

export const readSource = async (id: string, upstream: Upstream): Promise<NotionDataSource> =>
  (await upstream<NotionDataSource>(get(path`/data_sources/${id}`))).body;

/** A page with the properties of its data source, which alone say what a status means. */
export async function readPage(
  id: string,
  upstream: Upstream,
): Promise<{ page: NotionPage; properties: NotionProperties }> {
  const { body: page } = await upstream<NotionPage>(get(path`/pages/${id}`));
  const source = page.parent?.data_source_id;
  return {
    page,
    properties: source ? (await readSource(source, upstream)).properties : (page.properties as NotionProperties),
  };
}
