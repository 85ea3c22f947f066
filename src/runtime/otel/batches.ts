import type { BatchSettings } from "../../contracts/telemetry.ts";

interface BatchesOptions<Item> extends BatchSettings {
  /** Sends a batch. It does not throw. */
  send(items: Item[]): Promise<void>;
  dropped(count: number): void;
}

/** Collects what is sent together. If it cannot be sent as fast as it comes, the rest is dropped and counted. */
export function createBatches<Item>({ delayMs, maxQueue, maxBatch, send, dropped }: BatchesOptions<Item>) {
  const queue: Item[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;

  async function sendAll(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.splice(0, maxBatch);
      await send(batch);
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    sending ??= sendAll().finally(() => {
      sending = undefined;
    });
    return sending;
  }

  return {
    add(item: Item): void {
      if (queue.length >= maxQueue) {
        dropped(1);
        return;
      }
      queue.push(item);
      if (sending) return;
      if (queue.length >= maxBatch) void flush();
      else if (!timer) timer = setTimeout(flush, delayMs).unref();
    },
    /** Sends what is there. */
    async flush(): Promise<void> {
      await sending;
      await flush();
    },
  };
}
