import type { Answer, Query, UpstreamRequest } from "../contracts/upstream.ts";

type Options = Partial<Pick<UpstreamRequest, "to" | "headers">>;

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

export const post = (
  path: string,
  body: Record<string, unknown>,
  locked: Query = {},
  options: Options & { query?: Query } = {},
): UpstreamRequest => ({ method: "POST", to: "api", path, query: {}, body, locked, paramsIn: "body", ...options });

export const graphql = (document: string, variables: Query, locked: Query = {}): UpstreamRequest => ({
  method: "POST",
  to: "api",
  path: "",
  query: {},
  body: { query: document, variables },
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
