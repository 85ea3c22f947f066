import { createHook } from "node:async_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

interface Collection {
  type: "major" | "minor";
  execution?: "sync";
  flavor?: "last-resort";
}

let collect: ((collection: Collection) => void) | undefined;

/** Has V8 collect garbage now. Node hands its way to do so to new contexts alone once it runs. */
export function collectGarbage(collection: Collection): void {
  if (!collect) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as NonNullable<typeof collect>;
  }
  collect(collection);
}

/**
 * Loading all the modules leaves some 20 MB of heap pages that V8 would keep for good. One thorough collection before
 * the first request gives them back.
 */
export const releaseStartupMemory = (): void =>
  collectGarbage({ type: "major", execution: "sync", flavor: "last-resort" });

let kept: object | undefined;

/**
 * Keeps `process.nextTick` fast. What it queues are objects of a shape that V8 forgets when it collects all garbage at
 * a moment at which none is queued; every tick takes five times as long from then on, which is 8 µs for each request.
 * One such object that stays keeps the shape.
 */
export function keepTicksFast(): void {
  const hook = createHook({
    init(_, type, __, resource) {
      if (type === "TickObject") kept = resource;
    },
    trackPromises: false,
  });
  hook.enable();
  process.nextTick(() => kept);
  hook.disable();
}
