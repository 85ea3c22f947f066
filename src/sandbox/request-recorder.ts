import type { IncomingHttpHeaders } from "node:http";
import { tokenPattern } from "./tokens.ts";

const KEPT = 5000;

const secretHeader = /^(?:(?:proxy-)?authorization|cookie|.*(?:token|secret|password|api-?key))$/;
const secretParameter = /^(?:.*(?:access_token|refresh_token|secret|password|api_?key|api_?token)|token|key|code)$/i;

/** A request as it arrived. `path` is with its query. */
interface Arrival {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  at: number;
  order: number;
}

export interface RecordedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  at: string;
}

/** Hides a secret, but leaves enough of a long one to tell it from another. */
const mask = (secret: string) => (secret.length >= 16 ? `***${secret.slice(-4)}` : "***");

function maskHeader(name: string, value: string): string {
  if (!secretHeader.test(name)) return value;
  const space = value.indexOf(" ");
  return value.slice(0, space + 1) + mask(value.slice(space + 1));
}

function maskPath(path: string): string {
  const start = path.indexOf("?");
  const shown = path.replace(tokenPattern, mask);
  if (start < 0) return shown;
  return shown.replace(/([?&])([^=&]*)=([^&]*)/g, (whole, separator: string, name: string, value: string) =>
    secretParameter.test(name) && !value.startsWith("***") ? `${separator}${name}=${mask(value)}` : whole,
  );
}

let order = 0;

/** The newest requests of one provider. */
export function createRequestRecorder() {
  let arrivals: Arrival[] = [];
  return {
    add(method: string, path: string, headers: IncomingHttpHeaders): void {
      arrivals.push({ method, path, headers, at: Date.now(), order: order++ });
      // Cut only now and then: shifting the whole list at each request would cost more than the room.
      if (arrivals.length >= 2 * KEPT) arrivals = arrivals.slice(-KEPT);
    },
    clear(): void {
      arrivals = [];
    },
    list: (): readonly Arrival[] => arrivals.slice(-KEPT),
  };
}

export type RequestRecord = ReturnType<typeof createRequestRecorder>;

/** The requests of several records, oldest first, with every credential masked. */
export function readRecords(records: readonly RequestRecord[]): RecordedRequest[] {
  return records
    .flatMap((record) => record.list())
    .sort((one, other) => one.order - other.order)
    .map(({ method, path, headers, at }) => ({
      method,
      path: maskPath(path),
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, maskHeader(name, [value].flat().join(", "))]),
      ),
      at: new Date(at).toISOString(),
    }));
}
