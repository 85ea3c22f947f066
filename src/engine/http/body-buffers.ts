/** Buffer sizes are multiples of this, which is also the most that a socket delivers in one piece. */
const SIZE_STEP = 64 * 1024;
/** How many bytes the pool keeps, and after how long without use it is emptied. */
const MAX_POOLED_BYTES = 24 * 1024 * 1024;
const MAX_IDLE_MS = 10_000;
/** How much is allocated because of a provider's `Content-Length`; beyond it, memory is allocated as bytes arrive. */
const MAX_PREALLOCATED = 1024 * 1024;

/**
 * A pool of buffers for response bodies, by size. New buffers would be outside of V8's heap, and V8 is slow to notice
 * them: under load, most of the process's memory was buffers that nobody needed anymore.
 */
const pool = new Map<number, Buffer[]>();
let pooledBytes = 0;
let usedAt = 0;
let sweeper: NodeJS.Timeout | undefined;

function sweep(): void {
  if (Date.now() - usedAt < MAX_IDLE_MS) return;
  pool.clear();
  pooledBytes = 0;
  clearInterval(sweeper);
  sweeper = undefined;
}

function acquire(bytes: number): Buffer {
  const size = Math.ceil(bytes / SIZE_STEP) * SIZE_STEP;
  const pooled = pool.get(size)?.pop();
  if (!pooled) return Buffer.allocUnsafeSlow(size);
  pooledBytes -= size;
  return pooled;
}

function giveBack(buffer: Buffer): void {
  if (pooledBytes + buffer.length > MAX_POOLED_BYTES) return;
  pooledBytes += buffer.length;
  usedAt = Date.now();
  const sameSize = pool.get(buffer.length);
  if (sameSize) sameSize.push(buffer);
  else pool.set(buffer.length, [buffer]);
  if (sweeper) return;
  sweeper = setInterval(sweep, MAX_IDLE_MS);
  sweeper.unref();
}

/** Collects the chunks of a body. */
export class BodyBuffer {
  size = 0;
  /** The body, while it consists of one chunk. */
  #onlyChunk: Buffer | undefined;
  #buffer: Buffer | undefined;

  /** `expected`: the body's announced length, or 0. */
  add(chunk: Buffer, expected: number): void {
    const size = this.size + chunk.length;
    if (this.size === 0 && size >= expected) this.#onlyChunk = chunk;
    else this.#write(chunk, Math.max(size, Math.min(expected, MAX_PREALLOCATED)));
    this.size = size;
  }

  #write(chunk: Buffer, wanted: number): void {
    const before = this.#buffer;
    if (!before || before.length < wanted) {
      // Doubled each time, so that a body of unknown length is only copied a few times.
      this.#buffer = acquire(before ? Math.max(wanted, before.length * 2) : wanted);
      (this.#onlyChunk ?? before)?.copy(this.#buffer, 0, 0, this.size);
      this.#onlyChunk = undefined;
      if (before) giveBack(before);
    }
    this.#buffer!.set(chunk, this.size);
  }

  get bytes(): Buffer {
    return this.#onlyChunk ?? this.#buffer?.subarray(0, this.size) ?? EMPTY;
  }

  /** Returns the memory to the pool: the bytes must not be read afterwards. */
  release(): void {
    if (this.#buffer) giveBack(this.#buffer);
    this.#buffer = undefined;
    this.#onlyChunk = undefined;
  }
}

const EMPTY = Buffer.alloc(0);
