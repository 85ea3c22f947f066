/** Thrown by work that was canceled before it finished, for example because the client disconnected. */
export class CancelledError extends Error {
  constructor() {
    super("cancelled");
    this.name = "CancelledError";
  }
}

/** Something that can be canceled. */
export interface Cancellable {
  cancel(): void;
}

/**
 * A one-time cancellation signal. It does what an AbortSignal does, at a tenth of the cost: one is made for each request
 * and each attempt.
 */
export class Cancellation implements Cancellable {
  cancelled = false;
  /** Most have only one listener, which needs no set. */
  #first: Cancellable | undefined;
  #others: Set<Cancellable> | undefined;

  cancel(): void {
    if (this.cancelled) return;
    this.cancelled = true;
    const first = this.#first;
    const others = this.#others;
    this.#first = undefined;
    this.#others = undefined;
    first?.cancel();
    if (others) for (const listener of others) listener.cancel();
  }

  /** Cancels the listener too: once, and immediately if this is canceled already. */
  onCancel(listener: Cancellable): void {
    if (this.cancelled) listener.cancel();
    else if (this.#first === undefined) this.#first = listener;
    else {
      this.#others ??= new Set();
      this.#others.add(listener);
    }
  }

  off(listener: Cancellable): void {
    if (this.#first === listener) this.#first = undefined;
    else this.#others?.delete(listener);
  }

  throwIfCancelled(): void {
    if (this.cancelled) throw new CancelledError();
  }
}
