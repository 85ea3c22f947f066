import { isIP } from "node:net";
import { Agent, buildConnector, type Dispatcher } from "undici";
import { Fault } from "../../contracts/fault.ts";
import { type BufferedResponse, bufferResponse } from "./buffer-response.ts";
import type { Cancellation } from "./cancellation.ts";
import { isPrivateAddress } from "./private-address.ts";
import { createResolver, type Resolve } from "./resolver.ts";
import { createStreamedBytesCounter } from "./stream-memory.ts";
import { type StreamedResponse, streamResponse } from "./stream-response.ts";

export interface TransportOptions {
  allowPrivateUpstreams: boolean;
  /** Origin of the sandbox, which may be called though it is on loopback. */
  sandboxOrigin: string | undefined;
  /** Sockets to one origin. */
  connections?: number;
  /** Calls to one origin that may be under way or waiting for a socket; one more is refused. */
  backlog?: number;
  /** Has V8 collect young objects, after many bytes were streamed through. */
  collectYoungObjects?: (() => void) | undefined;
  /** Resolves names; for tests. */
  resolve?: Resolve;
}

export interface TransportRequest {
  origin: string;
  path: string;
  method: Dispatcher.HttpMethod;
  headers: Record<string, string | string[]>;
  body?: Dispatcher.DispatchOptions["body"] | AsyncIterable<Buffer>;
}

/** The only way out: keep-alive pools, one per origin, and a check of every address at every connect. */
export interface Transport {
  /** The answer with its body unread. It may last as long as the client likes: no other call waits for its socket. */
  stream(request: TransportRequest, cancellation: Cancellation): Promise<StreamedResponse>;
  /** The answer with its whole body. */
  buffer(request: TransportRequest, cancellation: Cancellation): Promise<BufferedResponse>;
  /** Counts bytes of a request's own body that are passed on: see `stream-memory.ts`. */
  countStreamedBytes(bytes: number): void;
  close(): Promise<void>;
}

const forbidden = (host: string) =>
  new Fault(
    "upstream_forbidden",
    `${host} is a private address; set ALLOW_PRIVATE_UPSTREAMS=true to allow upstreams in your own network`,
  );

/** Every address of a name is checked, not only the first. */
export function refusePrivate(hostname: string, found: readonly { address: string }[]): void {
  if (found.length === 0 || found.some(({ address }) => isPrivateAddress(address))) throw forbidden(hostname);
}

export function createTransport(options: TransportOptions): Transport {
  const backlog = options.backlog ?? 1024;
  const waiting = new Map<string, number>();
  const countStreamedBytes = createStreamedBytesCounter(options.collectYoungObjects ?? (() => {}));
  const anyAddress = createResolver(() => {}, options.resolve);
  const publicAddress = createResolver(refusePrivate, options.resolve);

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

  /** Counts a call as waiting; returns what to call once it is answered. */
  function enqueue(origin: string): () => void {
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
    stream: (request, cancellation) =>
      streamResponse(
        streams,
        request as Dispatcher.DispatchOptions,
        cancellation,
        enqueue(request.origin),
        countStreamedBytes,
      ),
    buffer: (request, cancellation) =>
      bufferResponse(calls, request as Dispatcher.DispatchOptions, cancellation, enqueue(request.origin)),
    countStreamedBytes,
    async close() {
      // An event stream does not end by itself.
      await Promise.all([calls.close(), streams.destroy()]);
    },
  };
}
