import { toBody } from "./content.ts";
import {
  NetworkError,
  PlugboardError,
  RequestInProgressError,
  ServiceUnavailableError,
  TimeoutError,
} from "./errors.ts";
import { readResponse, toError } from "./read-error.ts";
import type { Answer } from "./result.ts";
import type { Attempt, Content, RequestOptions, UploadOptions } from "./types.ts";

export type Addresses = Record<"unified" | "platform" | "proxy", string>;

export interface PlugboardOptions extends Pick<RequestOptions, "timeout" | "maxRetries"> {
  apiKey: string;
  /** Where Plugboard is, as in `https://plugboard.example.com`; or each API, if they have addresses of their own. */
  baseUrl: string | Addresses;
  /** Instead of the global `fetch`. */
  fetch?: typeof fetch;
  /** `HEADER_PREFIX` of the service. */
  headerPrefix?: string;
  /** Called after each attempt to send a request. What it throws is ignored. */
  log?: (entry: Attempt) => void;
}

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
  options?: UploadOptions | undefined;
}

/** Longer than Plugboard waits for a provider, its retries included. */
const DEFAULT_TIMEOUT_MS = 120_000;
const DEFAULT_MAX_RETRIES = 2;
/** A response that asks for a longer wait is returned as an error immediately. */
const MAX_WAIT_SECONDS = 60;

/** A path with encoded values. */
export function path(fixed: TemplateStringsArray, ...values: (string | number)[]): string {
  for (const value of values)
    if (value === "" || value == null) throw new TypeError(`a value of the path ${fixed.join("…")} is missing`);
  return String.raw({ raw: fixed }, ...values.map(encodeURIComponent));
}

/** An object is sent field by field to the Platform API, and as JSON to others. Null is left out, as undefined is. */
function toSearch({ surface, query = {}, path }: Call): string {
  const search = new URLSearchParams();
  const add = (name: string, value: unknown) => {
    if (value != null) search.set(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  };
  for (const [name, value] of Object.entries(query))
    if (surface === "platform" && typeof value === "object")
      for (const [field, one] of Object.entries(value ?? {})) add(`${name}[${field}]`, one);
    else add(name, value);
  return search.size > 0 ? `${path.includes("?") ? "&" : "?"}${search}` : "";
}

/** Without its last slash. In a browser, it may be relative to the page. */
function checkAddress(url: unknown, name: string): string {
  const page = (globalThis as { location?: { href: string } }).location?.href;
  const parsed = typeof url === "string" && URL.canParse(url, page) ? new URL(url, page) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.search || parsed.hash || parsed.username)
    throw new TypeError(
      `${name} has to be the address of Plugboard, as in "https://plugboard.example.com", not ${JSON.stringify(url)}`,
    );
  return (url as string).replace(/\/+$/, "");
}

function readAddresses(baseUrl: PlugboardOptions["baseUrl"]): Addresses {
  const { unified, platform, proxy } = (baseUrl ?? {}) as Addresses;
  if (typeof baseUrl === "object" && baseUrl !== null)
    return {
      unified: checkAddress(unified, "baseUrl.unified"),
      platform: checkAddress(platform, "baseUrl.platform"),
      proxy: checkAddress(proxy, "baseUrl.proxy"),
    };
  const base = checkAddress(baseUrl, "baseUrl");
  return { unified: `${base}/unified`, platform: `${base}/platform`, proxy: `${base}/proxy` };
}

/** Whether a request that may have been carried out can be sent again. */
function isRepeatable({ surface, method }: Call): boolean {
  // With its key, a write to a provider can. The Platform API has no keys, and of the provider's own API nothing is known.
  if (surface === "unified") return true;
  return surface === "platform" ? method !== "POST" : method === "GET";
}

