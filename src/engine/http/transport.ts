import { Agent, type Dispatcher } from "undici";
import { Fault } from "../../contracts/fault.ts";
import type { AllowedPrivate, ProxySettings } from "../../contracts/network.ts";
import { type BufferedResponse, BufferLimits, bufferResponse } from "./buffer-response.ts";
import type { Cancellation } from "./cancellation.ts";
import type { HeaderList } from "./forwarded-headers.ts";
import { createConnectors } from "./guarded-connector.ts";
import type { Resolve } from "./resolver.ts";
import { createStreamedBytesCounter } from "./stream-memory.ts";
import { type StreamedResponse, streamResponse } from "./stream-response.ts";

export interface TransportOptions {
  allowPrivateUpstreams: AllowedPrivate;
  /** The proxy that calls take, if there is one. */
  proxy?: ProxySettings | undefined;
  /** How large a response may be that is read as a whole, and how many JSON values it may have. */
  maxBodyBytes: number;
  maxValues: number;
  /** May be called although its address is private: the sandbox, or what the operator configured. */
  trustedOrigin: string | undefined;
  /** The most sockets to one origin. */
  connections?: number;
  /** The most calls to one origin that may wait for a response or a socket; any more are refused. */
  backlog?: number;
  /** Makes V8 collect young objects; called after many bytes were streamed. */
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
  /** What must not be logged of `path`. */
  pathSecrets?: readonly string[] | undefined;
}

/** A client's request that is forwarded. */
export interface ForwardedRequest extends Omit<TransportRequest, "headers"> {
  headers: HeaderList;
}

/** Every call to a provider goes through here: keep-alive pools per origin, and an address check at every connect. */
export interface Transport {
  /** The response with its body unread. It may be read slowly: no other call waits for its socket. */
  stream(request: TransportRequest | ForwardedRequest, cancellation: Cancellation): Promise<StreamedResponse>;
  /** The response with its whole body. */
  buffer(request: TransportRequest, cancellation: Cancellation): Promise<BufferedResponse>;
  /** Counts streamed bytes of a request body: see `stream-memory.ts`. */
  countStreamedBytes(bytes: number): void;
  close(): Promise<void>;
}

export function createTransport(options: TransportOptions): Transport {
  const backlog = options.backlog ?? 1024;
  const waiting = new Map<string, number>();
  const limits = new BufferLimits({ maxBytes: options.maxBodyBytes, maxValues: options.maxValues });
  const countStreamedBytes = createStreamedBytesCounter(options.collectYoungObjects ?? (() => {}));
  const connector = createConnectors(options);

  // Timeouts are set per call, exact to the millisecond, over headers and body together.
  const shared = { keepAliveTimeout: 20_000, headersTimeout: 0, bodyTimeout: 0 };
  const calls = new Agent({ ...shared, connections: options.connections ?? 256, connect: connector({}) });
  // One socket per stream: each belongs to one client's open connection. HTTP/1.1 only, so that a slow client does not
  // hold up other streams on the same socket.
  const streams = new Agent({ ...shared, connect: connector({ allowH2: false }) });

  /** Counts a call as waiting; returns a function to call once it has a response. */
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
      bufferResponse(calls, request as Dispatcher.DispatchOptions, cancellation, limits, enqueue(request.origin)),
    countStreamedBytes,
    async close() {
      // An event stream does not end by itself.
      await Promise.all([calls.close(), streams.destroy()]);
    },
  };
}
