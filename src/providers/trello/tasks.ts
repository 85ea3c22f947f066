import {
  type Answer,
  bareWords,
  type CategoryImplementation,
  type Context,
  get,
  type InputOf,
  implement,
  list,
  one,
  type PageContext,
  type Place,
  path,
  tasks,
} from "../../provider-kit/index.ts";
import {
  asksForFields,
  customFields,
  fieldItemsQuery,
  readOptions,
  type TrelloOptions,
  withOptions,
} from "./custom-fields.ts";
import {
  MEMBERS,
  readCard,
  type TrelloAction,
  type TrelloBoard,
  type TrelloCard,
  toComment,
  toProject,
  toTask,
} from "./records.ts";
import { writes } from "./writes.ts";

/** A board to read cards from, or several that are searched: their ids are separated by commas. */
interface TrelloPlace extends Place {
  /** Names of the lists by id. */
  lists: ReadonlyMap<string, string>;
  /** Only if custom fields are declared. */
  options?: TrelloOptions;
}

/** https://developer.atlassian.com/cloud/trello/rest/api-group-search/#api-search-get */
interface TrelloFound {
  cards: TrelloCard[];
}
const LAST_FOUND_PAGE = 100;
/** Named in each search, as closed boards would be searched as well. More would be too much for an address. */
const SEARCHED_BOARDS = 50;

/** Of so many boards the options of dropdowns are known. */
const MAX_BOARDS_WITH_OPTIONS = 50;

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
  select,
}: Context<InputOf<typeof tasks.operations.listTasks>>): Promise<TrelloPlace[]> {
  const query = { fields: "name", lists: "all" };
  const { body } = await upstream<TrelloBoard | TrelloBoard[]>(
    input.project_id === undefined
      ? get("/members/me/boards", { filter: "open", ...query })
      : get(path`/boards/${input.project_id}`, query),
  );
  const boards = [body].flat();
  const size = input.query === undefined ? 1 : SEARCHED_BOARDS;
  const options = new Map<string, TrelloOptions>();
  if (asksForFields(select) && input.query === undefined)
    for (const { id } of boards.slice(0, MAX_BOARDS_WITH_OPTIONS)) options.set(id, await readOptions(id, upstream));
  return Array.from({ length: Math.ceil(boards.length / size) }, (_, index) => {
    const some = boards.slice(index * size, (index + 1) * size);
    const lists = some.flatMap(({ lists = [] }) => lists);
    const id = some.map((board) => board.id).join(",");
    const ofBoard = options.get(id);
    return {
      id,
      lists: new Map(lists.map((list) => [list.id, list.name])),
      ...(ofBoard && { options: ofBoard }),
    };
  });
}

type Paging = Pick<PageContext<unknown, string>, "limit" | "cursor">;

export const operations: CategoryImplementation<typeof tasks.operations> = {
  listTasks: list({
    maxPageSize: MAX_PAGE_SIZE,
    filters: ["project_id", "query"],
    places,
    // A page has the newest cards before `before`, but in their order on the board. A search has the best ones first.
    items: (body: TrelloCard[] | TrelloFound, { place }: { place: TrelloPlace }) =>
      Array.isArray(body) ? body.toSorted(newestFirst).map((card) => withOptions(card, place.options)) : body.cards,
    next({ body }: Answer<TrelloCard[] | TrelloFound>, { limit, cursor }: Paging) {
      if (Array.isArray(body)) return body.length < limit ? null : body.toSorted(newestFirst).at(-1)?.id;
      const page = Number(cursor ?? 0);
      return body.cards.length < limit || page === LAST_FOUND_PAGE ? null : String(page + 1);
    },
    request: ({ input: { query }, limit, cursor, place, select }) =>
      query === undefined
        ? get(
            path`/boards/${place.id}/cards`,
            { filter: "all", ...MEMBERS, ...fieldItemsQuery(select) },
            { limit, before: cursor, since: undefined },
          )
        : get(
            "/search",
            { card_fields: "all" },
            {
              query: bareWords(query),
              idBoards: place.id,
              modelTypes: "cards",
              card_members: true,
              cards_limit: limit,
              cards_page: cursor,
            },
          ),
    record: (card, { place }) => toTask(card, place.lists.get(card.idList ?? "")),
  }),

  getTask: one({
    load: (context) => readCard(context.input.task_id, context),
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

export default implement(tasks, operations, { task: customFields });