/** Seconds to wait before another attempt; undefined if there should be none. */
function retryDelay(error: PlugboardError, attempt: number, repeatable: boolean): number | undefined {
  // What was refused was not carried out. Plugboard itself retries everything else that a provider answers.
  const refused = error.status === 429 || error instanceof RequestInProgressError;
  const isGateway = error.source === undefined && Number(error.status) >= 500;
  const unanswered = error.status === undefined || error instanceof ServiceUnavailableError || isGateway;
  if (!refused && !(unanswered && repeatable)) return undefined;
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

/** `fetch` says why only in the cause of its error. */
function reasonOf(error: unknown): string {
  const { message, cause } = (error ?? {}) as Error;
  return cause instanceof Error ? reasonOf(cause) : message || String(error);
}

/** What a request without a response throws: the reason of the caller's own signal, or an error of the SDK. */
export function toNetworkError(cause: unknown, signal: AbortSignal | null | undefined): PlugboardError {
  signal?.throwIfAborted();
  if (cause instanceof PlugboardError) return cause;
  return new NetworkError(`Plugboard cannot be reached: ${reasonOf(cause)}`, { cause });
}

/** Sends requests: addresses, credentials, timeouts, retries, errors. */
export class Transport {
  readonly #options: PlugboardOptions;
  readonly #addresses: Addresses;
  readonly #headerPrefix: string;

  constructor(options: PlugboardOptions) {
    if (!options?.apiKey) throw new TypeError("apiKey is required: a key of the workspace, as in sk_…");
    this.#options = options;
    this.#addresses = readAddresses(options.baseUrl);
    this.#headerPrefix = options.headerPrefix ?? "SVC-";
  }

  url(surface: keyof Addresses, pathAndQuery: string): string {
    // `fetch` would resolve them, and call something else.
    if (/(^|[/\\])(\.|%2e){1,2}([/\\]|$)/i.test(pathAndQuery.replace(/[?#].*|[\t\n\r]/gs, "")))
      throw new TypeError(`"." and ".." cannot be parts of a path: ${pathAndQuery}`);
    return this.#addresses[surface] + pathAndQuery;
  }

  headers(connection: string | undefined, given?: ConstructorParameters<typeof Headers>[0]): Headers {
    const headers = new Headers(given);
    headers.set("authorization", `Bearer ${this.#options.apiKey}`);
    if (connection !== undefined) headers.set(`${this.#headerPrefix}connection-id`, connection);
    return headers;
  }

  /** Sends a request once. */
  async fetch(url: string, init: RequestInit, attempt = 1): Promise<Response> {
    const started = performance.now();
    const log = (response: Response | undefined, error?: unknown) => {
      const milliseconds = Math.round(performance.now() - started);
      const { status, requestId } = response ? readResponse(response, this.#headerPrefix) : ({} as Partial<Attempt>);
      const entry = { method: init.method ?? "GET", url: url.replace(/\?.*/s, ""), attempt, milliseconds };
      try {
        this.#options.log?.({ ...entry, status, requestId, error });
      } catch {}
    };
    try {
      const response = await (this.#options.fetch ?? fetch)(url, init);
      log(response);
      return response;
    } catch (error) {
      log(undefined, error);
      throw error;
    }
  }

  async json<T>(call: Call): Promise<Answer<T>> {
    const { data: text, response } = await this.send(call, (received) => received.text());
    try {
      return { data: (text === "" ? undefined : JSON.parse(text)) as T, response };
    } catch (cause) {
      const hint = call.surface === "proxy" ? "" : ". Check baseUrl";
      throw new PlugboardError(`The response is not JSON${hint}`, { cause, requestId: response.requestId });
    }
  }

  /** Sends the call until it succeeds or should not be sent again. `read` is a part of each attempt. */
  async send<T>(call: Call, read: (response: Response) => T | Promise<T>): Promise<Answer<T>> {
    const { surface, method, connection, options = {} } = call;
    const headers = this.headers(connection, options.headers);
    if (surface === "unified" && method !== "GET")
      headers.set("idempotency-key", options.idempotencyKey ?? headers.get("idempotency-key") ?? crypto.randomUUID());
    const { once, init } = toBody(call, headers, options.size);
    const url = this.url(surface, call.path + toSearch(call));
    const request = { method, headers, redirect: "manual", ...init } as RequestInit;
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#attempt(url, request, attempt + 1, options, read);
      } catch (error) {
        if (once || !(error instanceof PlugboardError)) throw error;
        await this.waitToRetry(error, attempt, options, isRepeatable(call));
      }
    }
  }

  /** Waits until a request can be sent again, or throws the error if it should not be. */
  async waitToRetry(error: unknown, attempt: number, options: RequestOptions = {}, repeatable = true): Promise<void> {
    const { signal, maxRetries = this.#options.maxRetries ?? DEFAULT_MAX_RETRIES } = options;
    const failure = toNetworkError(error, signal);
    const delay = attempt < maxRetries ? retryDelay(failure, attempt, repeatable) : undefined;
    if (delay === undefined) throw failure;
    await wait(delay, signal);
  }

  async #attempt<T>(
    url: string,
    init: RequestInit,
    attempt: number,
    { signal, timeout = this.#options.timeout ?? DEFAULT_TIMEOUT_MS }: RequestOptions,
    read: (response: Response) => T | Promise<T>,
  ): Promise<Answer<T>> {
    signal?.throwIfAborted();
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeout);
    const either = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
    try {
      const response = await this.fetch(url, { ...init, signal: either }, attempt);
      if (!response.ok) throw await toError(response, this.#headerPrefix);
      return { data: await read(response), response: readResponse(response, this.#headerPrefix) };
    } catch (cause) {
      if (cause instanceof PlugboardError) throw cause;
      if (late.signal.aborted && !signal?.aborted)
        throw new TimeoutError(`No response within ${timeout} ms`, { cause });
      throw toNetworkError(cause, signal);
    } finally {
      clearTimeout(timer);
    }
  }
}
