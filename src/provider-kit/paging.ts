import type { Answer } from "../contracts/upstream.ts";
import { header } from "./request.ts";

/**
 * For providers that page with the `Link` header (RFC 8288). Only the query of the `next` link is kept: we always use
 * our own address and path, so that no response can send a connection's credentials elsewhere.
 */
export function linkHeader(answer: Pick<Answer, "headers">): LinkQuery | null {
  const next = header(answer, "link")
    ?.split(/,\s*(?=<)/)
    .find((link) => /;\s*rel="?next"?/i.test(link));
  const target = next?.match(/<([^>]*)>/)?.[1];
  return target ? linkQuery(target) : null;
}

/** A repeated parameter has an array of values. */
export type LinkQuery = Record<string, string | string[]>;

/** The query of a provider's link to the next page; null if there is none. */
export function linkQuery(link: string | null | undefined): LinkQuery | null {
  if (!link) return null;
  const at = link.indexOf("?");
  if (at < 0) return null;
  const parameters = new URLSearchParams(link.slice(at + 1));
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const values = parameters.getAll(name);
      return [name, values.length > 1 ? values : values[0]!];
    }),
  );
}

/** The part of a page context that is needed for counting. */
interface CountedPage {
  limit: number;
  cursor: number | undefined;
}

/** For providers that count pages and do not mark the last one: a page that is not full is the last. */
export const pageNumber =
  <Body>(first: number, items: (body: Body) => unknown[]) =>
  ({ body }: Answer<Body>, { limit, cursor = first }: CountedPage): number | null =>
    items(body).length < limit ? null : cursor + 1;

/** For searches whose numbered pages end at a number of items: a page that would reach beyond it is refused. */
export const pageWithin = (maxItems: number, page: number, limit: number): string | null =>
  (page + 1) * limit <= maxItems ? String(page + 1) : null;

/** The same as `pageNumber` for providers that count items. */
export const offset =
  <Body>(items: (body: Body) => unknown[]) =>
  ({ body }: Answer<Body>, { limit, cursor = 0 }: CountedPage): number | null =>
    items(body).length < limit ? null : cursor + items(body).length;
