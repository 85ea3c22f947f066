import type { Dispatcher } from "undici";
import { Fault } from "../../contracts/fault.ts";
import { Body } from "./body-buffers.ts";

/** More than any page of any provider; an answer beyond it is a mistake or an attack. */
const LARGEST_BODY = 64 * 1024 * 1024;

/** An answer with all of its body. */
export interface WholeResponse {
  statusCode: number;
  headers: Record<string, string | string[] | undefined>;
  bytes: Buffer;
  /** Lets the bytes go, once nobody looks at them any more. Without it they are kept for as long as they are used. */
  release(): void;
}

/** Lets whoever waits for a call end it. */
export interface Cancellation {
  cancel?: () => void;
}

/**
 * Makes a call and gathers its answer straight from the parser. A stream for each answer, as the client's own request
 * function makes, would cost more than all the rest of a call. `settled` is called once, with the answer or without.
 */
export function collect(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  cancellation: Cancellation,
  settled: () => void,
): Promise<WholeResponse> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let over: Error | true | undefined;
    let statusCode = 0;
    let headers: WholeResponse["headers"] = {};
    let expected = 0;
    const body = new Body();

    function fail(error: Error): void {
      if (over) return;
      over = error;
      settled();
      reject(error);
    }

    cancellation.cancel = () => {
      fail(new Error("cancelled"));
      if (over instanceof Error) controller?.abort(over);
    };
    dispatcher.dispatch(request, {
      onRequestStart(started) {
        controller = started;
        // It may have waited for a socket for longer than anybody waits for it.
        if (over instanceof Error) started.abort(over);
      },
      onResponseStart(_, status, received) {
        statusCode = status;
        headers = received;
        expected = Number(received["content-length"]) || 0;
      },
      onResponseData(receiving, chunk) {
        if (body.size + chunk.length > LARGEST_BODY)
          receiving.abort(new Fault("upstream_malformed", "the provider's answer is larger than 64 MB"));
        else body.add(chunk, expected);
      },
      onResponseEnd() {
        if (over) return;
        over = true;
        settled();
        resolve({ statusCode, headers, bytes: body.bytes, release: () => body.release() });
      },
      onResponseError: (_, error) => fail(error),
    });
  });
}
