/** A request to a provider, as its category file writes it: the engine adds address, credentials and headers. */
export interface UpstreamRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Which of the manifest's addresses it goes to. */
  to: string;
  /** Relative to that address, each part already encoded: see `path`. */
  path: string;
  query: Query;
  /** Sent as JSON. */
  body?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** Where a client's own `params` go. */
  paramsIn: "query" | "body" | "variables";
  /** What belongs to the same place and no client may change: page sizes and cursors. */
  locked: Query;
}

export type QueryValue = string | number | boolean | null | undefined | readonly (string | number)[];
/** Null and undefined leave a parameter out; a list repeats it. */
export type Query = Record<string, QueryValue>;

/** A provider's answer, parsed. */
export interface Answer<Body = unknown> {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string | string[] | undefined>;
  body: Body;
}

/** Makes one call to the provider of this connection. It throws a fault where the provider reports a failure. */
export type Upstream = <Body = unknown>(request: UpstreamRequest) => Promise<Answer<Body>>;
