import type { Dispatcher } from "undici";
import { Fault } from "../../contracts/fault.ts";
import type { Answer } from "../../contracts/upstream.ts";
import { createTurnQueue } from "../../runtime/end-of-turn.ts";
import { BodyBuffer } from "./body-buffers.ts";
import { type Cancellation, CancelledError } from "./cancellation.ts";
import { hasMoreValues } from "./json-values.ts";
import { dropRawHeaders } from "./raw-headers.ts";

/** While much is being collected, only a body of this size is still accepted. */
const ALWAYS_ACCEPTED_BYTES = 1024 * 1024;
/** How much may be collected at the same time, in bodies of the largest size. */
const MAX_LARGE_BODIES = 16;

/** What a response may cost. Its size does not say: parsed, 1 MB of `{}` takes 20 MB. */
export class BufferLimits {
  readonly maxBytes: number;
  readonly maxValues: number;
  /** Bytes of all responses that have not ended yet. */
  collectedBytes = 0;

  constructor({ maxBytes, maxValues }: { maxBytes: number; maxValues: number }) {
    this.maxBytes = maxBytes;
    this.maxValues = maxValues;
  }

  /** Why no more bytes of a body are accepted. */
  refuseSize(bodyBytes: number): Fault | undefined {
    if (bodyBytes > this.maxBytes)
      return malformed(`the provider's response is larger than ${this.maxBytes / 1024 / 1024} MB`);
    if (bodyBytes > ALWAYS_ACCEPTED_BYTES && this.collectedBytes > MAX_LARGE_BODIES * this.maxBytes)
      return new Fault("overloaded", "too many large responses are being read", { retryAfter: 1, answered: true });
    return undefined;
  }

  /** Why a whole body is not parsed. */
  refuseContent(body: Buffer): Fault | undefined {
    return hasMoreValues(body, this.maxValues)
      ? malformed(`the provider's response has more than ${this.maxValues} JSON values`)
      : undefined;
  }
}

/** Larger bodies are read one by one: together, what is parsed of them would fill the memory. */
const READ_TOGETHER_BYTES = 64 * 1024;
const atEndOfTurn = createTurnQueue();

const malformed = (message: string) => new Fault("upstream_malformed", message, { permanent: true });

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
  readonly #limits: BufferLimits;
  readonly #resolve: (response: BufferedResponse) => void;
  readonly #reject: (error: Error) => void;
  readonly #onSettled: () => void;

  constructor(
    limits: BufferLimits,
    resolve: (response: BufferedResponse) => void,
    reject: (error: Error) => void,
    onSettled: () => void,
  ) {
    this.#limits = limits;
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
    // It may have waited for a socket until after it was canceled.
    if (this.#failure) controller.abort(this.#failure);
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: BufferedResponse["headers"],
  ): void {
    dropRawHeaders(controller);
    this.#statusCode = statusCode;
    this.#headers = headers;
    this.#expected = Number(headers["content-length"]) || 0;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return;
    this.#limits.collectedBytes += chunk.length;
    const refusal = this.#limits.refuseSize(this.#body.size + chunk.length);
    this.#body.add(chunk, this.#expected);
    if (refusal) controller.abort(refusal);
  }

  onResponseEnd(): void {
    if (this.#settled) return;
    const body = this.#body;
    const refusal = this.#limits.refuseContent(body.bytes);
    if (refusal) {
      this.#fail(refusal);
      return;
    }
    this.#settle();
    const response = {
      statusCode: this.#statusCode,
      headers: this.#headers,
      bytes: body.bytes,
      release: () => body.release(),
    };
    if (body.size > READ_TOGETHER_BYTES) this.#resolve(response);
    else atEndOfTurn(() => this.#resolve(response));
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error);
  }

  #fail(error: Error): void {
    if (this.#settled) return;
    this.#failure = error;
    this.#settle();
    this.#body.release();
    this.#reject(error);
  }

  #settle(): void {
    this.#settled = true;
    this.#limits.collectedBytes -= this.#body.size;
    this.#onSettled();
  }
}

/** Makes a call and returns the response with its whole body. `onSettled` is called once, whatever the result. */
export function bufferResponse(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  cancellation: Cancellation,
  limits: BufferLimits,
  onSettled: () => void,
): Promise<BufferedResponse> {
  return new Promise((resolve, reject) => {
    const handler = new BufferingHandler(limits, resolve, reject, onSettled);
    cancellation.onCancel(handler);
    dispatcher.dispatch(request, handler);
  });
}
