/** A map of at most `maxSize` entries that drops the oldest ones first, and each after `ttlMs`. */
export class BoundedMap<Value> {
  readonly #entries = new Map<string, { value: Value; at: number }>();
  readonly #maxSize: number;
  readonly #ttlMs: number;
  readonly #now: () => number;

  constructor(maxSize: number, ttlMs = Number.POSITIVE_INFINITY, now: () => number = Date.now) {
    this.#maxSize = maxSize;
    this.#ttlMs = ttlMs;
    this.#now = now;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (this.#now() - entry.at < this.#ttlMs) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  set(key: string, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, at: this.#now() });
    if (this.#entries.size > this.#maxSize) this.#entries.delete(this.#entries.keys().next().value!);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }
}
