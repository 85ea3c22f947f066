import type { Dispatcher } from "undici";
import type { Cancellation } from "./collect.ts";

/** Where an answer's body goes. `write` returns false while no more should come. */
export interface Sink {
  write(chunk: Buffer): boolean;
  end(): void;
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

/** An answer whose body waits at the provider until somebody takes it. */
export interface OpenResponse {
  statusCode: number;
  headers: Record<string, string | string[] | undefined>;
  pour(sink: Sink): Flow;
}

/**
 * Makes a call and stops reading after the headers. The body then goes straight from the parser to where it is wanted:
 * a stream in between, as the client's own request function makes, would cost more than all the rest of a call.
 */
export function open(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  cancellation: Cancellation,
): Promise<OpenResponse> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let sink: Sink | undefined;
    let cancelled: Error | undefined;
    let answered = false;
    let outcome: Error | "ended" | undefined;

    function cancel() {
      cancelled = new Error("cancelled");
      controller?.abort(cancelled);
      reject(cancelled);
    }
    cancellation.cancel = cancel;

    function settle(result: Error | "ended") {
      outcome = result;
      if (result === "ended") sink?.end();
      else if (answered) sink?.fail(result);
      else reject(result);
    }

    dispatcher.dispatch(request, {
      onRequestStart(started) {
        controller = started;
        // It may have waited for a socket for longer than anybody waits for it.
        if (cancelled) started.abort(cancelled);
      },
      onResponseStart(receiving, statusCode, headers) {
        if (statusCode < 200) return;
        answered = true;
        receiving.pause();
        resolve({
          statusCode,
          headers,
          pour(into) {
            sink = into;
            // What has no body is over with its headers.
            if (outcome !== undefined) settle(outcome);
            else receiving.resume();
            return { resume: () => receiving.resume(), cancel };
          },
        });
      },
      onResponseData(receiving, chunk) {
        if (!sink!.write(chunk)) receiving.pause();
      },
      onResponseEnd: () => settle("ended"),
      onResponseError: (_, error) => settle(error),
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
