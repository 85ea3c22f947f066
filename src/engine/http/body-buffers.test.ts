import { randomBytes, randomInt } from "node:crypto";
import { expect, it } from "vitest";
import { BodyBuffer } from "./body-buffers.ts";

/** Cuts a body as a socket might. */
function* pieces(whole: Buffer): Generator<Buffer> {
  for (let start = 0; start < whole.length; ) {
    const end = Math.min(whole.length, start + randomInt(1, 70_000));
    yield whole.subarray(start, end);
    start = end;
  }
}

it("is the same bytes however it comes, whatever it says of its length, and in room that was used before", () => {
  const open: { body: BodyBuffer; whole: Buffer; rest: Iterator<Buffer>; expected: number }[] = [];
  for (let round = 0; round < 300; round++) {
    const whole = randomBytes([0, 1, 1000, 65_536, 65_537, 300_000][round % 6]! + (round % 5));
    // Told rightly, not at all, too short and too long.
    const expected = [whole.length, 0, whole.length >> 1, whole.length * 2][round % 4]!;
    open.push({ body: new BodyBuffer(), whole, rest: pieces(whole), expected });
    // Some are under way at the same time, and end in another order than they began.
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

it("leaves bytes alone that nobody has let go", () => {
  const [kept, next] = [new BodyBuffer(), new BodyBuffer()];
  const first = Buffer.alloc(200_000, "a");
  for (const piece of pieces(first)) kept.add(piece, first.length + 1);
  for (const piece of pieces(Buffer.alloc(200_000, "b"))) next.add(piece, 200_001);
  next.release();
  const third = new BodyBuffer();
  for (const piece of pieces(Buffer.alloc(200_000, "c"))) third.add(piece, 200_001);
  expect(kept.bytes.equals(first)).toBe(true);
});

it("is empty where nothing came", () => {
  expect(new BodyBuffer().bytes).toHaveLength(0);
});
