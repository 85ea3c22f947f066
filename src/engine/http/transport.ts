import { isIP } from "node:net";
import { Agent, buildConnector, type Dispatcher } from "undici";
import { Fault } from "../../contracts/fault.ts";
import { type Cancellation, collect, type WholeResponse } from "./buffer-response.ts";
import { isPrivateAddress } from "./private-address.ts";
import { createResolver } from "./resolver.ts";
import { type OpenResponse, open } from "./stream-response.ts";

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
  body?: Dispatcher.DispatchOptions["body"] | AsyncIterable<Buffer>;
}

/** The one door to the outside: keep-alive pools, one per origin, and the check of every address at every connect. */
export interface Transport {
  /**
   * The answer with its body unread. It may go on for as long as the client likes: it gets a socket that no other call
   * has to wait for.
   */
  open(request: TransportRequest, cancellation: Cancellation): Promise<OpenResponse>;
  /** The answer with all of its body. */
  collect(request: TransportRequest, cancellation: Cancellation): Promise<WholeResponse>;
  close(): Promise<void>;
}

const forbidden = (host: string) =>
  new Fault(
    "upstream_forbidden",
    `${host} is a private address; set ALLOW_PRIVATE_UPSTREAMS=true to allow upstreams in your own network`,
  );

/** Every address of a name counts, not only the first. */
function refusePrivate(hostname: string, found: readonly { address: string }[]): void {
  if (found.length === 0 || found.some(({ address }) => isPrivateAddress(address))) throw forbidden(hostname);
}

export function createTransport(options: TransportOptions): Transport {
  const backlog = options.backlog ?? 1024;
  const waiting = new Map<string, number>();
  const anyAddress = createResolver(() => {});
  const publicAddress = createResolver(refusePrivate);

  function connector(settings: buildConnector.BuildOptions): buildConnector.connector {
    const unguarded = buildConnector({ timeout: 10_000, lookup: anyAddress, ...settings });
    const guarded = buildConnector({ timeout: 10_000, lookup: publicAddress, ...settings });
    return (target, callback) => {
      if (options.allowPrivateUpstreams || `${target.protocol}//${target.host}` === options.sandboxOrigin)
        return unguarded(target, callback);
      const literal = target.hostname.replace(/^\[|\]$/g, "");
      if (isIP(literal) && isPrivateAddress(literal)) return callback(forbidden(literal), null);
      guarded(target, callback);
    };
  }

  // Each call has a time limit of its own, exact to the millisecond, over headers and body together.
  const shared = { keepAliveTimeout: 20_000, headersTimeout: 0, bodyTimeout: 0 };
  const calls = new Agent({ ...shared, connections: options.connections ?? 256, connect: connector({}) });
  // As many sockets as there are streams: each belongs to one open connection of a client. HTTP/1.1 only, so that a
  // stream whose client reads slowly holds up no other one on the same socket.
  const streams = new Agent({ ...shared, allowH2: false, connect: connector({ allowH2: false }) });

  /** Returns what is to be called when the wait is over. */
  function wait(origin: string): () => void {
    const count = waiting.get(origin) ?? 0;
    if (count >= backlog)
      throw new Fault("overloaded", "too many calls to this provider are waiting", { retryAfter: 1 });
    waiting.set(origin, count + 1);
    return () => {
      const left = waiting.get(origin)! - 1;
      if (left === 0) waiting.delete(origin);
      else waiting.set(origin, left);
    };
  }

  return {
    open: (request, cancellation) =>
      open(streams, request as Dispatcher.DispatchOptions, cancellation, wait(request.origin)),
    collect: (request, cancellation) =>
      collect(calls, request as Dispatcher.DispatchOptions, cancellation, wait(request.origin)),
    async close() {
      // An event stream does not end by itself.
      await Promise.all([calls.close(), streams.destroy()]);
    },
  };
}
