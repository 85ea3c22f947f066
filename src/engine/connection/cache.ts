import { isStoreUnavailable } from "../../contracts/fault.ts";
import { Cancellation } from "../http/cancellation.ts";
import { sleep } from "../http/retry.ts";

export interface CacheOptions<Value> {
  /** How many entries are kept; the least recently used one is dropped first. */
  size: number;
  /** How long an entry is valid. Read at each use: it is shorter while invalidations do not arrive. */
  ttlMs(): number;
  load(id: string): Promise<Value | undefined>;
}

/** How old an entry may be that is still used while the store is unavailable. */
export const MAX_STALE_MS = 5 * 60_000;
/** How long a call waits for the store before it uses a stale entry. */
const MAX_WAIT_FOR_STORE_MS = 1000;
/** How often an unavailable store is tried again. */
const STORE_RETRY_INTERVAL_MS = 1000;

interface Entry<Value> {
  value: Value;
  loadedAt: number;
}

/** Keeps loaded values, loads each at most once at a time, and forgets them on demand. */
export interface Cache<Value> {
  /** The value; without a promise if it is cached. */
  get(id: string): Value | Promise<Value | undefined>;
  /** The value as it is stored now. The cached one is kept until the store has responded. */
  reload(id: string): Promise<Value | undefined>;
  forget(id: string): void;
  clear(): void;
}

export function createCache<Value>(options: CacheOptions<Value>): Cache<Value> {
  const entries = new Map<string, Entry<Value>>();
  const loading = new Map<string, Promise<Value | undefined>>();
  /** When to try the store again; undefined while it is available. */
  let storeRetryAt: number | undefined;

  function keep(id: string, value: Value) {
    entries.delete(id);
    entries.set(id, { value, loadedAt: Date.now() });
    if (entries.size > options.size) entries.delete(entries.keys().next().value!);
  }

  function markUnavailable() {
    storeRetryAt = Date.now() + STORE_RETRY_INTERVAL_MS;
  }

  function load(id: string): Promise<Value | undefined> {
    const running = loading.get(id);
    if (running) return running;
    const promise = options
      .load(id)
      .then((value) => {
        storeRetryAt = undefined;
        // If it was forgotten meanwhile, the promise is no longer in `loading`, and the value may be outdated.
        if (loading.get(id) === promise) {
          if (value === undefined) entries.delete(id);
          else keep(id, value);
        }
        return value;
      })
      .catch((error: unknown) => {
        if (isStoreUnavailable(error)) markUnavailable();
        throw error;
      })
      .finally(() => {
        if (loading.get(id) === promise) loading.delete(id);
      });
    loading.set(id, promise);
    return promise;
  }

  /** Waits briefly for the store, then returns the stale entry. */
  async function loadOrUseStale(id: string, entry: Entry<Value>): Promise<Value | undefined> {
    const loaded = load(id);
    const decided = new Cancellation();
    try {
      const settled = loaded.then((value) => ({ value }));
      const first = await Promise.race([settled, sleep(MAX_WAIT_FOR_STORE_MS, decided)]);
      if (first) return first.value;
      markUnavailable();
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error;
    } finally {
      decided.cancel();
    }
    // An entry that was forgotten meanwhile is outdated and must not be used.
    return entries.get(id) === entry ? entry.value : loaded;
  }

  return {
    get(id) {
      const entry = entries.get(id);
      if (!entry) return load(id);
      const now = Date.now();
      const age = now - entry.loadedAt;
      if (age < options.ttlMs()) {
        // The first entry of the map is dropped first, so one that is used moves to the end.
        if (entries.size >= options.size) {
          entries.delete(id);
          entries.set(id, entry);
        }
        return entry.value;
      }
      if (age >= MAX_STALE_MS) return load(id);
      if (storeRetryAt === undefined) return loadOrUseStale(id, entry);
      if (now >= storeRetryAt) {
        markUnavailable();
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
