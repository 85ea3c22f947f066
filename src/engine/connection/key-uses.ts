import type { Store } from "../../contracts/store.ts";
import type { Telemetry } from "../../contracts/telemetry.ts";

const WRITE_INTERVAL_MS = 30_000;

/** Notes when keys were last used, and writes that now and then: a call never waits for it. */
export function createKeyUses(store: Pick<Store, "keys">, { warn }: Pick<Telemetry, "warn">) {
  let uses = new Map<string, number>();

  async function write(): Promise<void> {
    if (uses.size === 0) return;
    const written = uses;
    uses = new Map();
    try {
      await store.keys.used([...written].map(([id, at]) => ({ id, at: new Date(at).toISOString() })));
    } catch (error) {
      warn("could not note when API keys were used", { err: error });
      for (const [id, at] of written) if (!uses.has(id)) uses.set(id, at);
    }
  }

  const timer = setInterval(() => void write(), WRITE_INTERVAL_MS);
  timer.unref();
  return {
    add: (id: string, at: number): void => void uses.set(id, at),
    async close(): Promise<void> {
      clearInterval(timer);
      await write();
    },
  };
}
