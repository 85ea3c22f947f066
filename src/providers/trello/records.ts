import {
  type Context,
  firstTime,
  get,
  isoSeconds,
  isoTime,
  orNull,
  type Project,
  path,
  type Task,
  type TaskComment,
  toText,
} from "../../provider-kit/index.ts";
import { fieldItemsQuery, readOptions, type TrelloFieldItem, withOptions } from "./custom-fields.ts";

// Only the fields that are read. Any of them is missing if a client requests other fields.
interface TrelloMember {
  id: string;
  fullName?: string | null;
  username?: string;
}
export interface TrelloCard {
  id: string;
  name?: string;
  desc?: string | null;
  url?: string;
  /** Archived. */
  closed?: boolean;
  /** Marked as complete, with or without a due date. */
  dueComplete?: boolean;
  due?: string | null;
  idBoard?: string;
  idList?: string;
  labels?: { name?: string; color?: string | null }[];
  members?: TrelloMember[];
  dateLastActivity?: string | null;
  /** Only if requested with a single card. */
  list?: { name: string };
  /** Only if requested. */
  customFieldItems?: TrelloFieldItem[];
}
export interface TrelloBoard {
  id: string;
  name: string;
  desc?: string | null;
  url?: string;
  /** Only if requested. */
  lists?: { id: string; name: string }[];
}
export interface TrelloAction {
  id: string;
  data?: { text?: string | null };
  date?: string;
  /** Null if the account was deleted. */
  memberCreator?: TrelloMember | null;
}

export const MEMBERS = { members: true, member_fields: "fullName,username" };

/** An id starts with the time of creation, in seconds: https://support.atlassian.com/trello/docs/getting-the-time-a-card-or-board-was-created/ */
const createdAt = (id: string) => isoSeconds(Number.parseInt(id.slice(0, 8), 16));

const toPerson = (member: TrelloMember | null | undefined) =>
  member ? { id: member.id, name: orNull(member.fullName, member.username) } : null;

/** What a list means is only known by its name. One that is not among these may mean anything, and counts as `todo`. */
const LISTS = new Map<string, Task["status_category"]>([
  ..."doing|in progress|wip|work in progress|started|ongoing|in development|in review|review|code review|testing|in testing|qa|in qa"
    .split("|")
    .map((name) => [name, "in_progress"] as const),
  ..."done|complete|completed|finished|closed|resolved|shipped|released|deployed|canceled|cancelled"
    .split("|")
    .map((name) => [name, "done"] as const),
]);

/** `In-Progress 🚧` is the same as `in progress`. */
const categoryOf = (list: string): Task["status_category"] =>
  LISTS.get(
    list
      .toLowerCase()
      .replace(/\P{L}+/gu, " ")
      .trim(),
  ) ?? "todo";

/** The status of a card that is in no list any more, as far as its users see. */
export const ARCHIVED = "archived";

export const toTask = (card: TrelloCard, listName = ""): Task => ({
  id: card.id,
  title: card.name ?? "",
  description: toText(card.desc),
  status: card.closed ? ARCHIVED : listName,
  status_category: card.closed || card.dueComplete ? "done" : categoryOf(listName),
  project_id: card.idBoard ?? null,
  assignee: toPerson(card.members?.[0]),
  priority: null,
  // A label without a name is known by its color.
  labels: card.labels?.flatMap(({ name, color }) => name || color || []) ?? [],
  due_at: isoTime(card.due),
  parent_id: null,
  url: card.url ?? `https://trello.com/c/${card.id}`,
  created_at: firstTime(createdAt(card.id)),
  updated_at: firstTime(card.dateLastActivity, createdAt(card.id)),
  completed_at: null,
});

export const toComment = ({ id, data, date, memberCreator }: TrelloAction): TaskComment => ({
  id,
  text: toText(data?.text),
  author: toPerson(memberCreator),
  created_at: isoTime(date),
});

export const toProject = ({ id, name, desc, url }: TrelloBoard): Project => ({
  id,
  name,
  description: toText(desc),
  url: orNull(url),
});

/** A card with the name of its list, its members, and the custom fields that are declared. */
export async function readCard(id: string, { upstream, select }: Pick<Context, "upstream" | "select">) {
  const query = { fields: "all", list: true, ...MEMBERS, ...fieldItemsQuery(select) };
  const { body: card } = await upstream<TrelloCard>(get(path`/cards/${id}`, query));
  const hasOption = card.customFieldItems?.some(({ idValue }) => idValue);
  return hasOption && card.idBoard ? withOptions(card, await readOptions(card.idBoard, upstream)) : card;
}
