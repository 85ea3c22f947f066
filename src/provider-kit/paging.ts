import type { Answer } from "../contracts/upstream.ts";
import { header } from "./request.ts";

/**
 * For providers that page by the `Link` header (RFC 8288). Only the query of the `next` link is kept: the address and
 * the path are always ours, so that no answer can send a connection's credentials elsewhere.
 */
export function linkHeader(answer: Pick<Answer, "headers">): LinkQuery | null {
  const next = header(answer, "link")
    ?.split(/,\s*(?=<)/)
    .find((link) => /;\s*rel="?next"?/i.test(link));
  const target = next?.match(/<([^>]*)>/)?.[1];
  return target ? linkQuery(target) : null;
}

/** A parameter that is repeated has several values. */
export type LinkQuery = Record<string, string | string[]>;

/** The query of a link that a provider gave for its next page; null if it gave none. */
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

/** The part of a page's context that counting needs. */
interface Counted {
  limit: number;
  cursor: number | undefined;
}

/** For providers that count pages and do not mark the last one: a page that is not full is the last. */
export const pageNumber =
  <Body>(first: number, items: (body: Body) => unknown[]) =>
  ({ body }: Answer<Body>, { limit, cursor = first }: Counted): number | null =>
    items(body).length < limit ? null : cursor + 1;

/** The same for providers that count items. */
export const offset =
  <Body>(items: (body: Body) => unknown[]) =>
  ({ body }: Answer<Body>, { limit, cursor = 0 }: Counted): number | null =>
    items(body).length < limit ? null : cursor + items(body).length;
