import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Redis, RedisOptions } from "ioredis";
import type { Coordination, Lock, Topic } from "../contracts/coordination.ts";
import type { Store } from "../contracts/store.ts";
import type { BasicLogger } from "../contracts/telemetry.ts";
import { CACHE_TTL_WITH_INVALIDATION_MS, CACHE_TTL_WITHOUT_INVALIDATION_MS } from "./memory.ts";
import { memoryLimits } from "./memory-limits.ts";
import { readSentinels } from "./redis-address.ts";
import { createBreaker } from "./redis-breaker.ts";
import { subscribeToChannel } from "./redis-channel.ts";
import { redisLimits } from "./redis-limits.ts";
import { storeLocks } from "./store-locks.ts";

const connectionOptions: RedisOptions = {
  lazyConnect: true,
  connectTimeout: 2000,
  // Redis must not delay requests: a slower reply counts as an outage.
  commandTimeout: 1000,
  sentinelCommandTimeout: 1000,
  // Without a connection a command fails immediately. None is sent twice, because it may have been executed.
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  // ioredis does not handle the failure of its own SUBSCRIBE, which would end the process; redis-channel.ts subscribes.
  autoResubscribe: false,
  maxRetriesPerRequest: 0,
  retryStrategy: (times) => Math.min(25 * 2 ** times, 1000),
  sentinelRetryStrategy: (times) => Math.min(25 * 2 ** times, 1000),
  // A demoted primary refuses writes. A new connection to the same address reaches the new primary.
  reconnectOnError: (error) => error.message.startsWith("READONLY"),
};

/** How long the start waits. With Sentinels that are unavailable, ioredis would try again for ever. */
const START_WAIT_MS = 3_000;
const startWait = () => sleep(START_WAIT_MS, undefined, { ref: false });

/** Deletes a lock only if it still belongs to its owner. */
const RELEASE = `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`;

/** Calls are counted by one command for many keys, which a cluster has on several servers. */
async function refuseCluster(redis: Redis): Promise<void> {
  // On a connection of its own: the other one is closed when it does not work.
  const asking = redis.duplicate();
  asking.on("error", () => {});
  // If it is unavailable, or does not say, it is used as far as it works.
  const asked = asking
    .connect()
    .then(() => asking.info("cluster"))
    .catch(() => undefined);
  const info = await Promise.race([asked, startWait()]);
  asking.disconnect();
  if (info && /^cluster_enabled:1/m.test(info))
    throw new Error(
      "REDIS_URL: Redis Cluster is not supported; use one server, or one with replicas and Sentinel (redis+sentinel://)",
    );
}

export interface RedisCoordinationOptions {
  url: string;
  /** Prefix of all keys and channels in Redis. */
  prefix: string;
  store: Pick<Store, "locks">;
  log: BasicLogger;
}

/** For any number of processes. While Redis is unavailable, each works on its own, with locks in the store. */
export async function createRedisCoordination(options: RedisCoordinationOptions): Promise<Coordination> {
  const { url, prefix, store, log } = options;
  // Loaded here, so that it costs nothing without Redis.
  const { Redis: Client } = await import("ioredis");
  const sentinels = readSentinels(url);
  const redis = sentinels ? new Client({ ...connectionOptions, ...sentinels }) : new Client(url, connectionOptions);
  const subscriber = redis.duplicate();

  const self = randomUUID();
  const channel = `${prefix}invalidate`;
  const listeners: ((topic: Topic, id: string) => void)[] = [];
  /** An invalidation could not be published, so the other processes missed it. */
  let unpublished = false;

  const notifyListeners = (topic: Topic, id: string) => {
    for (const listener of listeners) listener(topic, id);
  };

  const breaker = createBreaker(redis, {
    probeKey: `${prefix}probe`,
    log,
    onAvailable() {
      if (!unpublished) return;
      unpublished = false;
      void publish("all", "*");
    },
  });

  const subscription = subscribeToChannel(subscriber, {
    channel,
    onMessage(message) {
      const [from, topic = "", id = ""] = message.split(" ");
      if (from !== self) notifyListeners(topic as Topic, id);
    },
    onStart: () => notifyListeners("all", "*"),
  });

  async function publish(topic: Topic, id: string): Promise<void> {
    await breaker.run<unknown>(
      () => redis.publish(channel, `${self} ${topic} ${id}`),
      async () => {
        unpublished = true;
      },
    );
  }

  function close(): void {
    breaker.close();
    subscription.close();
    redis.disconnect();
    subscriber.disconnect();
  }

  const consumeShared = redisLimits(redis, prefix);
  const consumeInProcess = memoryLimits();
  const lockInStore = storeLocks(store);

  const refusal = refuseCluster(redis);
  const connected = Promise.allSettled([redis.connect(), subscriber.connect(), refusal]);
  await Promise.race([connected, startWait()]);
  await refusal.catch((error: unknown) => {
    close();
    throw error;
  });
  await Promise.all([breaker.probe(), subscription.start()]);

  return {
    consume: (key, limit) =>
      breaker.run(
        () => consumeShared(key, limit),
        () => consumeInProcess(key, limit),
      ),

    /**
     * The lock in Redis keeps waiting processes from polling the store. The store's lock is always taken as well: Redis
     * loses its locks when it restarts or fails over, and some processes may reach it while others do not.
     */
    async lock(key, ttlMs) {
      const name = `${prefix}lock:${key}`;
      const owner = randomUUID();
      const free = await breaker.run(
        async () => (await redis.set(name, owner, "PX", Math.ceil(ttlMs), "NX")) === "OK",
        async () => true,
      );
      if (!free) return undefined;
      const releaseInRedis = () =>
        breaker.run<unknown>(
          () => redis.eval(RELEASE, 1, name, owner),
          async () => undefined,
        );
      let storeLock: Lock | undefined;
      try {
        storeLock = await lockInStore(key, ttlMs);
      } finally {
        if (!storeLock) await releaseInRedis();
      }
      return storeLock && { release: () => storeLock.release().finally(releaseInRedis) };
    },

    async invalidate(topic, id) {
      notifyListeners(topic, id);
      await publish(topic, id);
    },

    onInvalidate(listener) {
      listeners.push(listener);
    },

    get cacheTtlMs() {
      return subscription.active && breaker.available
        ? CACHE_TTL_WITH_INVALIDATION_MS
        : CACHE_TTL_WITHOUT_INVALIDATION_MS;
    },

    sharing: {
      get works() {
        return subscription.active && breaker.available;
      },
      get outages() {
        return breaker.outages;
      },
    },

    async ping() {
      await redis.ping();
    },

    close: async () => close(),
  };
}
