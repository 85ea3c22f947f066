import type { Redis } from "ioredis";

interface SubscriptionOptions {
  channel: string;
  onMessage(message: string): void;
  /** Messages arrive from now on; those sent before were missed. */
  onBegin(): void;
}

/** A connection can break without a word: then nothing answers this. */
const HEARTBEAT_EVERY_MS = 5000;

/** Listens to a channel and begins again after every break. `redis` must be used for nothing else. */
export function createSubscription(redis: Redis, { channel, onMessage, onBegin }: SubscriptionOptions) {
  let standing = false;

  const reconnect = () => {
    if (redis.status === "ready") redis.disconnect(true);
  };

  async function begin(): Promise<void> {
    if (standing || redis.status !== "ready") return;
    try {
      await redis.subscribe(channel);
    } catch {
      return reconnect();
    }
    if (standing) return;
    standing = true;
    onBegin();
  }

  redis.on("message", (_, message) => onMessage(message));
  redis.on("ready", begin);
  redis.on("close", () => {
    standing = false;
  });
  // The connection for commands meets the same and tells of it.
  redis.on("error", () => {});
  const heartbeat = setInterval(() => {
    if (standing) redis.ping().catch(reconnect);
  }, HEARTBEAT_EVERY_MS);
  heartbeat.unref();

  return {
    begin,
    get standing() {
      return standing;
    },
    close: () => clearInterval(heartbeat),
  };
}
