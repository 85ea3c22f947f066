import { lookup as dnsLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector, type Dispatcher } from "undici";
import { Fault } from "../contracts/fault.ts";
import { isPrivateAddress } from "./address.ts";

export interface TransportOptions {
  allowPrivateUpstreams: boolean;
  /** Origin of the sandbox, which may be called though it is on loopback. */
  sandboxOrigin: string | undefined;
  /** Sockets to one origin. */
  connections?: number;
  /** Calls to one origin that may be under way or waiting for a socket; one more is refused. */
  backlog?: number;
}

export interface TransportRequest {
  origin: string;
  path: string;
  method: Dispatcher.HttpMethod;
  headers: Record<string, string | string[]>;
  body?: Dispatcher.DispatchOptions["body"];
  signal?: AbortSignal | undefined;
}

export type TransportResponse = Dispatcher.ResponseData;

/** The one door to the outside: keep-alive pools, one per origin, and the check of every address at every connect. */
export interface Transport {
  request(request: TransportRequest): Promise<TransportResponse>;
  close(): Promise<void>;
}

const forbidden = (host: string) =>
  new Fault(
    "upstream_forbidden",
    `${host} is a private address; set ALLOW_PRIVATE_UPSTREAMS=true to allow upstreams in your own network`,
  );

/** Resolves as usual, then refuses names that lead to a private address. Every answer counts, not only the first. */
const guardedLookup: LookupFunction = (hostname, options, callback) => {
  dnsLookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, "", 0);
    if (addresses.length === 0 || addresses.some(({ address }) => isPrivateAddress(address)))
      return callback(forbidden(hostname) as NodeJS.ErrnoException, "", 0);
    if (options.all) return (callback as (error: null, all: typeof addresses) => void)(null, addresses);
    const first = addresses[0]!;
    callback(null, first.address, first.family);
  });
};

export function createTransport(options: TransportOptions): Transport {
  const backlog = options.backlog ?? 1024;
  const waiting = new Map<string, number>();
  const open = buildConnector({ timeout: 10_000 });
  const guarded = buildConnector({ timeout: 10_000, lookup: guardedLookup });
  const agent = new Agent({
    connections: options.connections ?? 256,
    keepAliveTimeout: 20_000,
    // Each call has a time limit of its own, exact to the millisecond, over headers and body together.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect(target: buildConnector.Options, callback: buildConnector.Callback) {
      if (options.allowPrivateUpstreams || `${target.protocol}//${target.host}` === options.sandboxOrigin)
        return open(target, callback);
      const literal = target.hostname.replace(/^\[|\]$/g, "");
      if (isIP(literal) && isPrivateAddress(literal)) return callback(forbidden(literal), null);
      guarded(target, callback);
    },
  });

  return {
    async request(request) {
      const { origin } = request;
      const count = waiting.get(origin) ?? 0;
      if (count >= backlog)
        throw new Fault("overloaded", "too many calls to this provider are waiting", { retryAfter: 1 });
      waiting.set(origin, count + 1);
      try {
        return await agent.request(request as Dispatcher.RequestOptions);
      } finally {
        const left = waiting.get(origin)! - 1;
        if (left === 0) waiting.delete(origin);
        else waiting.set(origin, left);
      }
    },
    close: () => agent.close(),
  };
}
