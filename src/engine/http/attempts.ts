import { Fault } from "../../contracts/fault.ts";
import type { CallTrace, Telemetry, UpstreamStatus } from "../../contracts/telemetry.ts";
import type { Span } from "../../contracts/tracing.ts";
import type { Answer } from "../../contracts/upstream.ts";
import { ProxyError } from "../../runtime/outbound-proxy.ts";
import { type Cancellable, Cancellation, CancelledError } from "./cancellation.ts";
import { describeCall, withTraceparent } from "./http-span.ts";
import { redact } from "./redact.ts";
import { backoff, isRetryableStatus, retryAfter, sleep } from "./retry.ts";
import type { ForwardedRequest, TransportRequest } from "./transport.ts";

export interface Timeouts {
  firstMs: number;
  retryMs: number;
}

interface ReceivedResponse {
  statusCode: number;
  headers: Answer["headers"];
}

/** What a response means. */
export interface Interpretation<Value> {
  /** The status that counts, which may differ from the one on the wire. */
  status: number;
  /** How many seconds the response asks to wait. */
  waitSeconds(): number | undefined;
  value: Value;
}

/** The parser accepts any three digits as a status, but no response of our own could have it. */
export function assertStatus({ statusCode }: ReceivedResponse): void {
  if (statusCode > 599) throw new Fault("upstream_malformed", `the provider responded with the status ${statusCode}`);
}

/** For calls whose status needs no interpretation. */
export function asReceived<Received extends ReceivedResponse>(response: Received): Interpretation<Received> {
  assertStatus(response);
  return { status: response.statusCode, waitSeconds: () => retryAfter(response), value: response };
}

type AnyRequest = TransportRequest | ForwardedRequest;

/** One call to a provider, which may take several attempts. */
export interface UpstreamCall<Received extends ReceivedResponse, Value, Request extends AnyRequest = TransportRequest> {
  provider: string;
  request: Request;
  /** One of the transport's ways to make a call. */
  send(request: Request, cancellation: Cancellation): Promise<Received>;
  retries: number;
  /** Whether a call that may have been carried out can be made again. */
  repeatable: boolean;
  /** Receives each attempt, whose timeout restarts while the request's own body is being sent. */
  onAttempt?(attempt: Pick<CallAttempt, "restartTimeout">): void;
  interpret(response: Received): Interpretation<Value>;
  /** Drops a response that is not used, if `interpret` left its body unread. */
  discard?(value: Value): void;
  /** Canceled when the client disconnects. */
  client?: Cancellation | undefined;
  /** Gets every attempt, for the request log. */
  trace?: CallTrace | undefined;
}

/** Attempts that are kept for one client request. */
const MAX_KEPT_ATTEMPTS = 50;
const MAX_PATH_LENGTH = 500;

/** The query may contain anything, also credentials. */
function shownPath({ path, pathSecrets = [] }: AnyRequest): string {
  const shown = redact(path, pathSecrets);
  const end = shown.indexOf("?");
  return shown.slice(0, Math.min(end < 0 ? shown.length : end, MAX_PATH_LENGTH));
}

interface MadeAttempt {
  /** How many attempts were made before. */
  made: number;
  span: Span | undefined;
}

function keepAttempt(
  { provider, request, trace }: { provider: string; request: AnyRequest; trace?: CallTrace | undefined },
  { made, span }: MadeAttempt,
  outcome: number | string,
  milliseconds: number,
): void {
  span?.end(() => describeCall(request, outcome, made, { "plugboard.provider": provider }));
  if (!trace) return;
  trace.sentHeaders = request.headers;
  if (made === 0) trace.upstreamCalls++;
  if (trace.upstream.length >= MAX_KEPT_ATTEMPTS) return;
  const isStatus = typeof outcome === "number";
  trace.upstream.push({
    method: request.method,
    path: shownPath(request),
    status: isStatus ? outcome : null,
    error: isStatus ? null : outcome,
    duration_ms: Math.round(milliseconds * 10) / 10,
    attempt: made + 1,
  });
}

/** Failures in which nothing can have reached the provider. */
const NOTHING_SENT = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "ERR_PROXY",
]);

export const nothingWasSent = ({ cause }: Fault): boolean =>
  NOTHING_SENT.has((cause as NodeJS.ErrnoException | undefined)?.code ?? "");

function mayRepeat({ repeatable }: { repeatable: boolean }, error: unknown): boolean {
  if (!(error instanceof Fault) || error.permanent) return false;
  if (error.kind === "upstream_unreachable") return repeatable || nothingWasSent(error);
  return repeatable && (error.kind === "upstream_timeout" || error.kind === "upstream_malformed");
}

/** One attempt: its timeout, and whatever ends it earlier. */
class CallAttempt implements Cancellable {
  readonly cancellation = new Cancellation();
  readonly started = performance.now();
  timedOut = false;
  #ended = false;
  #due: NodeJS.Immediate | undefined;
  readonly #client: Cancellation | undefined;
  readonly #timer: NodeJS.Timeout;

