import type { Redis } from "ioredis";

interface ChannelOptions {
  channel: string;
  onMessage(message: string): void;
  /** The subscription is active from now on; earlier messages were missed. */
  onStart(): void;
}

/** A connection can be lost without being closed; then this ping gets no reply. */
const HEARTBEAT_EVERY_MS = 5000;

/** Subscribes to a channel, and again after every reconnect. `redis` must not be used for anything else. */
export function subscribeToChannel(redis: Redis, { channel, onMessage, onStart }: ChannelOptions) {
  let active = false;

  const reconnect = () => {
    if (redis.status === "ready") redis.disconnect(true);
  };

  async function start(): Promise<void> {
    if (active) return;
    try {
      await redis.subscribe(channel);
    } catch {
      return reconnect();
    }
    active = true;
    onStart();
  }

  redis.on("message", (_, message) => onMessage(message));
  redis.on("ready", start);
  redis.on("close", () => {
    active = false;
  });
  // The connection for commands sees the same errors and logs them.
  redis.on("error", () => {});
  const heartbeat = setInterval(() => {
    if (active) redis.ping().catch(reconnect);
  }, HEARTBEAT_EVERY_MS);
  heartbeat.unref();

  return {
    start,
    get active() {
      return active;
    },
    close: () => clearInterval(heartbeat),
  };
}
