/**
 * Returns a function that runs work at the end of this turn of the event loop, together with what else has come until
 * then. If many calls are served at once, each step of them is taken for several in a row, and the processor still has the
 * code for it in its caches.
 */
export function createTurnQueue(): (work: () => void) => void {
  let waiting: (() => void)[] = [];
  function run(): void {
    const due = waiting;
    waiting = [];
    for (const work of due) work();
  }
  return (work) => {
    if (waiting.length === 0) setImmediate(run);
    waiting.push(work);
  };
}
