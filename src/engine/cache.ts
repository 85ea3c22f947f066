import { Fault } from "../contracts/fault.ts";

export interface CacheOptions<Value> {
  /** How many entries are kept; the one unused for longest goes first. */
  size: number;
  /** How long an entry is trusted, in milliseconds. Asked at each use: it is shorter while no changes are heard of. */
  life(): number;
  load(id: string): Promise<Value | undefined>;
}

/** For how long an entry that cannot be checked is used all the same while the store does not answer. */
export const STALE_WHILE_STORE_IS_AWAY_MS = 5 * 60_000;

interface Entry<Value> {
  value: Value;
  loadedAt: number;
}

/** Keeps loaded values, loads each at most once at a time, and forgets on demand. */
export interface Cache<Value> {
  /** The value at once where it is warm, so that a warm call waits for nothing. */
  get(id: string): Value | Promise<Value | undefined>;
  forget(id: string): void;
  clear(): void;
}

export function createCache<Value>(options: CacheOptions<Value>): Cache<Value> {
  const entries = new Map<string, Entry<Value>>();
  const loading = new Map<string, Promise<Value | undefined>>();

  function keep(id: string, value: Value) {
    entries.delete(id);
    entries.set(id, { value, loadedAt: Date.now() });
    if (entries.size > options.size) entries.delete(entries.keys().next().value!);
  }

  function load(id: string, stale: Entry<Value> | undefined): Promise<Value | undefined> {
    const running = loading.get(id);
    if (running) return running;
    const promise = options
      .load(id)
      .then((value) => {
        // A change that came while this was loading took the promise out of `loading`: what was read may be old.
        if (loading.get(id) === promise) {
          if (value === undefined) entries.delete(id);
          else keep(id, value);
        }
        return value;
      })
      .catch((error: unknown) => {
        const away = error instanceof Fault && error.kind === "store_unavailable";
        if (away && stale && Date.now() - stale.loadedAt < STALE_WHILE_STORE_IS_AWAY_MS) return stale.value;
        throw error;
      })
      .finally(() => {
        if (loading.get(id) === promise) loading.delete(id);
      });
    loading.set(id, promise);
    return promise;
  }

  return {
    get(id) {
      const entry = entries.get(id);
      if (entry && Date.now() - entry.loadedAt < options.life()) {
        // The oldest entry is the first of the map: a used one moves to the end.
        if (entries.size >= options.size) {
          entries.delete(id);
          entries.set(id, entry);
        }
        return entry.value;
      }
      return load(id, entry);
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
