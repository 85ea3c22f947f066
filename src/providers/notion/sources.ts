import { type Answer, search, type Upstream, type UpstreamRequest } from "../../provider-kit/index.ts";
import { layoutOf } from "./layout.ts";
import type { NotionDataSource } from "./records.ts";

export interface NotionPageOf<Item> {
  results: Item[];
  has_more?: boolean;
  next_cursor?: string | null;
  /** Incomplete if the query has more results than Notion returns to one query. */
  request_status?: { type?: string };
}

/** https://developers.notion.com/reference/intro#pagination */
export const MAX_PAGE_SIZE = 100;
/** As many places as the engine remembers. Reading more at the start of a walk would take minutes. */
const MAX_SOURCES = 1_000;

export const nextCursor = <Item>({ body }: Answer<NotionPageOf<Item>>) => (body.has_more ? body.next_cursor : null);

/** Every data source, in an order in which one that is edited meanwhile is not missed. */
export const searchSources = (limit: number, cursor: string | undefined): UpstreamRequest =>
  search(
    "/search",
    {
      filter: { property: "object", value: "data_source" },
      sort: { timestamp: "last_edited_time", direction: "ascending" },
    },
    { page_size: limit, start_cursor: cursor },
  );

export const isTracker = ({ properties }: NotionDataSource) => layoutOf(properties).status !== undefined;

/** The data sources whose pages are tasks. */
export async function readTrackers(upstream: Upstream): Promise<NotionDataSource[]> {
  const sources: NotionDataSource[] = [];
  let cursor: string | null | undefined;
  do {
    const answer = await upstream<NotionPageOf<NotionDataSource>>(searchSources(MAX_PAGE_SIZE, cursor ?? undefined));
    sources.push(...answer.body.results.filter(isTracker));
    cursor = nextCursor(answer);
  } while (cursor && sources.length < MAX_SOURCES);
  return sources.slice(0, MAX_SOURCES);
}
