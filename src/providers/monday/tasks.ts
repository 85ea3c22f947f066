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
import { boardIds, isProject, listBoards, MAX_BOARDS_PER_PAGE, type MondayBoards, nextBoards } from "./boards.ts";
import { columnVariables, customFields } from "./custom-fields.ts";
import { GET_ITEM, LIST_ITEMS, LIST_MORE_ITEMS, LIST_UPDATES } from "./queries.ts";
import { type MondayItem, type MondayReply, toComment, toProject, toTask } from "./records.ts";
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
interface MondayUpdates {
  data: { item: { updates?: MondayUpdate[] | null }[] };
}

/** Up to 500 are returned, but the columns of so many items and their subitems would exceed the complexity of a query. */
const MAX_ITEMS = 100;
const MAX_UPDATES = 100;
const pageOf = ({ data }: MondayItems): ItemsPage => data.next_items_page ?? data.board![0]!.items_page;

const withSubitems = (item: MondayItem): MondayItem[] => [
  item,
  ...(item?.subitems ?? []).filter((subitem) => subitem !== null),
];

async function boardPlaces({ input, upstream }: Context<InputOf<typeof tasks.operations.listTasks>>): Promise<Place[]> {
  if (input.project_id !== undefined) return [{ id: input.project_id }];
  return (await boardIds(upstream)).map((id) => ({ id }));
}

export const operations: CategoryImplementation<typeof tasks.operations> = {
  // Not filtered by the time of update: an item stays as it is when one of its subitems changes.
  listTasks: list({
    maxPageSize: MAX_ITEMS,
    filters: ["project_id"],
    places: boardPlaces,
    items: (body: MondayItems) => pageOf(body).items.flatMap(withSubitems),
    next: ({ body }: Answer<MondayItems>) => pageOf(body).cursor,
    request: ({ limit, cursor, place, select }) =>
      cursor === undefined
        ? graphql(LIST_ITEMS, columnVariables(select), { board: place.id, limit })
        : graphql(LIST_MORE_ITEMS, columnVariables(select), { cursor, limit }),
    record: toTask,
  }),

  getTask: one({
    request: ({ input, select }) => graphql(GET_ITEM, columnVariables(select), { item: input.task_id }),
    record: ({ data }: { data: { item: MondayItem[] } }) => toTask(data.item[0]!),
    original: ({ data }) => data.item[0],
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

export default implement(tasks, operations, { task: customFields });
