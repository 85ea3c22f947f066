import { COLUMN_NAMES, columnFinder, type Task } from "../../provider-kit/index.ts";

/** A property of a data source, or of a page, which lacks the configuration. */
export interface NotionProperty {
  type: string;
  status?: { groups?: { option_ids: string[] }[]; options?: { name: string }[] } | null;
  select?: { options?: { name: string }[] } | null;
  relation?: { data_source_id?: string } | unknown[];
}
export type NotionProperties = Record<string, NotionProperty>;

/** Which property of a data source is which field of a task. */
export interface Layout {
  title: string | undefined;
  status: string | undefined;
  assignee: string | undefined;
  due: string | undefined;
  priority: string | undefined;
  labels: string | undefined;
  parent: string | undefined;
  description: string | undefined;
  /** What the options of the status mean, by their IDs. */
  categories: ReadonlyMap<string, Task["status_category"]>;
}

/** The groups are always these, in this order, whatever they are named. */
const GROUPS = ["todo", "in_progress", "done"] as const;

function categoriesOf(property: NotionProperty | undefined): Layout["categories"] {
  const groups = property?.status?.groups ?? [];
  return new Map(
    groups.flatMap(({ option_ids }, index) => option_ids.map((id) => [id, GROUPS[Math.min(index, 2)]!] as const)),
  );
}

export function layoutOf(properties: NotionProperties): Layout {
  const { find, prefer } = columnFinder(Object.keys(properties), (name) => ({ name, type: properties[name]!.type }));
  const status =
    prefer("status", COLUMN_NAMES.status) ??
    find("select", /^(status|state|stage)$/i) ??
    prefer("checkbox", /done|complete/i);
  return {
    title: find("title", /(?:)/),
    status,
    assignee: prefer("people", COLUMN_NAMES.assignee),
    due: prefer("date", COLUMN_NAMES.due),
    priority: find(["select", "status"], COLUMN_NAMES.priority),
    labels: prefer("multi_select", COLUMN_NAMES.labels),
    parent: find("relation", /^parent/i),
    description: prefer("rich_text", /description|summary|details|notes/i),
    categories: categoriesOf(status === undefined ? undefined : properties[status]),
  };
}

/** A select has no groups. These are the names that Notion itself suggests. */
const NAMES: Record<string, Task["status_category"]> = {
  "not started": "todo",
  "in progress": "in_progress",
  done: "done",
};

/** The category of a status, by the group of its option or, if it has none, by its name. */
export const categoryOf = ({ categories }: Layout, { id = "", name }: { id?: string; name: string }) =>
  categories.get(id) ?? NAMES[name.trim().toLowerCase()] ?? "todo";
