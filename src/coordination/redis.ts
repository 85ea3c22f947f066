import { randomUUID } from "node:crypto";
import type { RedisOptions } from "ioredis";
import type { Coordination, Topic } from "../contracts/coordination.ts";
import type { Store } from "../contracts/store.ts";
import { CACHE_TTL_WITH_INVALIDATION_MS, CACHE_TTL_WITHOUT_INVALIDATION_MS } from "./memory.ts";
import { memoryLimits } from "./memory-limits.ts";
import { createBreaker, type Log } from "./redis-breaker.ts";
import { redisLimits } from "./redis-limits.ts";
import { createSubscription } from "./redis-subscription.ts";
import { storeLocks } from "./store-locks.ts";

const connectionOptions: RedisOptions = {
  lazyConnect: true,
  connectTimeout: 2000,
  // What Redis is asked for must not hold a request up: slower than this counts as gone.
  commandTimeout: 1000,
  // A command fails at once while there is no connection, and none is sent twice, since it may have been carried out.
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  retryStrategy: (times) => Math.min(25 * 2 ** times, 1000),
  // A primary that was demoted refuses to write: the address leads to the new one.
  reconnectOnError: (error) => error.message.startsWith("READONLY"),
  // The subscription is renewed by hand, to know when it stands.
  autoResubscribe: false,
};

/** Deletes a lock only where it is still its owner's. */
const RELEASE = `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`;

export interface RedisCoordinationOptions {
  url: string;
  /** Begins the name of everything that is kept in Redis. */
  prefix: string;
  store: Pick<Store, "locks">;
  log: Log;
}

/** For any number of processes. Where Redis does not answer, each goes on by itself, with locks in the store. */
export async function createRedisCoordination(options: RedisCoordinationOptions): Promise<Coordination> {
  const { url, prefix, store, log } = options;
  // Loaded here, so that it costs nothing where there is no Redis.
  const { Redis } = await import("ioredis");
  const redis = new Redis(url, connectionOptions);
  const listening = redis.duplicate();

  const self = randomUUID();
  const channel = `${prefix}invalidate`;
  const listeners: ((topic: Topic, id: string) => void)[] = [];
  /** Something changed, and the others could not be told. */
  let untold = false;

  const tell = (topic: Topic, id: string) => {
    for (const listener of listeners) listener(topic, id);
  };

  const breaker = createBreaker(redis, {
    probeKey: `${prefix}probe`,
    log,
    onAnswering() {
      if (!untold) return;
      untold = false;
      void publish("all", "*");
    },
  });

  const subscription = createSubscription(listening, {
    channel,
    onMessage(message) {
      const [from, topic = "", id = ""] = message.split(" ");
      if (from !== self) tell(topic as Topic, id);
    },
    onBegin: () => tell("all", "*"),
  });

  async function publish(topic: Topic, id: string): Promise<void> {
    await breaker.ask<unknown>(
      () => redis.publish(channel, `${self} ${topic} ${id}`),
      async () => {
        untold = true;
      },
    );
  }

  const countShared = redisLimits(redis, prefix);
  const countAlone = memoryLimits();
  const lockInStore = storeLocks(store);

  await Promise.allSettled([redis.connect(), listening.connect()]);
  await Promise.all([breaker.probe(), subscription.begin()]);

  return {
    consume: (key, limit) =>
      breaker.ask(
        () => countShared(key, limit),
        () => countAlone(key, limit),
      ),

    /**
     * Redis keeps those who wait away from the store. The store's lock is taken as well, always: Redis forgets its
     * locks when it restarts or fails over, and some processes may reach it while others do not.
     */
    async lock(key, ttlMs) {
      const name = `${prefix}lock:${key}`;
      const owner = randomUUID();
      const free = await breaker.ask(
        async () => (await redis.set(name, owner, "PX", Math.ceil(ttlMs), "NX")) === "OK",
        async () => true,
      );
      if (!free) return undefined;
      const release = () =>
        breaker.ask<unknown>(
          () => redis.eval(RELEASE, 1, name, owner),
          async () => undefined,
        );
      let held: Awaited<ReturnType<Coordination["lock"]>>;
      try {
        held = await lockInStore(key, ttlMs);
      } finally {
        if (!held) await release();
      }
      return held && { release: () => held.release().finally(release) };
    },

    async invalidate(topic, id) {
      tell(topic, id);
      await publish(topic, id);
    },

    onInvalidate(listener) {
      listeners.push(listener);
    },

    get cacheTtlMs() {
      return subscription.standing && breaker.answering
        ? CACHE_TTL_WITH_INVALIDATION_MS
        : CACHE_TTL_WITHOUT_INVALIDATION_MS;
    },

    sharing: {
      get works() {
        return subscription.standing && breaker.answering;
      },
      get outages() {
        return breaker.outages;
      },
    },

    async ping() {
      await redis.ping();
    },

    async close() {
      breaker.close();
      subscription.close();
      redis.disconnect();
      listening.disconnect();
    },
  };
}
