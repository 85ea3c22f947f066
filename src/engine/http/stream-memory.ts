import { collectGarbage } from "../../runtime/v8.ts";

/** Most bytes that may pass between two collections. */
const BYTES_BETWEEN = 16 * 1024 * 1024;

let passed = 0;

/**
 * Counts bytes that are passed on and not kept. V8 lets buffers that nobody holds any more gather until they are some
 * 80 MB, since it sees how small their heads are; a look at its young objects now and then, of a millisecond or two,
 * keeps a stream of any size in a few megabytes.
 */
export function countPassed(bytes: number): void {
  passed += bytes;
  if (passed < BYTES_BETWEEN) return;
  passed = 0;
  collectGarbage({ type: "minor" });
}
