import type { Answer, Query, UpstreamRequest } from "../contracts/upstream.ts";

type Options = Partial<Pick<UpstreamRequest, "to" | "headers">>;
type WriteOptions = Options & { query?: Query };

/** `query` has the values that the client's `params` may override, `locked` those they may not: page sizes, cursors. */
export const get = (path: string, query: Query = {}, locked: Query = {}, options: Options = {}): UpstreamRequest => ({
  method: "GET",
  to: "api",
  path,
  query,
  locked,
  paramsIn: "query",
  ...options,
});

const withBody =
  (method: "POST" | "PUT" | "PATCH") =>
  (path: string, body: Record<string, unknown>, locked: Query = {}, options: WriteOptions = {}): UpstreamRequest => ({
    method,
    to: "api",
    path,
    query: {},
    body,
    locked,
    paramsIn: "body",
    ...options,
  });

export const post = withBody("POST");
export const put = withBody("PUT");
export const patch = withBody("PATCH");

export const remove = (path: string, query: Query = {}): UpstreamRequest => ({
  method: "DELETE",
  to: "api",
  path,
  query,
  locked: {},
  paramsIn: "query",
});

/** A request whose body is a file: see `upload` in `implement.ts`. */
export const fileRequest = (
  method: "POST" | "PUT",
  path: string,
  query: Query = {},
  options: Options = {},
): UpstreamRequest => ({ method, to: "api", path, query, locked: {}, paramsIn: "query", ...options });

/** A POST that changes nothing: a search. */
export const search: typeof post = (...parameters) => ({ ...post(...parameters), readOnly: true });

export const graphql = (document: string, variables: Record<string, unknown>, locked: Query = {}): UpstreamRequest => ({
  method: "POST",
  to: "api",
  path: "",
  query: {},
  body: { query: document, variables },
  ...(/^\s*mutation\b/.test(document) ? {} : { readOnly: true as const }),
  locked,
  paramsIn: "variables",
});

/** Builds a path with every value encoded, slashes included: path`/channels/${id}/messages`. */
export function path(literals: TemplateStringsArray, ...values: (string | number)[]): string {
  return String.raw({ raw: literals }, ...values.map((value) => encodeURIComponent(value)));
}

/** Encodes a value except for its slashes: `owner/name` keeps its slash. */
export const segments = (value: string): string => value.split("/").map(encodeURIComponent).join("/");

export const header = (answer: Pick<Answer, "headers">, name: string): string | undefined => {
  const value = answer.headers[name];
  return Array.isArray(value) ? value[0] : value;
};
