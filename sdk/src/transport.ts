import {
  NetworkError,
  PlugboardError,
  RequestInProgressError,
  ServiceUnavailableError,
  TimeoutError,
} from "./errors.ts";
import { toError } from "./read-error.ts";

export interface RequestOptions {
  /** Milliseconds that one attempt may take. */
  timeout?: number;
  /** How often the SDK sends a request again. */
  maxRetries?: number;
  /** Cancels the request, and the stream of a download. */
  signal?: AbortSignal;
  /** Of a write to a provider: 1 to 255 characters. Default: a new one for each call, kept over its retries. */
  idempotencyKey?: string;
  /** Further headers. */
  headers?: Record<string, string>;
}

export type Addresses = Record<"unified" | "platform" | "proxy", string>;

export interface PlugboardOptions extends Pick<RequestOptions, "timeout" | "maxRetries"> {
  apiKey: string;
  /** Where Plugboard is, as in `https://plugboard.example.com`; or each API, if they have addresses of their own. */
  baseUrl: string | Addresses;
  /** Instead of the global `fetch`. */
  fetch?: typeof fetch;
  /** `HEADER_PREFIX` of the service. */
  headerPrefix?: string;
}

export type Content = string | ArrayBuffer | Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array>;

export interface Call {
  surface: keyof Addresses;
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  path: string;
  connection?: string;
  query?: object | undefined;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is. */
  content?: Content;
  options?: RequestOptions | undefined;
}

/** Longer than Plugboard waits for a provider, its retries included. */
const DEFAULT_TIMEOUT_MS = 120_000;
const DEFAULT_MAX_RETRIES = 2;
/** A response that asks for a longer wait is returned as an error at once. */
const MAX_WAIT_SECONDS = 60;

/** A path with encoded values. */
export function path(fixed: TemplateStringsArray, ...values: (string | number)[]): string {
  for (const value of values)
    if (value === "" || value == null) throw new TypeError(`a value of the path ${fixed.join("…")} is missing`);
  return String.raw({ raw: fixed }, ...values.map(encodeURIComponent));
}

function toSearch(query: object = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) search.set(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  return search.size > 0 ? `?${search}` : "";
}

const withoutSlash = (url: string) => url.replace(/\/+$/, "");

/** Seconds to wait before another attempt; undefined if there should be none. */
function retryDelay(error: unknown, attempt: number, safe: boolean): number | undefined {
  if (!(error instanceof PlugboardError)) return undefined;
  // What was refused was not carried out. Plugboard itself retries everything else that a provider answers.
  const refused = error.status === 429 || error instanceof RequestInProgressError;
  const isGateway = error.source === undefined && Number(error.status) >= 500;
  const unanswered = error.status === undefined || error instanceof ServiceUnavailableError || isGateway;
  if (!refused && !(unanswered && safe)) return undefined;
  const seconds = error.retryAfter ?? Math.min(8, 0.5 * 2 ** attempt) * (0.5 + Math.random() / 2);
  return seconds > MAX_WAIT_SECONDS ? undefined : seconds;
}

const wait = (seconds: number, signal: AbortSignal | undefined) =>
  new Promise<void>((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, seconds * 1000);
    signal?.addEventListener("abort", end);
  });

/** Sends requests: addresses, credentials, timeouts, retries, errors. */
export class Transport {
  readonly #options: PlugboardOptions;
  readonly headerPrefix: string;

  constructor(options: PlugboardOptions) {
    if (!options.apiKey) throw new TypeError("apiKey is required");
    this.#options = options;
    this.headerPrefix = options.headerPrefix ?? "SVC-";
  }

  url(surface: keyof Addresses, pathAndQuery: string): string {
    // `fetch` would resolve them, and call something else.
    if (/(^|[/\\])(\.|%2e){1,2}([/\\]|$)/i.test(pathAndQuery.replace(/[?#].*|[\t\n\r]/gs, "")))
      throw new TypeError(`"." and ".." cannot be parts of a path: ${pathAndQuery}`);
    const { baseUrl } = this.#options;
    const base = typeof baseUrl === "string" ? `${withoutSlash(baseUrl)}/${surface}` : withoutSlash(baseUrl[surface]);
    return base + pathAndQuery;
  }

  headers(connection: string | undefined, given?: ConstructorParameters<typeof Headers>[0]): Headers {
    const headers = new Headers(given);
    headers.set("authorization", `Bearer ${this.#options.apiKey}`);
    if (connection !== undefined) headers.set(`${this.headerPrefix}connection-id`, connection);
    return headers;
  }

  fetch(url: string, init: RequestInit): Promise<Response> {
    return (this.#options.fetch ?? fetch)(url, init);
  }

  async json<T>(call: Call): Promise<T> {
    const text = await this.send(call, (response) => response.text());
    try {
      return (text === "" ? undefined : JSON.parse(text)) as T;
    } catch (cause) {
      throw new PlugboardError("The response is not JSON. Check baseUrl", { cause });
    }
  }

  /** Sends the call until it succeeds or should not be sent again. `read` is a part of each attempt. */
  async send<T>(call: Call, read: (response: Response) => T | Promise<T>): Promise<T> {
    const { surface, method, connection, query, body, content, options = {} } = call;
    const headers = this.headers(connection, options.headers);
    if (surface === "unified" && method !== "GET")
      headers.set("idempotency-key", options.idempotencyKey ?? crypto.randomUUID());
    if (body !== undefined) headers.set("content-type", "application/json");
    const isStream = content instanceof ReadableStream;
    const sent = content ?? (body === undefined ? null : JSON.stringify(body));
    const init = { method, headers, redirect: "manual", body: sent, ...(isStream ? { duplex: "half" } : {}) };
    const url = this.url(surface, call.path + toSearch(query));
    // With its key, a write to a provider can be sent again. The Platform API has no keys.
    const safe = surface === "unified" || method !== "POST";
    const maxRetries = isStream ? 0 : (options.maxRetries ?? this.#options.maxRetries ?? DEFAULT_MAX_RETRIES);
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#attempt(url, init as RequestInit, options, read);
      } catch (error) {
        const delay = attempt < maxRetries ? retryDelay(error, attempt, safe) : undefined;
        if (delay === undefined) throw error;
        await wait(delay, options.signal);
      }
    }
  }

  async #attempt<T>(
    url: string,
    init: RequestInit,
    { signal, timeout = this.#options.timeout ?? DEFAULT_TIMEOUT_MS }: RequestOptions,
    read: (response: Response) => T | Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted();
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeout);
    try {
      const response = await this.fetch(url, {
        ...init,
        signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
      });
      if (!response.ok) throw await toError(response, this.headerPrefix);
      return await read(response);
    } catch (cause) {
      if (cause instanceof PlugboardError) throw cause;
      signal?.throwIfAborted();
      if (late.signal.aborted) throw new TimeoutError(`No response within ${timeout} ms`, { cause });
      throw new NetworkError(`Plugboard cannot be reached: ${(cause as Error)?.message}`, { cause });
    } finally {
      clearTimeout(timer);
    }
  }
}
