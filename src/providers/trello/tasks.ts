import { tasks } from "../../categories/tasks.ts";
import type { InputOf } from "../../contracts/operation.ts";
import type { CategoryImplementation, Context, Place } from "../../contracts/provider.ts";
import type { Answer } from "../../contracts/upstream.ts";
import { implement, list, one } from "../../provider-kit/implement.ts";
import { get, path } from "../../provider-kit/request.ts";
import {
  cardRequest,
  MEMBERS,
  type TrelloAction,
  type TrelloBoard,
  type TrelloCard,
  toComment,
  toProject,
  toTask,
} from "./records.ts";
import { writes } from "./writes.ts";

/** A board to read cards from. */
interface TrelloPlace extends Place {
  /** Names of its lists by id. */
  lists: ReadonlyMap<string, string>;
}

/** https://developer.atlassian.com/cloud/trello/guides/rest-api/api-introduction/#paging */
const MAX_PAGE_SIZE = 1000;

const newestFirst = (one: TrelloCard | null, other: TrelloCard | null) =>
  (one?.id ?? "~") < (other?.id ?? "~") ? 1 : -1;

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

export const operations: CategoryImplementation<typeof tasks.operations> = {
  listTasks: list({
    maxPageSize: MAX_PAGE_SIZE,
    filters: ["project_id"],
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

  ...writes,
};

export default implement(tasks, operations);
