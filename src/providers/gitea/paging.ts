import { type Answer, header } from "../../provider-kit/index.ts";

/** Gitea's default; a server can be configured otherwise. */
export const MAX_PAGE_SIZE = 50;

/** Lists of tags and labels have a total but no Link header, and the server may return fewer items than requested. */
interface CountedCursor {
  [name: string]: number;
  page: number;
  seen: number;
}

export function nextCounted(
  answer: Answer<unknown[] | null>,
  { cursor }: { cursor: CountedCursor | undefined },
): CountedCursor | null {
  const items = answer.body ?? [];
  const seen = (cursor?.seen ?? 0) + items.length;
  const total = Number(header(answer, "x-total-count") ?? Number.POSITIVE_INFINITY);
  return items.length > 0 && seen < total ? { page: (cursor?.page ?? 1) + 1, seen } : null;
}
