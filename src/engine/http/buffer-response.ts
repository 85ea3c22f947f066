import type { Dispatcher } from "undici";
import { Fault } from "../../contracts/fault.ts";
import type { Answer } from "../../contracts/upstream.ts";
import { BodyBuffer } from "./body-buffers.ts";
import { type Cancellation, CancelledError } from "./cancellation.ts";

/** More than any page of any provider; a larger response is an error or an attack. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** A response with its whole body. */
export interface BufferedResponse {
  statusCode: number;
  headers: Answer["headers"];
  bytes: Buffer;
  /** Returns the bytes to the pool: nobody may look at them afterwards. Optional. */
  release(): void;
}

/** Collects a response straight from undici's parser: a stream for each would cost more than the rest of a call. */
class BufferingHandler implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | undefined;
  #failure: Error | undefined;
  #settled = false;
  #statusCode = 0;
  #headers: BufferedResponse["headers"] = {};
  #expected = 0;
  readonly #body = new BodyBuffer();
  readonly #resolve: (response: BufferedResponse) => void;
  readonly #reject: (error: Error) => void;
  readonly #onSettled: () => void;

  constructor(resolve: (response: BufferedResponse) => void, reject: (error: Error) => void, onSettled: () => void) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#onSettled = onSettled;
  }

  cancel(): void {
    if (this.#settled) return;
    this.#fail(new CancelledError());
    this.#controller?.abort(this.#failure!);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // It may have waited for a socket until after it was cancelled.
    if (this.#failure) controller.abort(this.#failure);
  }

  onResponseStart(_: Dispatcher.DispatchController, statusCode: number, headers: BufferedResponse["headers"]): void {
    this.#statusCode = statusCode;
    this.#headers = headers;
    this.#expected = Number(headers["content-length"]) || 0;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#body.size + chunk.length > MAX_BODY_BYTES)
      controller.abort(new Fault("upstream_malformed", "the provider's response is larger than 64 MB"));
    else this.#body.add(chunk, this.#expected);
  }

  onResponseEnd(): void {
    if (this.#settled) return;
    this.#settle();
    const body = this.#body;
    this.#resolve({
      statusCode: this.#statusCode,
      headers: this.#headers,
      bytes: body.bytes,
      release: () => body.release(),
    });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error);
  }

  #fail(error: Error): void {
    if (this.#settled) return;
    this.#failure = error;
    this.#settle();
    this.#reject(error);
  }

  #settle(): void {
    this.#settled = true;
    this.#onSettled();
  }
}

/** Makes a call and returns the response with its whole body. `onSettled` is called once, whatever the result. */
export function bufferResponse(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  cancellation: Cancellation,
  onSettled: () => void,
): Promise<BufferedResponse> {
  return new Promise((resolve, reject) => {
    const handler = new BufferingHandler(resolve, reject, onSettled);
    cancellation.onCancel(() => handler.cancel());
    dispatcher.dispatch(request, handler);
  });
}
