import { BoundedMap } from "../../runtime/bounded-map.ts";

/** Past this many refreshes in a minute that did not help, no more are tried. */
const MAX_PER_MINUTE = 10;
const MINUTE_MS = 60_000;
const MAX_CONNECTIONS = 10_000;

interface Entry {
  /** The token that was refused right after its refresh; undefined once the provider accepted it. */
  token: string | undefined;
  at: number[];
}

/**
 * Remembers refreshes that did not help. Some providers answer 401 to what a user is not allowed to do: refreshing the
 * token at each of these answers would be a storm of refreshes.
 */
export function createRefreshLoopGuard(now: () => number = Date.now) {
  const entries = new BoundedMap<Entry>(MAX_CONNECTIONS, MINUTE_MS, now);
  const recent = (at: number[]) => at.filter((time) => now() - time < MINUTE_MS);

  return {
    add(connectionId: string, token: string | undefined): void {
      const { at = [] } = entries.get(connectionId) ?? {};
      entries.set(connectionId, { token, at: [...at, now()].slice(-MAX_PER_MINUTE) });
    },

    /** The token is valid: that it was refused before says nothing about the next refusal. */
    reset(connectionId: string): void {
      if (entries.size === 0) return;
      const entry = entries.get(connectionId);
      if (entry) entry.token = undefined;
    },

    /** Whether this token should not be refreshed because of another refusal. */
    blocks(connectionId: string, token: string | undefined): boolean {
      const entry = entries.get(connectionId);
      if (!entry) return false;
      const { length } = recent(entry.at);
      return length >= MAX_PER_MINUTE || (length > 0 && entry.token === token);
    },
  };
}
