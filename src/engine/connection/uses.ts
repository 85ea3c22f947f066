import type { Telemetry } from "../../contracts/telemetry.ts";

const WRITE_INTERVAL_MS = 30_000;

type Write = (uses: { id: string; at: string }[]) => Promise<void>;

/** Notes when keys or grants were last used, and writes that now and then: a call never waits for it. */
export function createUses(what: string, write: Write, { warn }: Pick<Telemetry, "warn">) {
  let uses = new Map<string, number>();

  async function flush(): Promise<void> {
    if (uses.size === 0) return;
    const written = uses;
    uses = new Map();
    try {
      // In one order: processes that write the same rows at the same time would wait for each other.
      const inOrder = [...written].sort(([one], [other]) => (one < other ? -1 : 1));
      await write(inOrder.map(([id, at]) => ({ id, at: new Date(at).toISOString() })));
    } catch (error) {
      warn(`could not note when ${what} were used`, { err: error });
      for (const [id, at] of written) if (!uses.has(id)) uses.set(id, at);
    }
  }

  const timer = setInterval(() => void flush(), WRITE_INTERVAL_MS);
  timer.unref();
  return {
    add: (id: string, at: number): void => void uses.set(id, at),
    async close(): Promise<void> {
      clearInterval(timer);
      await flush();
    },
  };
}
