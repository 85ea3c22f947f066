import { type Task, type TaskComment, tasks } from "../../categories/tasks.ts";
import type { Project } from "../../categories/ticketing.ts";
import type { InputOf } from "../../contracts/operation.ts";
import type { CategoryImplementation, Context, Place } from "../../contracts/provider.ts";
import type { Answer, Upstream } from "../../contracts/upstream.ts";
import { implement, list, one } from "../../provider-kit/implement.ts";
import { get, path, post, put } from "../../provider-kit/request.ts";
import { toText } from "../../provider-kit/text/plain.ts";
import { firstTime, isoSeconds, isoTime } from "../../provider-kit/time.ts";
import { byName } from "../../provider-kit/write.ts";
import { boardOf, cardFields, labelIds, openLists, statusFields } from "./writes.ts";

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
}
interface TrelloBoard {
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

/** A board to read cards from. */
interface TrelloPlace extends Place {
  /** Names of its lists by id. */
  lists: ReadonlyMap<string, string>;
}

/** https://developer.atlassian.com/cloud/trello/guides/rest-api/api-introduction/#paging */
const MAX_PAGE_SIZE = 1000;
const MEMBERS = { members: true, member_fields: "fullName,username" };

/** An id starts with the time of creation, in seconds: https://support.atlassian.com/trello/docs/getting-the-time-a-card-or-board-was-created/ */
const createdAt = (id: string) => isoSeconds(Number.parseInt(id.slice(0, 8), 16));

const newestFirst = (one: TrelloCard | null, other: TrelloCard | null) =>
  (one?.id ?? "~") < (other?.id ?? "~") ? 1 : -1;

const toPerson = (member: TrelloMember | null | undefined) =>
  member ? { id: member.id, name: member.fullName || member.username || null } : null;

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

export const toTask = (card: TrelloCard, listName = ""): Task => ({
  id: card.id,
  title: card.name ?? "",
  description: toText(card.desc),
  status: card.closed ? "archived" : listName,
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

const toProject = ({ id, name, desc, url }: TrelloBoard): Project => ({
  id,
  name,
  description: toText(desc),
  url: url ?? null,
});

/**
 * The cards that the user is a member of could be read in one list, but a team works on the cards of all its boards.
 * The boards are requested with their lists, so that no page has to look up the names of lists.
 */
async function places({
  input,
  upstream,
}: Context<InputOf<typeof tasks.operations.listTasks>>): Promise<TrelloPlace[]> {
  const query = { fields: "name", lists: "all" };
  const { body } = await upstream<TrelloBoard | TrelloBoard[]>(
    input.project_id === undefined
      ? get("/members/me/boards", { filter: "open", ...query })
      : get(path`/boards/${input.project_id}`, query),
  );
  return [body].flat().map(({ id, lists = [] }) => ({ id, lists: new Map(lists.map(({ id, name }) => [id, name])) }));
}

const cardRequest = (id: string) => get(path`/cards/${id}`, { fields: "all", list: true, ...MEMBERS });

/** After a write, whose answer has neither the name of the list nor the members. */
const readCard = async (id: string, upstream: Upstream) => (await upstream<TrelloCard>(cardRequest(id))).body;

export const operations: CategoryImplementation<typeof tasks.operations> = {
  listTasks: list({
    maxPageSize: MAX_PAGE_SIZE,
    places,
    // A page has the newest cards before `before`, but in their order on the board.
    items: (body: TrelloCard[]) => body.toSorted(newestFirst),
    next: ({ body }: Answer<TrelloCard[]>, { limit }: { limit: number }) =>
      body.length < limit ? null : body.toSorted(newestFirst).at(-1)?.id,
    request: ({ limit, cursor, place }) =>
      get(path`/boards/${place.id}/cards`, { filter: "all", ...MEMBERS }, { limit, before: cursor, since: undefined }),
    record: (card, { place }) => toTask(card, place.lists.get(card.idList ?? "")),
  }),

  getTask: one({
    request: ({ input }) => cardRequest(input.task_id),
    record: (card: TrelloCard) => toTask(card, card.list?.name),
  }),

  listProjects: list({
    // Not paged.
    maxPageSize: MAX_PAGE_SIZE,
    ignoresPageSize: true,
    items: (body: TrelloBoard[]) => body,
    next: () => null,
    request: () => get("/members/me/boards", { filter: "open", fields: "name,desc,url" }),
    record: toProject,
  }),

  // Everything that happened to a card is an action. The comments of a copied card have a type of their own.
  listComments: list({
    maxPageSize: MAX_PAGE_SIZE,
    items: (body: TrelloAction[]) => body,
    next: ({ body }: Answer<TrelloAction[]>, { limit }: { limit: number }) =>
      body.length < limit ? null : body.at(-1)?.id,
    request: ({ input, limit, cursor }) =>
      get(
        path`/cards/${input.task_id}/actions`,
        { memberCreator_fields: MEMBERS.member_fields },
        { filter: "commentCard,copyCommentCard", limit, before: cursor, since: undefined, page: undefined },
      ),
    record: toComment,
  }),

  createTask: one({
    requires: ["project_id"],
    async load({ input, upstream }) {
      const { project_id: board } = input;
      const fields = cardFields(input);
      const lists = await openLists(board, upstream);
      const { status } = input;
      const list = status === undefined ? lists[0] : byName("status", status, lists, ({ name }) => name);
      const card = { ...fields, idList: list?.id, idLabels: await labelIds(input.labels, board, upstream) };
      return readCard((await upstream<TrelloCard>(post("/cards", card))).body.id, upstream);
    },
    record: (card: TrelloCard) => toTask(card, card.list?.name),
  }),

  updateTask: one({
    async load({ input, upstream }) {
      const { task_id, status, labels, project_id } = input;
      const change: Record<string, string | undefined> = { ...cardFields(input), idBoard: project_id };
      if (status !== undefined || labels !== undefined) {
        const board = project_id ?? (await boardOf(task_id, upstream));
        Object.assign(change, await statusFields(status, board, upstream));
        change.idLabels = await labelIds(labels, board, upstream);
      }
      await upstream(put(path`/cards/${task_id}`, change));
      return readCard(task_id, upstream);
    },
    record: (card: TrelloCard) => toTask(card, card.list?.name),
  }),

  createComment: one({
    request: ({ input }) => post(path`/cards/${input.task_id}/actions/comments`, { text: input.text }),
    record: toComment,
  }),
};

export default implement(tasks, operations);
