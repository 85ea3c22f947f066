import { randomBytes, randomInt } from "node:crypto";
import { expect, it } from "vitest";
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
