import type { IncomingHttpHeaders } from "node:http";
import { tokenPattern } from "./tokens.ts";

const MAX_REQUESTS = 5000;
/** How much of a request's path, and of its headers together, is kept. */
const MAX_KEPT_LENGTH = 2000;

const secretHeaderName = /^(?:(?:proxy-)?authorization|cookie|.*(?:token|secret|password|api-?key))$/;
const secretParameterName =
  /^(?:.*(?:access_token|refresh_token|secret|password|api_?key|api_?token)|token|key|code)$/i;

/** A request as it arrived, with its secrets. `path` includes the query. */
interface UnmaskedRequest {
  provider: string;
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  at: number;
  order: number;
  /** Of the answer; null before it, and if there is none. */
  status: number | null;
}

/** A request as the sandbox shows it, with its secrets masked. */
export interface RecordedRequest {
  provider: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  at: string;
  status: number | null;
}

/** Masks a secret, but keeps the end of a long one so that secrets can be told apart. */
const mask = (secret: string) => (secret.length >= 16 ? `***${secret.slice(-4)}` : "***");

function maskHeader(name: string, value: string): string {
  if (!secretHeaderName.test(name)) return value;
  const space = value.indexOf(" ");
  return value.slice(0, space + 1) + mask(value.slice(space + 1));
}

function maskPath(path: string): string {
  const start = path.indexOf("?");
  const masked = path.replace(tokenPattern, mask);
  if (start < 0) return masked;
  return masked.replace(/([?&])([^=&]*)=([^&]*)/g, (whole, separator: string, name: string, value: string) =>
    secretParameterName.test(name) && !value.startsWith("***") ? `${separator}${name}=${mask(value)}` : whole,
  );
}

function shortenHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  let left = MAX_KEPT_LENGTH;
  const kept: IncomingHttpHeaders = {};
  for (const [name, value] of Object.entries(headers)) {
    if (left <= 0) break;
    const text = [value].flat().join(", ").slice(0, left);
    kept[name] = text;
    left -= name.length + text.length;
  }
  return kept;
}

let nextOrder = 0;

/** Keeps the newest requests to one provider. */
export function createRequestRecorder(provider: string) {
  let requests: UnmaskedRequest[] = [];
  return {
    /** Returns the function that adds the answer's status. */
    add(method: string, path: string, headers: IncomingHttpHeaders): (status: number) => void {
      const request: UnmaskedRequest = {
        provider,
        method,
        path: path.slice(0, MAX_KEPT_LENGTH),
        headers: shortenHeaders(headers),
        at: Date.now(),
        order: nextOrder++,
        status: null,
      };
      requests.push(request);
      // Trimmed only now and then, because shifting the whole list at each request would be slow.
      if (requests.length >= 2 * MAX_REQUESTS) requests = requests.slice(-MAX_REQUESTS);
      return (status) => {
        request.status = status;
      };
    },
    clear(): void {
      requests = [];
    },
    list: (): readonly UnmaskedRequest[] => requests.slice(-MAX_REQUESTS),
  };
}

export type RequestRecorder = ReturnType<typeof createRequestRecorder>;

/** The requests of several providers, oldest first, with all secrets masked. */
export function listRecordedRequests(recorders: readonly RequestRecorder[]): RecordedRequest[] {
  return recorders
    .flatMap((recorder) => recorder.list())
    .sort((one, other) => one.order - other.order)
    .map(({ provider, method, path, headers, at, status }) => ({
      provider,
      method,
      path: maskPath(path),
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, maskHeader(name, [value].flat().join(", "))]),
      ),
      at: new Date(at).toISOString(),
      status,
    }));
}
