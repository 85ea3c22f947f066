/** A request to a provider, as its category file builds it. The engine adds address, credentials and headers. */
export interface UpstreamRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Which of the manifest's addresses it goes to. */
  to: string;
  /** Relative to that address, with each value already encoded: see `path` in the provider kit. */
  path: string;
  query: Query;
  /** Sent as JSON. */
  body?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** It changes nothing, although its method is not GET: a search, or a query in GraphQL. */
  readOnly?: true;
  /** Where the client's `params` go. */
  paramsIn: "query" | "body" | "variables";
  /** Values in the same place that the client cannot change: page sizes and cursors. */
  locked: Query;
}

export type QueryValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly QueryValue[]
  | { readonly [name: string]: QueryValue };
/** Null and undefined omit a parameter; an array of texts or numbers repeats it. Objects are for bodies. */
export type Query = Record<string, QueryValue>;

/** A provider's response, parsed. */
export interface Answer<Body = unknown> {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string | string[] | undefined>;
  body: Body;
}

/** Makes one call to the connection's provider. It throws if the call fails or the provider reports an error. */
export type Upstream = <Body = unknown>(request: UpstreamRequest) => Promise<Answer<Body>>;