  constructor(client: Cancellation | undefined, timeoutMs: number) {
    this.#client = client;
    this.#timer = setTimeout(() => {
      // If the whole process stood still for that long, the response may be here already: what has arrived is read first,
      // and passed on at the end of that turn.
      this.#due = setImmediate(() => {
        this.#due = setImmediate(() => this.#timeOut());
      });
    }, timeoutMs);
    client?.onCancel(this);
  }

  /** Does nothing after the end: the rest of a request's body may be sent while its response is streamed. */
  restartTimeout(): void {
    if (this.#ended) return;
    clearImmediate(this.#due);
    this.#timer.refresh();
  }

  #timeOut(): void {
    this.timedOut = true;
    this.cancel();
  }

  cancel(): void {
    this.cancellation.cancel();
  }

  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    clearImmediate(this.#due);
    this.#client?.off(this);
  }
}

/** A response that its interpretation fails on has a format that nobody expected. */
function interpret<Received extends ReceivedResponse, Value>(
  call: Pick<UpstreamCall<Received, Value>, "interpret">,
  response: Received,
  attempt: CallAttempt,
): Interpretation<Value> {
  try {
    return call.interpret(response);
  } catch (error) {
    // Nobody will read its body.
    attempt.cancellation.cancel();
    if (error instanceof Fault) throw error;
    throw new Fault("upstream_malformed", "the provider's response could not be interpreted", { cause: error });
  }
}

const unreachable = (error: unknown) =>
  error instanceof ProxyError
    ? `could not connect to the provider: ${error.message}`
    : "could not connect to the provider, or the connection was lost";

/** How metrics count faults that were raised before a response was read, or while reading it. */
const COUNTED_FAULTS: Partial<Record<Fault["kind"], UpstreamStatus>> = {
  overloaded: "overloaded",
  upstream_malformed: "malformed",
};

export function createCallWithRetries(timeouts: Timeouts, telemetry: Telemetry) {
  /** Counts a failed attempt, and says what to throw because of it. */
  function failureOf(
    call: Pick<UpstreamCall<never, never, AnyRequest>, "client" | "provider" | "request" | "trace">,
    current: MadeAttempt,
    attempt: CallAttempt,
    error: unknown,
    timeoutMs: number,
  ) {
    const milliseconds = performance.now() - attempt.started;
    if (error instanceof Fault) {
      const status = COUNTED_FAULTS[error.kind];
      if (status) telemetry.upstream(call.provider, status, milliseconds);
      keepAttempt(call, current, status ?? error.kind, milliseconds);
      return error;
    }
    const status = attempt.timedOut ? "timeout" : "unreachable";
    // Also without a client to cancel it: a body breaks off when its client gives an upload up.
    const isCancelled = call.client?.cancelled || (error instanceof CancelledError && !attempt.timedOut);
    keepAttempt(call, current, isCancelled ? "cancelled" : status, milliseconds);
    if (isCancelled) throw new CancelledError();
    telemetry.upstream(call.provider, status, milliseconds);
    return attempt.timedOut
      ? new Fault("upstream_timeout", `the provider did not respond within ${timeoutMs / 1000} s`, { cause: error })
      : new Fault("upstream_unreachable", unreachable(error), { cause: error });
  }

  /** Makes a call, and repeats it as far as the rules allow. The last response counts, even if it is an error. */
  return async function callWithRetries<Received extends ReceivedResponse, Value, Request extends AnyRequest>(
    call: UpstreamCall<Received, Value, Request>,
  ): Promise<Value> {
    const { client } = call;
    for (let made = 0; ; made++) {
      client?.throwIfCancelled();
      const mayRetry = made < call.retries;
      const timeoutMs = made === 0 ? timeouts.firstMs : timeouts.retryMs;
      const attempt = new CallAttempt(client, timeoutMs);
      call.onAttempt?.(attempt);
      const span = telemetry.tracing?.startClient(call.trace?.span);
      const current = { made, span };
      let answer: Interpretation<Value>;
      try {
        const request = span ? withTraceparent(call.request, span.traceparent) : call.request;
        const response = await call.send(request, attempt.cancellation);
        answer = interpret(call, response, attempt);
        const milliseconds = performance.now() - attempt.started;
        telemetry.upstream(call.provider, response.statusCode, milliseconds);
        keepAttempt(call, current, response.statusCode, milliseconds);
      } catch (error) {
        attempt.end();
        const failure = failureOf(call, current, attempt, error, timeoutMs);
        if (!mayRetry || !mayRepeat(call, failure)) throw failure;
        await sleep(backoff(made, undefined)!, client);
        continue;
      }
      attempt.end();
      const { status, value } = answer;
      const retryable = call.repeatable ? isRetryableStatus(status) : status === 429;
      if (!retryable || !mayRetry) return value;
      const wait = backoff(made, answer.waitSeconds());
      if (wait === undefined) return value;
      call.discard?.(value);
      await sleep(wait, client);
    }
  };
}

export type CallWithRetries = ReturnType<typeof createCallWithRetries>;
