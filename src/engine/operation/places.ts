import type { Scope } from "../../contracts/provider.ts";

const WALKS = 200;
/** Longer rows are not worth the room: the calls for them are few beside those for what is in them. */
const MOST_PLACES = 1_000;
const LIFE_MS = 5 * 60_000;

/** Remembers the places that a walk reads in turn, so that only its first page has to ask for them. */
export function createPlaces() {
  const known = new Map<string, { scopes: Scope[]; at: number }>();

  return {
    /** As they were at the walk's beginning, where that is remembered; else as they are now. */
    async of(walk: string, begins: boolean, load: () => Promise<Scope[]>): Promise<Scope[]> {
      const remembered = known.get(walk);
      if (!begins && remembered && Date.now() - remembered.at < LIFE_MS) return remembered.scopes;
      const scopes = await load();
      known.delete(walk);
      if (scopes.length > MOST_PLACES) return scopes;
      known.set(walk, { scopes, at: Date.now() });
      if (known.size > WALKS) known.delete(known.keys().next().value!);
      return scopes;
    },
    /** One of them may be gone: the next page asks anew. */
    forget: (walk: string): void => void known.delete(walk),
  };
}
