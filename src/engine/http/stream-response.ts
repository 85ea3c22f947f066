import type { Dispatcher } from "undici";
import type { Cancellation } from "./buffer-response.ts";

/** Where an answer's body goes. `write` returns false while no more should come. */
export interface Sink {
  write(chunk: Buffer): boolean;
  end(last?: Buffer): void;
  /** The answer broke off. */
  fail(error: Error): void;
}

/** What the one who receives a body can do about it. */
export interface Flow {
  /** Goes on after `write` returned false. */
  resume(): void;
  /** Ends the call: nobody reads the rest. */
  cancel(): void;
}

/** An answer whose body waits until somebody takes it. */
export interface OpenResponse {
  statusCode: number;
  headers: Record<string, string | string[] | undefined>;
  pour(sink: Sink): Flow;
}

/** How much of a body is kept for the one who will take it; the rest waits at the provider. */
const HELD_BODY = 64 * 1024;

/**
 * Makes a call and hands its answer on as soon as the headers are there. The body then goes straight from the parser
 * to where it is wanted: a stream in between, as the client's own request function makes, would cost more than all the
 * rest of a call. `settled` is called once, with the answer or without.
 */
export function open(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  cancellation: Cancellation,
  settled: () => void,
): Promise<OpenResponse> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let sink: Sink | undefined;
    let cancelled: Error | undefined;
    let answered = false;
    let outcome: Error | "ended" | undefined;
    const held: Buffer[] = [];
    let heldSize = 0;
    let paused = false;

    function refuse(error: Error): void {
      if (answered) return;
      answered = true;
      settled();
      reject(error);
    }

    function cancel() {
      cancelled = new Error("cancelled");
      controller?.abort(cancelled);
      refuse(cancelled);
    }
    cancellation.cancel = cancel;

    function finish(result: Error | "ended", last?: Buffer) {
      outcome = result;
      if (!sink) return;
      if (result === "ended") sink.end(last);
      else sink.fail(result);
    }

    function pause() {
      paused = true;
      controller!.pause();
    }

    function resume() {
      if (!paused) return;
      paused = false;
      controller!.resume();
    }

    function pour(into: Sink): Flow {
      sink = into;
      const last = outcome === "ended" ? held.pop() : undefined;
      let wanted = true;
      for (const chunk of held) wanted = into.write(chunk);
      held.length = 0;
      if (outcome !== undefined) finish(outcome, last);
      else if (wanted) resume();
      else if (!paused) pause();
      return { resume, cancel };
    }

    dispatcher.dispatch(request, {
      onRequestStart(started) {
        controller = started;
        // It may have waited for a socket for longer than anybody waits for it.
        if (cancelled) started.abort(cancelled);
      },
      onResponseStart(_, statusCode, headers) {
        if (statusCode < 200 || answered) return;
        answered = true;
        settled();
        resolve({ statusCode, headers, pour });
      },
      onResponseData(_, chunk) {
        if (sink) {
          if (!sink.write(chunk)) pause();
          return;
        }
        held.push(chunk);
        heldSize += chunk.length;
        if (heldSize >= HELD_BODY) pause();
      },
      onResponseEnd: () => finish("ended"),
      onResponseError(_, error) {
        refuse(error);
        finish(error);
      },
    });
  });
}

/** Most bytes of an unwanted answer that are read for the sake of its socket, and for how long. */
const DRAINED_BODY = 64 * 1024;
const DRAIN_MS = 2_000;

/** Lets go of an answer that nobody will read, without waiting for it. */
export function discard(response: OpenResponse): void {
  let left = DRAINED_BODY;
  const timer = setTimeout(() => flow.cancel(), DRAIN_MS);
  timer.unref();
  const done = () => clearTimeout(timer);
  const flow = response.pour({
    write(chunk) {
      left -= chunk.length;
      if (left < 0) queueMicrotask(() => flow.cancel());
      return left >= 0;
    },
    end: done,
    fail: done,
  });
}
