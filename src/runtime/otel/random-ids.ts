import { randomFillSync } from "node:crypto";

const POOL = Buffer.allocUnsafe(4096);
let used = POOL.length;

/** Random hexadecimal digits. Taken from a pool: asking for a few bytes at a time costs more than the rest of a span. */
function randomHex(bytes: number): string {
  if (used + bytes > POOL.length) {
    randomFillSync(POOL);
    used = 0;
  }
  used += bytes;
  return POOL.toString("hex", used - bytes, used);
}

export const newTraceId = (): string => randomHex(16);
export const newSpanId = (): string => randomHex(8);
