import { hash } from "node:crypto";

/** A power of two. */
const FIRST_CAPACITY = 1_024;
const BYTES_PER_HASH = 8;

/**
 * The ids that a walk has seen, as hashes of 64 bits in one array: 16 MB for a million. If two ids had the same hash,
 * one that is missing would look as if it had been seen: a delete would be reported late, but never wrongly.
 */
export class SeenIds {
  /** Two words for each slot; both are zero if it is free. */
  #slots = new Uint32Array(2 * FIRST_CAPACITY);
  #size = 0;
  #added: number[] = [];

  get size(): number {
    return this.#size;
  }

  add(id: string): void {
    const [high, low] = wordsOf(id);
    if (this.#insert(high, low)) this.#added.push(high, low);
  }

  has(id: string): boolean {
    const [high, low] = wordsOf(id);
    return this.#slots[this.#find(high, low)] !== 0 || this.#slots[this.#find(high, low) + 1] !== 0;
  }

  /** The hashes that were added since the last call. */
  takeAdded(): Buffer {
    const buffer = Buffer.from(Uint32Array.from(this.#added).buffer);
    this.#added = [];
    return buffer;
  }

  /** Adds hashes that `takeAdded` returned. */
  restore(hashes: Buffer): void {
    for (let offset = 0; offset + BYTES_PER_HASH <= hashes.length; offset += BYTES_PER_HASH)
      this.#insert(hashes.readUInt32LE(offset), hashes.readUInt32LE(offset + 4));
  }

  /** Where a hash is, or would be: the slots after a taken one are searched in order. */
  #find(high: number, low: number): number {
    const slots = this.#slots;
    const mask = slots.length - 2;
    let index = (low * 2) & mask;
    while ((slots[index] !== 0 || slots[index + 1] !== 0) && (slots[index] !== high || slots[index + 1] !== low))
      index = (index + 2) & mask;
    return index;
  }

  #insert(high: number, low: number): boolean {
    const index = this.#find(high, low);
    if (this.#slots[index] !== 0 || this.#slots[index + 1] !== 0) return false;
    this.#slots[index] = high;
    this.#slots[index + 1] = low;
    this.#size += 1;
    if (this.#size * 4 > (this.#slots.length / 2) * 3) this.#grow();
    return true;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Uint32Array(old.length * 2);
    for (let index = 0; index < old.length; index += 2) {
      const high = old[index]!;
      const low = old[index + 1]!;
      if (high === 0 && low === 0) continue;
      const free = this.#find(high, low);
      this.#slots[free] = high;
      this.#slots[free + 1] = low;
    }
  }
}

function wordsOf(id: string): [high: number, low: number] {
  const digest = hash("sha1", id, "buffer");
  // Zero marks a free slot.
  return [digest.readUInt32LE(0) || 1, digest.readUInt32LE(4)];
}
