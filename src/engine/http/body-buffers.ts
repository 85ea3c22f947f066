/** Rooms come in multiples of this. It is also what a socket gives at most at once. */
const STEP = 64 * 1024;
/** Most bytes that are kept for the next ones, and for how long nobody has to want them until they are let go. */
const MAX_POOLED = 24 * 1024 * 1024;
const KEPT_MS = 10_000;
/** What is made room for on a provider's word; beyond it there is room once the bytes are there. */
const MAX_PREALLOCATED = 1024 * 1024;

/**
 * Room for the bodies of answers, used again and again. A new buffer for each would be outside of V8's heap, which is
 * slow to see how much there is of it: under load, what nobody needs any more was most of the process's memory.
 */
const kept = new Map<number, Buffer[]>();
let keptBytes = 0;
let usedAt = 0;
let sweeper: NodeJS.Timeout | undefined;

function sweep(): void {
  if (Date.now() - usedAt < KEPT_MS) return;
  kept.clear();
  keptBytes = 0;
  clearInterval(sweeper);
  sweeper = undefined;
}

function takeRoom(bytes: number): Buffer {
  const size = Math.ceil(bytes / STEP) * STEP;
  const room = kept.get(size)?.pop();
  if (!room) return Buffer.allocUnsafeSlow(size);
  keptBytes -= size;
  return room;
}

function giveBack(room: Buffer): void {
  if (keptBytes + room.length > MAX_POOLED) return;
  keptBytes += room.length;
  usedAt = Date.now();
  const same = kept.get(room.length);
  if (same) same.push(room);
  else kept.set(room.length, [room]);
  if (sweeper) return;
  sweeper = setInterval(sweep, KEPT_MS);
  sweeper.unref();
}

/** A body that is gathered from what comes of it. */
export class BodyBuffer {
  size = 0;
  #only: Buffer | undefined;
  #room: Buffer | undefined;

  /** `expected`: how long it says that it is, or 0. */
  add(chunk: Buffer, expected: number): void {
    const size = this.size + chunk.length;
    if (this.size === 0 && size >= expected) this.#only = chunk;
    else this.#write(chunk, Math.max(size, Math.min(expected, MAX_PREALLOCATED)));
    this.size = size;
  }

  #write(chunk: Buffer, wanted: number): void {
    const before = this.#room;
    if (!before || before.length < wanted) {
      // Twice as much where its length is not known: it is copied a few times at most.
      this.#room = takeRoom(before ? Math.max(wanted, before.length * 2) : wanted);
      (this.#only ?? before)?.copy(this.#room, 0, 0, this.size);
      this.#only = undefined;
      if (before) giveBack(before);
    }
    this.#room!.set(chunk, this.size);
  }

  get bytes(): Buffer {
    return this.#only ?? this.#room?.subarray(0, this.size) ?? EMPTY;
  }

  /** Nobody looks at the bytes any more. */
  release(): void {
    if (this.#room) giveBack(this.#room);
    this.#room = undefined;
    this.#only = undefined;
  }
}

const EMPTY = Buffer.alloc(0);
