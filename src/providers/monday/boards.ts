import { type Answer, graphql, type Upstream } from "../../provider-kit/index.ts";
import type { Column } from "./columns.ts";
import { LIST_BOARDS, LIST_COLUMNS } from "./queries.ts";
import type { MondayBoard } from "./records.ts";

export interface MondayBoards {
  data: { boards: MondayBoard[] };
}

export const MAX_BOARDS_PER_PAGE = 100;
/** As many places as the engine remembers. Reading more at the start of a walk would take minutes. */
const MAX_BOARDS = 1_000;
/** The columns of so many boards are described. */
const MAX_DESCRIBED_BOARDS = 500;

/** Documents and boards of subitems are listed as boards as well. */
export const isProject = ({ type }: MondayBoard) => type === "board";

export const listBoards = (limit: number, page: number) => graphql(LIST_BOARDS, {}, { limit, page });

export const nextBoards = ({ data }: { data: { boards: unknown[] } }, limit: number, page: number) =>
  data.boards.length < limit ? null : page + 1;

/** The IDs of all boards that are projects. A board that is made meanwhile moves the others to the next page. */
export async function boardIds(upstream: Upstream): Promise<string[]> {
  const found = new Set<string>();
  let page: number | null = 1;
  while (page !== null && found.size < MAX_BOARDS) {
    const { body }: Answer<MondayBoards> = await upstream<MondayBoards>(listBoards(MAX_BOARDS_PER_PAGE, page));
    for (const { id } of body.data.boards.filter(isProject)) found.add(id);
    page = nextBoards(body, MAX_BOARDS_PER_PAGE, page);
  }
  return [...found].slice(0, MAX_BOARDS);
}

interface BoardColumns {
  data: { boards: { columns?: Column[] | null }[] };
}

/** The columns of each board, also of those that subitems are on. */
export async function listColumns(upstream: Upstream): Promise<Column[][]> {
  const found: Column[][] = [];
  let page: number | null = 1;
  while (page !== null && found.length < MAX_DESCRIBED_BOARDS) {
    const request = graphql(LIST_COLUMNS, {}, { limit: MAX_BOARDS_PER_PAGE, page });
    const { body }: Answer<BoardColumns> = await upstream<BoardColumns>(request);
    found.push(...body.data.boards.map(({ columns }) => columns ?? []));
    page = nextBoards(body, MAX_BOARDS_PER_PAGE, page);
  }
  return found;
}
