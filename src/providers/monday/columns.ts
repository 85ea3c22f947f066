import type { Task } from "../../categories/tasks.ts";
import { plainToMarkdown } from "../../provider-kit/text/plain.ts";
import { isoTime } from "../../provider-kit/time.ts";

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
}

type ColumnFields = Pick<
  Task,
  "status" | "status_category" | "completed_at" | "priority" | "assignee" | "due_at" | "labels" | "description"
>;

const PRIORITY = /priority/i;

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
  return found ? { id: found.id, name: (names.length === entities.length && names[index]?.trim()) || null } : null;
}

/** A column, or the value of one: both can be chosen by type and title. */
interface Titled {
  type: string;
  title: string;
}

/** Which of a board's columns, which it names as it likes, is which field of a task. */
export function chooseColumns<Column>(columns: readonly Column[], describe: (column: Column) => Titled) {
  const find = (type: string, isWanted: (title: string) => boolean) =>
    columns.find((column) => describe(column).type === type && isWanted(describe(column).title));
  const prefer = (type: string, name: RegExp) => find(type, (title) => name.test(title)) ?? find(type, () => true);
  return {
    status: find("status", (title) => /status/i.test(title)) ?? find("status", (title) => !PRIORITY.test(title)),
    priority: find("status", (title) => PRIORITY.test(title)),
    assignee: prefer("people", /assign|owner|responsible/i),
    due: prefer("date", /due|deadline/i) ?? prefer("timeline", /due|deadline/i),
    labels: prefer("tags", /tag|label/i),
    description: prefer("long_text", /description|details|notes/i),
  };
}

/** What a task has in columns. */
export function readColumns(values: readonly MondayValue[]): ColumnFields {
  const chosen = chooseColumns(values, ({ type, column: { title } }) => ({ type, title }));
  const { status } = chosen;
  return {
    status: status?.label ?? "",
    status_category: categoryOf(status),
    completed_at: status?.is_done ? isoTime(status.updated_at) : null,
    priority: chosen.priority?.label || null,
    assignee: firstPerson(chosen.assignee),
    due_at: dueOf(chosen.due),
    labels: chosen.labels?.tags?.map(({ name }) => name) ?? [],
    description: plainToMarkdown(chosen.description?.text),
  };
}
