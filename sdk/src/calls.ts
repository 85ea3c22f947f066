import { List, type Page } from "./list.ts";
import type { Call, RequestOptions, Transport } from "./transport.ts";
import type { ListQuery } from "./unified.gen.ts";

type Method = Call["method"];
type Parts = Pick<Call, "query" | "body" | "content" | "options">;

/** A file as a stream of bytes. */
export interface Download extends ReadableStream<Uint8Array> {
  readonly contentType: string | null;
  /** In bytes; null if it is not known. */
  readonly size: number | null;
}

interface Envelope<T> {
  response: { data: T; metadata?: { next: string | null }; _raw?: unknown };
}

/** The operations of the Unified API, by kind. */
export class UnifiedCalls {
  readonly #transport: Transport;
  readonly #connection: string;

  constructor(transport: Transport, connection: string) {
    this.#transport = transport;
    this.#connection = connection;
  }

  list<T>(path: string, query: ListQuery = {}, options?: RequestOptions): List<T> {
    return new List(async (after): Promise<Page<T>> => {
      const page = after === undefined ? query : { ...query, after };
      const { data, metadata, _raw } = await this.request<T[]>("GET", path, { query: page, options });
      return { data, next: metadata?.next ?? null, ...(_raw === undefined ? {} : { raw: _raw }) };
    });
  }

  /** The record that is read or written. */
  async record<T>(method: Method, path: string, parts: Parts): Promise<T> {
    return (await this.request<T>(method, path, parts)).data;
  }

  download(path: string, options?: RequestOptions): Promise<Download> {
    const call: Call = { surface: "unified", method: "GET", path, connection: this.#connection, options };
    return this.#transport.send(call, ({ body, headers }) => {
      const length = headers.get("content-length");
      const about = { contentType: headers.get("content-type"), size: length === null ? null : Number(length) };
      return Object.assign(body ?? new Blob([]).stream(), about);
    });
  }

  async request<T = unknown>(method: Method, path: string, parts: Parts = {}): Promise<Envelope<T>["response"]> {
    const call: Call = { surface: "unified", method, path, connection: this.#connection, ...parts };
    return (await this.#transport.json<Envelope<T>>(call)).response;
  }
}

/** What the Platform API's lists are paged by. */
export type Paging = "after" | "offset" | "none";

const DEFAULT_PAGE = 50;
const MAX_OFFSET = 1000;

/** The calls of the Platform API. */
export class PlatformCalls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list<T>(path: string, paging: Paging, query: object = {}, options?: RequestOptions): List<T> {
    const { limit = DEFAULT_PAGE, offset = 0 } = query as { limit?: number; offset?: number };
    return new List(async (from): Promise<Page<T>> => {
      const page = from ? { ...query, offset: undefined, [paging]: from } : query;
      const data = await this.call<T[]>("GET", path, { query: page, options });
      const end = Number((paging === "offset" && from) || offset) + data.length;
      const next = paging === "after" ? (data.at(-1) as { id: string } | undefined)?.id : String(end);
      const isLast = paging === "none" || data.length < limit || (paging === "offset" && end > MAX_OFFSET);
      return { data, next: isLast ? null : (next ?? null) };
    });
  }

  /** A list to which entries are added at its end. With `before`, it is read backwards. */
  log<T>(path: string, query: { before?: string } = {}, options?: RequestOptions): List<T> {
    const direction = query.before === undefined ? "after" : "before";
    const from = (next?: string) => (next === undefined ? query : { ...query, [direction]: next });
    return new List((next) => this.call<Page<T>>("GET", path, { query: from(next), options }), true);
  }

  call<T>(method: Method, path: string, parts: Parts = {}): Promise<T> {
    return this.#transport.json({ surface: "platform", method, path, ...parts });
  }
}
