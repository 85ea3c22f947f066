import type { PageContext, PageCursor } from "../contracts/provider.ts";
import type { Answer } from "../contracts/upstream.ts";
import { header } from "./request.ts";

/**
 * For providers that page by the `Link` header (RFC 8288). Only the query of the `next` link is kept: the address and
 * the path are always ours, so that no answer can send a connection's credentials elsewhere.
 */
export function linkHeader(answer: Answer): LinkQuery | null {
  const next = header(answer, "link")
    ?.split(/,\s*(?=<)/)
    .find((link) => /;\s*rel="?next"?/i.test(link));
  const target = next?.match(/<([^>]*)>/)?.[1];
  return target ? queryOf(target) : null;
}

/** A parameter that stands there several times has several values. */
export type LinkQuery = Record<string, string | string[]>;

/** The query of a link that a provider gave for its next page; null where it gave none. */
export function queryOf(link: string | null | undefined): LinkQuery | null {
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

/** For providers that count pages and say nothing of the end: a page that is not full is the last. */
export const pageNumber =
  (first: number, items: (body: any) => unknown[]) =>
  (answer: Answer, page: PageContext): PageCursor | null =>
    items(answer.body).length < page.limit ? null : Number(page.cursor ?? first) + 1;

/** Likewise for providers that count items. */
export const offset =
  (items: (body: any) => unknown[]) =>
  (answer: Answer, page: PageContext): PageCursor | null =>
    items(answer.body).length < page.limit ? null : Number(page.cursor ?? 0) + items(answer.body).length;
