import { Fault } from "../contracts/fault.ts";
import type { Answer } from "../contracts/http.ts";
import type { Telemetry, UpstreamStatus } from "../contracts/telemetry.ts";
import type { Cancellation } from "./collect.ts";
import type { Ending } from "./ending.ts";
import { backoff, isRetryableStatus, pause } from "./retry.ts";
import type { TransportRequest } from "./transport.ts";

export interface Timeouts {
  firstMs: number;
  retryMs: number;
}

interface Response {
  statusCode: number;
  headers: Answer["headers"];
}

export interface Exchange<Received extends Response, Result> {
  provider: string;
  request: TransportRequest;
  /** One of the transport's ways to make a call. */
  call(request: TransportRequest, cancellation: Cancellation): Promise<Received>;
  retries: number;
  /** Whether a call that may have been carried out can be made again. */
  repeatable: boolean;
  /** Told at each attempt how to start its time anew, which is fair while the request's own body is on its way. */
  begin?(restart: () => void): void;
  /** Reads what is wanted of an answer. */
  consume(response: Received): Result;
  statusOf(result: Result): number;
  /** Seconds to wait where the answer says so in a way of its own. */
  waitOf?(result: Result): number | undefined;
  /** Lets go of an answer that is not used, where `consume` left its body unread. */
  discard?(result: Result): void;
  /** Whoever waits for the answer: when they are gone, everything ends. */
  client?: Ending | undefined;
}

/** Failures in which nothing can have reached the provider. */
const NOTHING_SENT = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

export function createExchanger(timeouts: Timeouts, telemetry: Telemetry) {
  async function attempt<Received extends Response, Result>(
    exchange: Exchange<Received, Result>,
    timeoutMs: number,
  ): Promise<Result> {
    const { client } = exchange;
    client?.throwIfOver();
    const started = performance.now();
    const cancellation: Cancellation = {};
    let over = false;
    let timedOut = false;
    const giveUp = () => {
      if (over) return;
      timedOut = true;
      cancellation.cancel?.();
    };
    // Where the whole process stood still for that long, the answer may be there: what has arrived is read first.
    const timer = setTimeout(() => setImmediate(giveUp), timeoutMs);
    const stop = () => cancellation.cancel?.();
    client?.on(stop);
    exchange.begin?.(() => timer.refresh());
    const tell = (status: UpstreamStatus) => telemetry.upstream(exchange.provider, status, performance.now() - started);
    try {
      const response = await exchange.call(exchange.request, cancellation);
      const result = exchange.consume(response);
      tell(response.statusCode);
      return result;
    } catch (error) {
      if (error instanceof Fault) {
        if (error.kind === "overloaded") tell("overloaded");
        throw error;
      }
      client?.throwIfOver();
      tell(timedOut ? "timeout" : "unreachable");
      throw timedOut
        ? new Fault("upstream_timeout", `the provider gave no answer in ${timeoutMs / 1000} s`, { cause: error })
        : new Fault("upstream_unreachable", "no connection to the provider, or it broke", { cause: error });
    } finally {
      over = true;
      clearTimeout(timer);
      client?.off(stop);
    }
  }

  function mayRepeat(exchange: Pick<Exchange<Response, unknown>, "repeatable">, error: unknown): boolean {
    if (!(error instanceof Fault)) return false;
    if (error.kind === "upstream_unreachable")
      return exchange.repeatable || NOTHING_SENT.has((error.cause as NodeJS.ErrnoException)?.code ?? "");
    return exchange.repeatable && (error.kind === "upstream_timeout" || error.kind === "upstream_malformed");
  }

  /** Makes a call, and makes it again as far as the rules allow. The last answer counts, good or bad. */
  return async function make<Received extends Response, Result>(exchange: Exchange<Received, Result>): Promise<Result> {
    for (let made = 0; ; made++) {
      const mayTryAgain = made < exchange.retries;
      let wait: number | undefined;
      let result: Result | undefined;
      try {
        result = await attempt(exchange, made === 0 ? timeouts.firstMs : timeouts.retryMs);
        const status = exchange.statusOf(result);
        const retryable = exchange.repeatable ? isRetryableStatus(status) : status === 429;
        if (!retryable || !mayTryAgain) return result;
        wait = backoff(made, exchange.waitOf?.(result));
        if (wait === undefined) return result;
        exchange.discard?.(result);
      } catch (error) {
        if (!mayTryAgain || !mayRepeat(exchange, error)) throw error;
        wait = backoff(made, undefined)!;
      }
      await pause(wait, exchange.client);
    }
  };
}

export type Exchanger = ReturnType<typeof createExchanger>;
