import { Fault } from "../../contracts/fault.ts";
import type { Telemetry, UpstreamStatus } from "../../contracts/telemetry.ts";
import type { Answer } from "../../contracts/upstream.ts";
import type { Cancellation } from "./buffer-response.ts";
import type { Ending } from "./cancellation.ts";
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

function mayRepeat({ repeatable }: Pick<Exchange<Response, unknown>, "repeatable">, error: unknown): boolean {
  if (!(error instanceof Fault)) return false;
  if (error.kind === "upstream_unreachable")
    return repeatable || NOTHING_SENT.has((error.cause as NodeJS.ErrnoException)?.code ?? "");
  return repeatable && (error.kind === "upstream_timeout" || error.kind === "upstream_malformed");
}

/** One attempt: its time, and whatever ends it before. */
class Attempt {
  readonly cancellation: Cancellation = {};
  readonly started = performance.now();
  timedOut = false;
  #over = false;
  readonly #timer: NodeJS.Timeout;
  readonly #client: Ending | undefined;

  constructor({ client, begin }: Exchange<Response, unknown>, timeoutMs: number) {
    this.#client = client;
    // Where the whole process stood still for that long, the answer may be there: what has arrived is read first.
    this.#timer = setTimeout(() => setImmediate(this.#giveUp), timeoutMs);
    client?.on(this.#stop);
    begin?.(() => this.#timer.refresh());
  }

  readonly #giveUp = () => {
    if (this.#over) return;
    this.timedOut = true;
    this.#stop();
  };

  readonly #stop = () => this.cancellation.cancel?.();

  end(): void {
    this.#over = true;
    clearTimeout(this.#timer);
    this.#client?.off(this.#stop);
  }
}

export function createExchanger(timeouts: Timeouts, telemetry: Telemetry) {
  /** Tells of a failed attempt, and what to throw because of it. */
  function explain(
    { client, provider }: Exchange<Response, unknown>,
    attempt: Attempt,
    error: unknown,
    timeoutMs: number,
  ) {
    const tell = (status: UpstreamStatus) => telemetry.upstream(provider, status, performance.now() - attempt.started);
    if (error instanceof Fault) {
      if (error.kind === "overloaded") tell("overloaded");
      return error;
    }
    client?.throwIfOver();
    tell(attempt.timedOut ? "timeout" : "unreachable");
    return attempt.timedOut
      ? new Fault("upstream_timeout", `the provider gave no answer in ${timeoutMs / 1000} s`, { cause: error })
      : new Fault("upstream_unreachable", "no connection to the provider, or it broke", { cause: error });
  }

  /** Makes a call, and makes it again as far as the rules allow. The last answer counts, good or bad. */
  return async function make<Received extends Response, Result>(exchange: Exchange<Received, Result>): Promise<Result> {
    const { client } = exchange;
    for (let made = 0; ; made++) {
      client?.throwIfOver();
      const mayTryAgain = made < exchange.retries;
      const timeoutMs = made === 0 ? timeouts.firstMs : timeouts.retryMs;
      const attempt = new Attempt(exchange, timeoutMs);
      let result: Result;
      try {
        const response = await exchange.call(exchange.request, attempt.cancellation);
        result = exchange.consume(response);
        telemetry.upstream(exchange.provider, response.statusCode, performance.now() - attempt.started);
      } catch (error) {
        attempt.end();
        const explained = explain(exchange, attempt, error, timeoutMs);
        if (!mayTryAgain || !mayRepeat(exchange, explained)) throw explained;
        await pause(backoff(made, undefined)!, client);
        continue;
      }
      attempt.end();
      const status = exchange.statusOf(result);
      const retryable = exchange.repeatable ? isRetryableStatus(status) : status === 429;
      if (!retryable || !mayTryAgain) return result;
      const wait = backoff(made, exchange.waitOf?.(result));
      if (wait === undefined) return result;
      exchange.discard?.(result);
      await pause(wait, client);
    }
  };
}

export type Exchanger = ReturnType<typeof createExchanger>;
