import { randomBytes, randomInt } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { BodyBuffer } from "./body-buffers.ts";

/** Splits a body as a socket might. */
function* pieces(whole: Buffer): Generator<Buffer> {
  for (let start = 0; start < whole.length; ) {
    const end = Math.min(whole.length, start + randomInt(1, 70_000));
    yield whole.subarray(start, end);
    start = end;
  }
}

it("a body buffer returns the bytes it was given, whatever their chunks and announced length", () => {
  const open: { body: BodyBuffer; whole: Buffer; rest: Iterator<Buffer>; expected: number }[] = [];
  for (let round = 0; round < 300; round++) {
    const whole = randomBytes([0, 1, 1000, 65_536, 65_537, 300_000][round % 6]! + (round % 5));
    // Announced correctly, not at all, too short and too long.
    const expected = [whole.length, 0, whole.length >> 1, whole.length * 2][round % 4]!;
    open.push({ body: new BodyBuffer(), whole, rest: pieces(whole), expected });
    // Several bodies arrive at the same time, and end in a different order than they began.
    for (let steps = 0; steps < 12; steps++) {
      const at = randomInt(open.length);
      const { body, rest, expected } = open[at]!;
      const { value, done } = rest.next();
      if (!done) {
        body.add(value, expected);
        continue;
      }
      const [{ whole }] = open.splice(at, 1) as [(typeof open)[number]];
      expect(body.size).toBe(whole.length);
      expect(body.bytes.equals(whole)).toBe(true);
      body.release();
      if (open.length === 0) break;
    }
  }
});

it("a body buffer that was not released is not overwritten by others", () => {
  const [kept, next] = [new BodyBuffer(), new BodyBuffer()];
  const first = Buffer.alloc(200_000, "a");
  for (const piece of pieces(first)) kept.add(piece, first.length + 1);
  for (const piece of pieces(Buffer.alloc(200_000, "b"))) next.add(piece, 200_001);
  next.release();
  const third = new BodyBuffer();
  for (const piece of pieces(Buffer.alloc(200_000, "c"))) third.add(piece, 200_001);
  expect(kept.bytes.equals(first)).toBe(true);
});

it("a body buffer without chunks is empty", () => {
  expect(new BodyBuffer().bytes).toHaveLength(0);
});

describe("memory of body buffers", () => {
  const STEP = 64 * 1024;
  let Fresh: typeof BodyBuffer;
  beforeEach(async () => {
    vi.useFakeTimers();
    // With a pool of its own.
    vi.resetModules();
    ({ BodyBuffer: Fresh } = await import("./body-buffers.ts"));
  });
  afterEach(() => vi.useRealTimers());

  /** A body of two chunks, which needs a buffer. */
  function filled(size: number): BodyBuffer {
    const body = new Fresh();
    body.add(Buffer.alloc(1), size);
    body.add(Buffer.alloc(size - 1), size);
    return body;
  }
  const memoryOf = (body: BodyBuffer) => body.bytes.buffer;

  it("memory is used again for a body of about the same size, until it was not needed for ten seconds", () => {
    const first = filled(9 * STEP);
    const memory = memoryOf(first);
    first.release();
    expect(memoryOf(filled(8 * STEP + 1))).toBe(memory);
    const second = filled(9 * STEP);
    const other = memoryOf(second);
    second.release();
    vi.advanceTimersByTime(25_000);
    expect(memoryOf(filled(9 * STEP))).not.toBe(other);
    // And from then on again.
    const third = filled(9 * STEP);
    const again = memoryOf(third);
    third.release();
    const fourth = filled(9 * STEP);
    expect(memoryOf(fourth)).toBe(again);
    fourth.release();
    vi.advanceTimersByTime(25_000);
    expect(memoryOf(filled(9 * STEP))).not.toBe(again);
  });

  it("no more than 24 MB are kept", () => {
    const size = 11 * 16 * STEP;
    const bodies = [filled(size), filled(size), filled(size)];
    const memories = bodies.map(memoryOf);
    for (const body of bodies) body.release();
    const reused = [filled(size), filled(size), filled(size)].filter((body) => memories.includes(memoryOf(body)));
    expect(reused).toHaveLength(2);
  });

  it("a body of unknown length doubles its memory, and one that announces too much gets a megabyte at first", () => {
    const body = new Fresh();
    const sizes: number[] = [];
    for (let count = 0; count < 20; count++) {
      body.add(Buffer.alloc(STEP), 0);
      if (count > 0) sizes.push(memoryOf(body).byteLength / STEP);
    }
    expect([...new Set(sizes)]).toEqual([2, 4, 8, 16, 32]);
    const greedy = new Fresh();
    greedy.add(Buffer.alloc(1), 1024 * STEP);
    expect(memoryOf(greedy).byteLength).toBe(16 * STEP);
  });
});
