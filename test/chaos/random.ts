/** Pseudo-random numbers that the seed determines (mulberry32). */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  return {
    next,
    /** A whole number, both bounds included. */
    between: (from: number, to: number) => from + Math.floor(next() * (to - from + 1)),
    pick: <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)]!,
    happens: (probability: number) => next() < probability,
  };
}

export type Random = ReturnType<typeof createRandom>;
