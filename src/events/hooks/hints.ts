import type { Hint, HookStore } from "../../contracts/hooks.ts";

/** Writes hints. Those that arrive while others are being written share the next write. */
export function createHintWriter(store: HookStore, written: () => void) {
  let waiting = new Map<string, Hint>();
  let next: Promise<void> | undefined;
  let writing: Promise<void> = Promise.resolve();

  function merge(hint: Hint): void {
    const { operations, deletes } = waiting.get(hint.hookId) ?? { operations: [], deletes: [] };
    waiting.set(hint.hookId, {
      hookId: hint.hookId,
      operations: operations && hint.operations && [...new Set([...operations, ...hint.operations])],
      deletes: [...new Set([...deletes, ...hint.deletes])],
    });
  }

  async function flush(before: Promise<void>): Promise<void> {
    await before.catch(() => {});
    next = undefined;
    // In one order, so that two processes never wait for each other's rows.
    const hints = [...waiting.values()].sort((one, other) => (one.hookId < other.hookId ? -1 : 1));
    waiting = new Map();
    await store.hooks.hint(hints);
    written();
  }

  /** Returns when the hints are stored. */
  return (hints: readonly Hint[]): Promise<void> => {
    if (hints.length === 0) return Promise.resolve();
    for (const hint of hints) merge(hint);
    next ??= writing = flush(writing);
    return next;
  };
}

export type HintWriter = ReturnType<typeof createHintWriter>;
