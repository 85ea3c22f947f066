/** A request to a provider, as its category file writes it: the engine adds address, credentials and headers. */
export interface UpstreamRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Which of the manifest's addresses it goes to. */
  to: string;
  /** Relative to that address, each part already encoded: see `path`. */
  path: string;
  query: Query;
  /** Sent as JSON. */
  body?: Record<string, any>;
  headers?: Record<string, string>;
  /** Where a client's own `params` go. */
  paramsIn: "query" | "body" | "variables";
  /** What belongs to the same place and no client may change: page sizes and cursors. */
  fixed: Query;
}

export type QueryValue = string | number | boolean | null | undefined | readonly (string | number)[];
/** Null and undefined leave a parameter out; a list repeats it. */
export type Query = Record<string, QueryValue>;

/** A provider's answer, parsed. */
export interface Answer<Body = any> {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string | string[] | undefined>;
  body: Body;
}

/** Makes one call to the provider of this connection. It throws a fault where the provider reports a failure. */
export type Upstream = <Body = any>(request: UpstreamRequest) => Promise<Answer<Body>>;

type Options = Partial<Pick<UpstreamRequest, "to" | "headers">>;

/** `query` holds what a client's `params` may override, `fixed` what they may not: page sizes and cursors. */
export const get = (path: string, query: Query = {}, fixed: Query = {}, options: Options = {}): UpstreamRequest => ({
  method: "GET",
  to: "api",
  path,
  query,
  fixed,
  paramsIn: "query",
  ...options,
});

export const post = (
  path: string,
  body: Record<string, any>,
  fixed: Query = {},
  options: Options & { query?: Query } = {},
): UpstreamRequest => ({ method: "POST", to: "api", path, query: {}, body, fixed, paramsIn: "body", ...options });

export const graphql = (document: string, variables: Query, fixed: Query = {}): UpstreamRequest => ({
  method: "POST",
  to: "api",
  path: "",
  query: {},
  body: { query: document, variables },
  fixed,
  paramsIn: "variables",
});

/** Builds a path with every value encoded whole: path`/channels/${id}/messages`. */
export function path(literals: TemplateStringsArray, ...values: (string | number)[]): string {
  return String.raw({ raw: literals }, ...values.map((value) => encodeURIComponent(value)));
}

/** Encodes a value whose slashes are meant as such: `owner/name` keeps its slash. */
export const segments = (value: string): string => value.split("/").map(encodeURIComponent).join("/");

export const header = (answer: Pick<Answer, "headers">, name: string): string | undefined => {
  const value = answer.headers[name];
  return Array.isArray(value) ? value[0] : value;
};
