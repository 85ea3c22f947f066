import {
  COLUMN_NAMES,
  columnFinder,
  type Described,
  isoTime,
  orNull,
  plainToMarkdown,
  type Task,
} from "../../provider-kit/index.ts";

/** The value of an item's column. Which fields it has depends on its type. */
export interface MondayValue {
  type: string;
  text?: string | null;
  column: { title: string };
  label?: string | null;
  is_done?: boolean | null;
  /** When the value was set. */
  updated_at?: string | null;
  date?: string | null;
  time?: string | null;
  to?: string | null;
  persons_and_teams?: { id: string; kind?: string | null }[] | null;
  tags?: { name: string }[];
  number?: number | null;
  rating?: number | null;
  checked?: boolean | null;
  values?: { label: string }[] | null;
  url?: string | null;
}

interface Label {
  label?: string;
}
/** A column of a board. */
export interface Column {
  id: string;
  title: string;
  type: string;
  settings?: { labels?: Label[] | Record<string, string>; boardIds?: (string | number)[] } | null;
}

/** What `chooseColumns` asks about a column. */
export const titled = ({ type, title }: Column): Described => ({ type, name: title });

/** A board has its labels in a list; before API version 2025-10 it had them under their numbers. */
export const labelsOf = ({ settings }: Column): string[] =>
  Object.values(settings?.labels ?? {}).flatMap((label: Label | string) =>
    typeof label === "string" ? label : (label.label ?? []),
  );

type ColumnFields = Pick<
  Task,
  "status" | "status_category" | "completed_at" | "priority" | "assignee" | "due_at" | "labels" | "description"
>;

/** Labels that monday.com's own templates have for what nobody has begun yet. */
const NOT_STARTED = /^(not started|to.?do|backlog|ready to start|new)$/i;

function categoryOf(status: MondayValue | undefined): Task["status_category"] {
  if (status?.is_done) return "done";
  const label = status?.label?.trim() ?? "";
  return label === "" || NOT_STARTED.test(label) ? "todo" : "in_progress";
}

/** The times of a date column are in UTC. Those without a time are dates. */
const dueOf = (value: MondayValue | undefined) =>
  value?.date ? isoTime(value.time ? `${value.date}T${value.time}Z` : value.date) : isoTime(value?.to);

/** Only the text has names: those of all people and teams, with commas between them. */
function firstPerson(value: MondayValue | undefined): Task["assignee"] {
  const entities = value?.persons_and_teams ?? [];
  const names = entities.length === 1 ? [value?.text] : (value?.text?.split(", ") ?? []);
  const index = entities.findIndex(({ kind }) => kind !== "team");
  const found = entities[index];
  return found ? { id: found.id, name: names.length === entities.length ? orNull(names[index]) : null } : null;
}

/** Which of a board's columns, or of their values, is which field of a task. */
export function chooseColumns<Column>(columns: readonly Column[], describe: (column: Column) => Described) {
  const { find, prefer } = columnFinder(columns, describe);
  return {
    // A priority is a status as well.
    status: find("status", COLUMN_NAMES.status) ?? find("status", /^(?!.*priority)/is),
    priority: find("status", COLUMN_NAMES.priority),
    assignee: prefer("people", COLUMN_NAMES.assignee),
    due: prefer("date", COLUMN_NAMES.due) ?? prefer("timeline", COLUMN_NAMES.due),
    labels: prefer("tags", COLUMN_NAMES.labels),
    description: prefer("long_text", /description|details|notes/i),
  };
}

/** What a task has in columns. */
export function readColumns(values: readonly MondayValue[]): ColumnFields {
  const chosen = chooseColumns(values, ({ type, column }) => ({ type, name: column.title }));
  const { status } = chosen;
  return {
    status: status?.label ?? "",
    status_category: categoryOf(status),
    completed_at: status?.is_done ? isoTime(status.updated_at) : null,
    priority: orNull(chosen.priority?.label),
    assignee: firstPerson(chosen.assignee),
    due_at: dueOf(chosen.due),
    labels: chosen.labels?.tags?.map(({ name }) => name) ?? [],
    description: plainToMarkdown(chosen.description?.text),
  };
}
