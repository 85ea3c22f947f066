import { type Context, get, type Place } from "../../provider-kit/index.ts";

interface FoundPage {
  data: { items: { item: { id: number } }[] };
  additional_data?: { next_cursor?: string | null } | null;
}

export interface Input {
  updated_since?: string | undefined;
  query?: string | undefined;
}

export interface FoundPlace extends Place {
  /** Of persons; undefined for all. */
  ids?: string;
}

const MAX_FOUND = 1_000;
const MAX_SEARCH_PAGE = 500;
/** As many as a list can be asked for. https://developers.pipedrive.com/docs/api/v1/Persons#getPersons */
const MAX_IDS = 100;

/**
 * What a search finds lacks names and times. So it only says which persons to list: 100 in each place.
 * https://developers.pipedrive.com/docs/api/v1/Persons#searchPersons
 */
export async function foundPersons({ input, upstream }: Context<Input>): Promise<FoundPlace[]> {
  if (input.query === undefined) return [{ id: "" }];
  const ids: number[] = [];
  let cursor: string | null | undefined;
  do {
    const paging = cursor ? { limit: MAX_SEARCH_PAGE, cursor } : { limit: MAX_SEARCH_PAGE };
    const { body } = await upstream<FoundPage>(get("/persons/search", { term: input.query, ...paging }));
    ids.push(...body.data.items.map(({ item }) => item.id));
    cursor = body.additional_data?.next_cursor;
  } while (cursor && ids.length < MAX_FOUND);
  const places: FoundPlace[] = [];
  for (let start = 0; start < ids.length; start += MAX_IDS)
    places.push({ id: String(ids[start]), ids: ids.slice(start, start + MAX_IDS).join(",") });
  return places;
}
