import { type Context, get, type Place, type Query, type Upstream } from "../../provider-kit/index.ts";

export interface AsanaPage<Item> {
  data: Item[];
  /** Null on the last page, absent if no limit was given. */
  next_page?: { offset: string } | null;
}

/** https://developers.asana.com/docs/pagination */
export const MAX_PAGE_SIZE = 100;

/** The first items of a list, up to `most`. */
export async function readUpTo(most: number, upstream: Upstream, path: string, query: Query = {}): Promise<Place[]> {
  const found: { gid: string }[] = [];
  let offset: string | undefined;
  while (found.length < most) {
    const { body } = await upstream<AsanaPage<{ gid: string }>>(get(path, { ...query, limit: MAX_PAGE_SIZE, offset }));
    found.push(...body.data);
    offset = body.next_page?.offset;
    if (!offset) break;
  }
  return found.slice(0, most).map(({ gid }) => ({ id: gid }));
}

export const readWorkspaces = ({ upstream }: Pick<Context, "upstream">) =>
  readUpTo(MAX_PAGE_SIZE, upstream, "/workspaces");
