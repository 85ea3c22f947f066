import type { Dispatcher } from "undici";
import type { Answer } from "../../contracts/upstream.ts";
import { createTurnQueue } from "../../runtime/end-of-turn.ts";
import { type Cancellation, CancelledError } from "./cancellation.ts";
import { dropRawHeaders } from "./raw-headers.ts";

/** Where a response's body goes. `write` returns false to pause it. */
export interface BodyWriter {
  write(chunk: Buffer): boolean;
  end(last?: Buffer): void;
  /** The response ended early. */
  fail(error: Error): void;
}

/** What the receiver of a body can do about it. */
export interface BodyFlow {
  /** Continues after `write` returned false. */
  resume(): void;
  /** Ends the call: nobody reads the rest. */
  cancel(): void;
}

/** A response whose body waits until it is piped somewhere. */
export interface StreamedResponse {
  statusCode: number;
  headers: Answer["headers"];
  pipeTo(writer: BodyWriter): BodyFlow;
}

/** How much of a body is held until it is piped somewhere; the rest waits at the provider. */
const MAX_HELD_BYTES = 64 * 1024;
/** Bodies that are known to be no larger are not worth counting. */
const SMALL_BODY_BYTES = 64 * 1024;

const atEndOfTurn = createTurnQueue();

/**
 * Resolves as soon as the response's headers are there; the body then goes straight from undici's parser to its writer.
 * A stream in between would cost more than the rest of a call.
 *
 * waiting ── headers ──► holding ── pipeTo ──► piping ── end or error ──► done
 *    └── error or cancel ──► done     (a response that ends while it is held goes to its writer from there)
 */
class StreamingHandler implements Dispatcher.DispatchHandler, BodyFlow {
  #state: "waiting" | "holding" | "piping" | "done" = "waiting";
  #controller: Dispatcher.DispatchController | undefined;
  #cancelled: CancelledError | undefined;
  #writer: BodyWriter | undefined;
  /** What came before there was a writer. */
  readonly #held: Buffer[] = [];
  #heldBytes = 0;
  /** How the response ended while it was held. */
  #heldOutcome: Error | "ended" | undefined;
  #counts = false;
  readonly #resolve: (response: StreamedResponse) => void;
  readonly #reject: (error: Error) => void;
  readonly #onSettled: () => void;
  readonly #countBytes: (bytes: number) => void;

  constructor(
    resolve: (response: StreamedResponse) => void,
    reject: (error: Error) => void,
    onSettled: () => void,
    countBytes: (bytes: number) => void,
  ) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#onSettled = onSettled;
    this.#countBytes = countBytes;
  }

  cancel(): void {
    this.#cancelled = new CancelledError();
    this.#controller?.abort(this.#cancelled);
    this.#refuse(this.#cancelled);
  }

  resume(): void {
    this.#controller!.resume();
  }

  pipeTo(writer: BodyWriter): BodyFlow {
    this.#writer = writer;
    this.#state = "piping";
    const last = this.#heldOutcome === "ended" ? this.#held.pop() : undefined;
    let wantsMore = true;
    for (const chunk of this.#held.splice(0)) wantsMore = writer.write(chunk);
    if (this.#heldOutcome !== undefined) this.#finish(this.#heldOutcome, last);
    else if (wantsMore) this.resume();
    else this.#controller!.pause();
    return this;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // It may have waited for a socket until after it was canceled.
    if (this.#cancelled) controller.abort(this.#cancelled);
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: StreamedResponse["headers"],
  ): void {
    dropRawHeaders(controller);
    if (statusCode < 200 || this.#state !== "waiting") return;
    this.#state = "holding";
    this.#counts = !(Number(headers["content-length"]) <= SMALL_BODY_BYTES);
    this.#onSettled();
    const response = { statusCode, headers, pipeTo: (writer: BodyWriter) => this.pipeTo(writer) };
    // Large bodies hardly gain by it, and would be held back meanwhile.
    if (this.#counts) this.#resolve(response);
    else atEndOfTurn(() => this.#resolve(response));
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#counts) this.#countBytes(chunk.length);
    if (this.#writer) {
      if (!this.#writer.write(chunk)) this.#controller!.pause();
      return;
    }
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    if (this.#heldBytes >= MAX_HELD_BYTES) this.#controller!.pause();
  }

  onResponseEnd(): void {
    this.#finish("ended");
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#refuse(error);
    this.#finish(error);
  }

  /** Rejects the call, if it has not been answered yet. */
  #refuse(error: Error): void {
    if (this.#state !== "waiting") return;
    this.#state = "done";
    this.#onSettled();
    this.#reject(error);
  }

  #finish(outcome: Error | "ended", last?: Buffer): void {
    if (this.#state === "holding") this.#heldOutcome = outcome;
    if (this.#state !== "piping") return;
    this.#state = "done";
    if (outcome === "ended") this.#writer!.end(last);
    else this.#writer!.fail(outcome);
  }
}

/**
 * Makes a call and returns the response as soon as its headers are there. `onSettled` is called once, whatever the
 * result; `countBytes` receives the size of each chunk of a large body.
 */
export function streamResponse(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  cancellation: Cancellation,
  onSettled: () => void,
  countBytes: (bytes: number) => void,
): Promise<StreamedResponse> {
  return new Promise((resolve, reject) => {
    const handler = new StreamingHandler(resolve, reject, onSettled, countBytes);
    cancellation.onCancel(handler);
    dispatcher.dispatch(request, handler);
  });
}

/** The beginning of a body, up to so many bytes; the rest is dropped. */
export function readUpTo(response: StreamedResponse, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const done = () => resolve(Buffer.concat(chunks).subarray(0, maxBytes));
    const flow = response.pipeTo({
      write(chunk) {
        chunks.push(chunk);
        size += chunk.length;
        if (size >= maxBytes) queueMicrotask(() => flow.cancel());
        return size < maxBytes;
      },
      end(last) {
        if (last) chunks.push(last);
        done();
      },
      fail: done,
    });
  });
}

/** How much of an unwanted response is read to keep its socket, and for how long. */
const MAX_DRAINED_BYTES = 64 * 1024;
const MAX_DRAIN_MS = 2_000;

/** Drops a response that nobody will read, without waiting for it. */
export function discard(response: Pick<StreamedResponse, "pipeTo">): void {
  let left = MAX_DRAINED_BYTES;
  const timer = setTimeout(() => flow.cancel(), MAX_DRAIN_MS);
  timer.unref();
  const done = () => clearTimeout(timer);
  const flow = response.pipeTo({
    write(chunk) {
      left -= chunk.length;
      if (left < 0) queueMicrotask(() => flow.cancel());
      return left >= 0;
    },
    end: done,
    fail: done,
  });
}
