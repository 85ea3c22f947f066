import { isStoreUnavailable } from "../../contracts/fault.ts";
import { Cancellation } from "../http/cancellation.ts";
import { pause } from "../http/retry.ts";

export interface CacheOptions<Value> {
  /** How many entries are kept; the one unused for longest goes first. */
  size: number;
  /** How long an entry is trusted, in milliseconds. Asked at each use: it is shorter while no changes are heard of. */
  life(): number;
  load(id: string): Promise<Value | undefined>;
}

/** For how long an entry that cannot be checked is used all the same while the store does not answer. */
export const STALE_WHILE_STORE_IS_AWAY_MS = 5 * 60_000;
/** How long a call that could go on with such an entry waits for the store before it does. */
const PATIENCE_MS = 1000;
/** How often a store that was found away is asked again. */
const ASK_AGAIN_EVERY_MS = 1000;

interface Entry<Value> {
  value: Value;
  loadedAt: number;
}

/** Keeps loaded values, loads each at most once at a time, and forgets on demand. */
export interface Cache<Value> {
  /** The value at once where it is warm, so that a warm call waits for nothing. */
  get(id: string): Value | Promise<Value | undefined>;
  /** The value as it is stored now. What was kept before stays until the store has answered. */
  reload(id: string): Promise<Value | undefined>;
  forget(id: string): void;
  clear(): void;
}

export function createCache<Value>(options: CacheOptions<Value>): Cache<Value> {
  const entries = new Map<string, Entry<Value>>();
  const loading = new Map<string, Promise<Value | undefined>>();
  /** Since the store last failed to answer: when to ask it again. Undefined while it answers. */
  let askAgainAt: number | undefined;

  function keep(id: string, value: Value) {
    entries.delete(id);
    entries.set(id, { value, loadedAt: Date.now() });
    if (entries.size > options.size) entries.delete(entries.keys().next().value!);
  }

  function foundAway() {
    askAgainAt = Date.now() + ASK_AGAIN_EVERY_MS;
  }

  function load(id: string): Promise<Value | undefined> {
    const running = loading.get(id);
    if (running) return running;
    const promise = options
      .load(id)
      .then((value) => {
        askAgainAt = undefined;
        // A change that came while this was loading took the promise out of `loading`: what was read may be old.
        if (loading.get(id) === promise) {
          if (value === undefined) entries.delete(id);
          else keep(id, value);
        }
        return value;
      })
      .catch((error: unknown) => {
        if (isStoreUnavailable(error)) foundAway();
        throw error;
      })
      .finally(() => {
        if (loading.get(id) === promise) loading.delete(id);
      });
    loading.set(id, promise);
    return promise;
  }

  /** Waits for the store a little, and no longer than it takes to find out that it is away. */
  async function loadOrGoOn(id: string, entry: Entry<Value>): Promise<Value | undefined> {
    const loaded = load(id);
    const decided = new Cancellation();
    try {
      const settled = loaded.then((value) => ({ value }));
      const first = await Promise.race([settled, pause(PATIENCE_MS, decided)]);
      if (first) return first.value;
      foundAway();
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error;
    } finally {
      decided.cancel();
    }
    // Forgotten meanwhile: then it is known to be no longer true.
    return entries.get(id) === entry ? entry.value : loaded;
  }

  return {
    get(id) {
      const entry = entries.get(id);
      if (!entry) return load(id);
      const now = Date.now();
      const age = now - entry.loadedAt;
      if (age < options.life()) {
        // The oldest entry is the first of the map: a used one moves to the end.
        if (entries.size >= options.size) {
          entries.delete(id);
          entries.set(id, entry);
        }
        return entry.value;
      }
      if (age >= STALE_WHILE_STORE_IS_AWAY_MS) return load(id);
      if (askAgainAt === undefined) return loadOrGoOn(id, entry);
      if (now >= askAgainAt) {
        foundAway();
        load(id).catch(() => {});
      }
      return entry.value;
    },

    reload(id) {
      loading.delete(id);
      return load(id);
    },

    forget(id) {
      entries.delete(id);
      loading.delete(id);
    },

    clear() {
      entries.clear();
      loading.clear();
    },
  };
}
