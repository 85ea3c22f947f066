import { toDownload } from "./content.ts";
import { List } from "./list.ts";
import { Result, toPage } from "./result.ts";
import { streamPages } from "./stream-pages.ts";
import type { Call, Transport } from "./transport.ts";
import type { Download, DryRun, ListOptions, ListQuery, Page, RequestOptions } from "./types.ts";

type Method = Call["method"];
type Parts = Pick<Call, "query" | "body" | "content" | "options">;

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

  list<T>(path: string, query: ListQuery = {}, { stream, ...options }: ListOptions = {}): List<T> {
    const load = async (after?: string): Promise<Page<T>> => {
      const page = after === undefined ? query : { ...query, after };
      const answer = await this.request<T[]>("GET", path, { query: page, options }).withResponse();
      const { data, metadata, _raw } = answer.data;
      return toPage(
        { data, next: metadata?.next ?? null, ...(_raw === undefined ? {} : { raw: _raw }) },
        answer.response,
      );
    };
    const call = this.#call("GET", path, { options });
    return new List({ load, ...(stream ? { stream: () => streamPages<T>(this.#transport, call, query) } : {}) });
  }

  /** The record that is read or written. */
  record<T>(method: Method, path: string, parts: Parts): Result<T> {
    const answer = this.request<T>(method, path, parts).withResponse();
    return new Result(answer.then(({ data: { data }, response }) => ({ data, response })));
  }

  download(path: string, options?: RequestOptions): Result<Download> {
    return new Result(this.#transport.send(this.#call("GET", path, { options }), toDownload));
  }

  request<T = unknown>(method: Method, path: string, parts: Parts = {}): Result<Envelope<T>["response"]> {
    const answer = this.#transport.json<Envelope<T>>(this.#call(method, path, parts));
    return new Result(answer.then(({ data, response }) => ({ data: data.response, response })));
  }

  #call(method: Method, path: string, parts: Parts): Call {
    return { surface: "unified", method, path, connection: this.#connection, ...parts };
  }
}

/** Methods that return what they would send. */
export type DryRuns<T> = {
  [K in keyof T]: T[K] extends (...args: infer Arguments) => unknown
    ? (...args: Arguments) => Result<DryRun>
    : DryRuns<T[K]>;
};

/** The same operations with `dry_run`. */
export function dryRunCalls(calls: UnifiedCalls): UnifiedCalls {
  const plan = (method: Method, path: string, { query, body, options }: Parts) =>
    calls.record<DryRun>(method, path, { query: { ...query, dry_run: true }, body, options });
  const planned = {
    list: (path: string, query?: ListQuery, options?: RequestOptions) => plan("GET", path, { query, options }),
    record: plan,
    download: (path: string, options?: RequestOptions) => plan("GET", path, { options }),
  };
  return planned as unknown as UnifiedCalls;
}

/** What the Platform API's lists are paged by. `before`: newest first, or with `after` alone from there on. */
export type Paging = "after" | "before" | "until" | "none";

const DEFAULT_PAGE = 50;

/** The calls of the Platform API. */
export class PlatformCalls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list<T>(path: string, paging: Paging, query: object = {}, options?: RequestOptions): List<T> {
    const { limit, after, before } = query as { limit?: number; after?: string; before?: string };
    const isForward = after != null && before == null;
    const parameter = paging === "before" && isForward ? "after" : paging;
    const load = async (from?: string): Promise<Page<T>> => {
      const page = from ? { ...query, offset: undefined, [parameter]: from } : query;
      const { data, response } = await this.call<T[]>("GET", path, { query: page, options }).withResponse();
      const isLast = paging === "none" || data.length < (limit ?? DEFAULT_PAGE);
      const last = isLast ? undefined : (data.at(-1) as { id: string } | undefined);
      // A search of the request log may end early, with any number of entries.
      return toPage({ data, next: response.headers.get("x-searched-until") ?? last?.id ?? null }, response);
    };
    return new List({ load });
  }

  /** A list to which entries are added at its end. With `before`, it is read backwards. */
  log<T>(path: string, query: { before?: string } = {}, options?: RequestOptions): List<T> {
    const direction = query.before == null ? "after" : "before";
    const load = async (next?: string): Promise<Page<T>> => {
      const from = next === undefined ? query : { ...query, [direction]: next };
      const { data, response } = await this.call<Page<T>>("GET", path, { query: from, options }).withResponse();
      return toPage(data, response);
    };
    return new List({ load, grows: true });
  }

  call<T>(method: Method, path: string, parts: Parts = {}): Result<T> {
    return new Result(this.#transport.json({ surface: "platform", method, path, ...parts }));
  }
}
