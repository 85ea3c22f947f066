// What the written and the generated parts of the SDK agree on.

export interface RequestOptions {
  /** Milliseconds that one attempt may take. */
  timeout?: number;
  /** How often the SDK sends a request again. */
  maxRetries?: number;
  /** Cancels the request, and the stream of a download or a list. */
  signal?: AbortSignal;
  /** Of a write to a provider: 1 to 255 characters. Default: a new one for each call, kept over its retries. */
  idempotencyKey?: string;
  /** Further headers. */
  headers?: Record<string, string>;
}

export interface ListOptions extends RequestOptions {
  /**
   * Whether iterating reads the whole list from one response, instead of a request for each page. If the connection is
   * lost, it continues after the last page.
   */
  stream?: boolean;
}

export interface UploadOptions extends RequestOptions {
  /** Of a stream, in bytes. Some providers need it; of everything else, and of a download, it is known. */
  size?: number;
}

/** What is uploaded. Anything that can be iterated over asynchronously is a stream, as Node's `Readable` is. */
export type Content =
  | string
  | ArrayBuffer
  | Uint8Array<ArrayBuffer>
  | Blob
  | Response
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array | string>;

/** A file as a stream of bytes. */
export interface Download extends ReadableStream<Uint8Array> {
  readonly contentType: string | null;
  /** In bytes; null if it is not known. */
  readonly size: number | null;
}

/** A body that must not be empty. */
export type AtLeastOne<T> = { [K in keyof T]-?: T & Required<Pick<T, K>> }[keyof T];

/** Values of custom fields, by name. */
export type CustomValues = Record<string, string | number | boolean | string[] | null>;

/** The parameters of every list. */
export interface ListQuery {
  /** Only these fields of the records, separated by commas, such as `id,name,custom.tier` */
  fields?: string;
  /** How many records a page has: 1 to 100. Default: 100 */
  limit?: number;
  /** Where to begin: `next` of a page */
  after?: string;
  /** Parameters to pass through to the provider */
  params?: Record<string, unknown>;
  /** Whether pages have the provider's own response as `raw` */
  include_raw?: boolean;
}

/** What is left of the connection's rate limit. */
export interface RateLimit {
  /** How many calls the window allows. */
  limit: number;
  remaining: number;
  /** Seconds until the window ends. */
  reset: number;
}

/** The response that a result comes from. */
export interface ResponseInfo {
  status: number;
  headers: Headers;
  /** Finds the request in Plugboard's log. */
  requestId: string | undefined;
  /** Undefined if the call was not counted. */
  rateLimit: RateLimit | undefined;
}

export interface Page<T> {
  data: T[];
  /**
   * Pass it as `after` to get the next page, as `before` if you read backwards, as `until` of the request log; null if
   * this is the last one.
   */
  next: string | null;
  /** The provider's own response, if `include_raw` was set. */
  raw?: unknown;
  /** Not enumerable: copies of a page, and its JSON, do not have it. */
  readonly response: ResponseInfo;
}

/** What a call would send to the provider, without credentials. */
export interface DryRun {
  requests: { method: string; url: string; headers: Record<string, string>; body: unknown }[];
  /** False if further calls follow that depend on the provider's answer to this one. */
  complete: boolean;
}

/** One attempt to send a request. */
export interface Attempt {
  method: string;
  /** Without the query. */
  url: string;
  /** 1 for the first one. */
  attempt: number;
  milliseconds: number;
  /** Undefined if there was no response. */
  status: number | undefined;
  requestId: string | undefined;
  /** Why there was no response. */
  error: unknown;
}
