/** What is thrown where work ends before its time. */
export const pointless = () => new Error("nobody waits for it any more");

/**
 * Tells once that something is over: a client is gone, a question is decided. What an AbortSignal does, for those who
 * make one at each call: that takes as long as the routing of a request does.
 */
export class Ending {
  over = false;
  #listeners: Set<() => void> | undefined;

  end(): void {
    if (this.over) return;
    this.over = true;
    const listeners = this.#listeners;
    this.#listeners = undefined;
    if (listeners) for (const listener of listeners) listener();
  }

  on(listener: () => void): void {
    if (this.over) {
      listener();
      return;
    }
    this.#listeners ??= new Set();
    this.#listeners.add(listener);
  }

  off(listener: () => void): void {
    this.#listeners?.delete(listener);
  }

  throwIfOver(): void {
    if (this.over) throw pointless();
  }
}
