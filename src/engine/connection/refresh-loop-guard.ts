/** So many in a minute, and no more are tried. */
const MOST_IN_A_MINUTE = 10;
const MINUTE_MS = 60_000;

interface Entry {
  /** The token that was refused though it was new; undefined once the provider took it. */
  token: string | undefined;
  at: number[];
}

/**
 * Remembers renewals that did not help. Some providers answer 401 to what a user may not do: renewing the token at each
 * of these answers would be a storm of refreshes.
 */
export function createUselessRenewals() {
  const entries = new Map<string, Entry>();

  return {
    add(connectionId: string, token: string | undefined): void {
      const { at = [] } = entries.get(connectionId) ?? {};
      entries.set(connectionId, { token, at: [...at, Date.now()].slice(-MOST_IN_A_MINUTE) });
    },

    /** The token is good: that it was refused before says nothing about the next refusal. */
    forget(connectionId: string): void {
      if (entries.size === 0) return;
      const entry = entries.get(connectionId);
      if (entry) entry.token = undefined;
    },

    /** Whether this token should not be renewed because of another refusal. */
    forbid(connectionId: string, token: string | undefined): boolean {
      const entry = entries.get(connectionId);
      if (!entry) return false;
      entry.at = entry.at.filter((time) => Date.now() - time < MINUTE_MS);
      if (entry.at.length === 0) entries.delete(connectionId);
      return entry.at.length >= MOST_IN_A_MINUTE || (entry.at.length > 0 && entry.token === token);
    },
  };
}
