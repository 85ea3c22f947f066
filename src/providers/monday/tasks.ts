import {
  type Answer,
  type CategoryImplementation,
  type Context,
  graphql,
  type InputOf,
  implement,
  list,
  one,
  type Place,
  tasks,
} from "../../provider-kit/index.ts";
import { GET_ITEM, LIST_BOARDS, LIST_ITEMS, LIST_MORE_ITEMS, LIST_UPDATES } from "./queries.ts";
import { type MondayBoard, type MondayItem, type MondayReply, toComment, toProject, toTask } from "./records.ts";
import { writes } from "./writes.ts";

interface MondayUpdate extends MondayReply {
  replies?: MondayReply[] | null;
}
interface ItemsPage {
  cursor?: string | null;
  items: MondayItem[];
}
interface MondayItems {
  data: { board?: { items_page: ItemsPage }[]; next_items_page?: ItemsPage };
}
interface MondayBoards {
  data: { boards: MondayBoard[] };
}
interface MondayUpdates {
  data: { item: { updates?: MondayUpdate[] | null }[] };
}

/** Up to 500 are returned, but the columns of so many items and their subitems would exceed the complexity of a query. */
const MAX_ITEMS = 100;
const MAX_BOARDS_PER_PAGE = 100;
const MAX_UPDATES = 100;
/** As many places as the engine remembers. Reading more at the start of a walk would take minutes. */
const MAX_BOARDS = 1_000;

const pageOf = ({ data }: MondayItems): ItemsPage => data.next_items_page ?? data.board![0]!.items_page;

const withSubitems = (item: MondayItem): MondayItem[] => [
  item,
  ...(item?.subitems ?? []).filter((subitem) => subitem !== null),
];

/** Documents and boards of subitems are listed as boards as well. */
const isProject = ({ type }: MondayBoard) => type === "board";

const listBoards = (limit: number, page: number) => graphql(LIST_BOARDS, {}, { limit, page });

const nextBoards = ({ data }: MondayBoards, limit: number, page: number) =>
  data.boards.length < limit ? null : page + 1;

async function boardPlaces({ input, upstream }: Context<InputOf<typeof tasks.operations.listTasks>>): Promise<Place[]> {
  if (input.project_id !== undefined) return [{ id: input.project_id }];
  // A board that is made meanwhile moves the others to the next page.
  const found = new Set<string>();
  let page: number | null = 1;
  while (page !== null && found.size < MAX_BOARDS) {
    const { body }: Answer<MondayBoards> = await upstream<MondayBoards>(listBoards(MAX_BOARDS_PER_PAGE, page));
    for (const { id } of body.data.boards.filter(isProject)) found.add(id);
    page = nextBoards(body, MAX_BOARDS_PER_PAGE, page);
  }
  return [...found].slice(0, MAX_BOARDS).map((id) => ({ id }));
}

export const operations: CategoryImplementation<typeof tasks.operations> = {
  // Not filtered by the time of update: an item stays as it is when one of its subitems changes.
  listTasks: list({
    maxPageSize: MAX_ITEMS,
    filters: ["project_id"],
    places: boardPlaces,
    items: (body: MondayItems) => pageOf(body).items.flatMap(withSubitems),
    next: ({ body }: Answer<MondayItems>) => pageOf(body).cursor,
    request: ({ limit, cursor, place }) =>
      cursor === undefined
        ? graphql(LIST_ITEMS, {}, { board: place.id, limit })
        : graphql(LIST_MORE_ITEMS, {}, { cursor, limit }),
    record: toTask,
  }),

  getTask: one({
    request: ({ input }) => graphql(GET_ITEM, {}, { item: input.task_id }),
    record: ({ data }: { data: { item: MondayItem[] } }) => toTask(data.item[0]!),
  }),

  listProjects: list({
    maxPageSize: MAX_BOARDS_PER_PAGE,
    items: ({ data }: MondayBoards) => data.boards,
    next: ({ body }: Answer<MondayBoards>, { limit, cursor = 1 }: { limit: number; cursor: number | undefined }) =>
      nextBoards(body, limit, cursor),
    keep: isProject,
    request: ({ limit, cursor = 1 }) => listBoards(limit, cursor),
    record: toProject,
  }),

  listComments: list({
    maxPageSize: MAX_UPDATES,
    items: ({ data }: MondayUpdates) =>
      data.item[0]?.updates?.flatMap((update) => [update, ...(update?.replies ?? [])]) ?? [],
    next: ({ body }: Answer<MondayUpdates>, { limit, cursor = 1 }: { limit: number; cursor: number | undefined }) =>
      (body.data.item[0]?.updates?.length ?? 0) < limit ? null : cursor + 1,
    request: ({ input, limit, cursor = 1 }) => graphql(LIST_UPDATES, {}, { item: input.task_id, limit, page: cursor }),
    record: toComment,
  }),

  ...writes,
};

export default implement(tasks, operations);
