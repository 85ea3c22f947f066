import { Fault } from "../../contracts/fault.ts";
import type { AllowedPrivate, ProxySettings } from "../../contracts/network.ts";
import { ProxyError } from "../../runtime/outbound-proxy.ts";
import { Cancellation, CancelledError } from "./cancellation.ts";
import { refuseAddress } from "./refuse-address.ts";
import type { Resolve } from "./resolver.ts";
import { retryAfter } from "./retry.ts";
import { readUpTo } from "./stream-response.ts";
import { createTransport } from "./transport.ts";

/** How much of an answer is read. */
const MAX_ANSWER_BYTES = 2_048;
/** Receivers of many webhooks may share an origin. Each webhook limits its own calls. */
const MAX_WAITING = 10_000;

interface EventPosterOptions {
  allowPrivateUpstreams: AllowedPrivate;
  proxy?: ProxySettings | undefined;
  /** Resolves names; for tests. */
  resolve?: Resolve | undefined;
}

export interface EventRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  timeoutMs: number;
}

/** `status` is that of the answer, if there was one. Redirects are not followed. */
export type EventAnswer =
  | { outcome: "answered"; status: number; answer: string; retryAfterSeconds: number | undefined }
  | { outcome: "timeout" | "forbidden" | "unreachable" | "cancelled"; error: string };

/**
 * Posts events to the addresses that users gave for them. It has its own sockets, so that a slow receiver takes none from
 * providers, and checks every address at every connect: the sandbox's own is refused like any other.
 */
export function createEventPoster({ allowPrivateUpstreams, proxy, resolve }: EventPosterOptions) {
  const transport = createTransport({
    allowPrivateUpstreams,
    proxy,
    maxBodyBytes: MAX_ANSWER_BYTES,
    maxValues: 0,
    trustedOrigin: undefined,
    backlog: MAX_WAITING,
    ...(resolve ? { resolve } : {}),
  });

  async function read({ url, headers, body }: EventRequest, cancellation: Cancellation): Promise<EventAnswer> {
    const { origin, pathname, search } = new URL(url);
    const request = { origin, path: pathname + search, method: "POST" as const, headers, body };
    const response = await transport.stream(request, cancellation);
    const bytes = await readUpTo(response, MAX_ANSWER_BYTES);
    return {
      outcome: "answered",
      status: response.statusCode,
      answer: bytes.toString(),
      retryAfterSeconds: retryAfter(response),
    };
  }

  return {
    async post(request: EventRequest, stop: Cancellation = new Cancellation()): Promise<EventAnswer> {
      const cancellation = new Cancellation();
      let timedOut = false;
      const timer = setTimeout(() => {
        timedOut = true;
        cancellation.cancel();
      }, request.timeoutMs);
      stop.onCancel(cancellation);
      try {
        return await read(request, cancellation);
      } catch (error) {
        if (timedOut) return { outcome: "timeout", error: `no answer within ${request.timeoutMs / 1000} s` };
        return describeFailure(error);
      } finally {
        clearTimeout(timer);
        stop.off(cancellation);
      }
    },

    /** Why events must not be posted to an address; undefined if they may. */
    refuseAddress: (address: string): Promise<string | undefined> =>
      refuseAddress(address, {
        allowPrivate: allowPrivateUpstreams,
        query: true,
        https: true,
        unresolved: proxy?.target === "unresolved",
        resolve,
      }),

    close: () => transport.close(),
  };
}

function describeFailure(error: unknown): EventAnswer {
  if (error instanceof CancelledError) return { outcome: "cancelled", error: "cancelled" };
  if (error instanceof Fault && error.kind === "upstream_forbidden")
    return { outcome: "forbidden", error: "the address is private" };
  if (error instanceof ProxyError) return { outcome: "unreachable", error: `no connection: ${error.message}` };
  const { code = "no details" } = error as NodeJS.ErrnoException;
  return { outcome: "unreachable", error: `no connection: ${code}` };
}
