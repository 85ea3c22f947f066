import { Result } from "./result.ts";
import { type Call, type Transport, toNetworkError } from "./transport.ts";
import type { RequestOptions } from "./types.ts";

export interface ProxyRequest extends Omit<RequestOptions, "idempotencyKey"> {
  /** Default: GET */
  method?: Call["method"];
  query?: Record<string, string | number | boolean | undefined>;
  /** Sent as JSON. */
  body?: unknown;
}

export interface ProxyClient {
  /** A `fetch` of the provider's own API. As with any fetch, error statuses do not throw; redirects are returned. */
  (path: string, init?: RequestInit): Promise<Response>;
  /** The JSON of the provider's response. Error statuses throw, and requests are sent again as those of methods are. */
  // biome-ignore lint/suspicious/noExplicitAny: the same as the `json` of a `Response`.
  json<T = any>(path: string, request?: ProxyRequest): Result<T>;
}

const withSlash = (path: string) => (path.startsWith("/") ? path : `/${path}`);

export function createProxy(transport: Transport, connection: string): ProxyClient {
  async function proxy(path: string, init: RequestInit = {}): Promise<Response> {
    const url = transport.url("proxy", withSlash(path));
    const request = { redirect: "manual", ...init, headers: transport.headers(connection, init.headers) } as const;
    return transport.fetch(url, request).catch((cause) => {
      throw toNetworkError(cause, init.signal);
    });
  }
  function json<T>(path: string, { method = "GET", query, body, ...options }: ProxyRequest = {}): Result<T> {
    const headers = { accept: "application/json", ...options.headers };
    const call = { surface: "proxy", method, path: withSlash(path), connection, query, body } as const;
    return new Result(transport.json<T>({ ...call, options: { ...options, headers } }));
  }
  return Object.assign(proxy, { json });
}
