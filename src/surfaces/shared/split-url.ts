/** Splits a URL at its question mark. The query is undefined if there is none. */
export function splitUrl(url: string): [path: string, query: string | undefined] {
  const mark = url.indexOf("?");
  return mark < 0 ? [url, undefined] : [url.slice(0, mark), url.slice(mark + 1)];
}
