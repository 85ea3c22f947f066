import type { Place } from "../../contracts/provider.ts";
import { BoundedMap } from "../../runtime/bounded-map.ts";

const WALKS = 200;
/** Longer lists of places are not remembered: reading them again costs little beside reading what is in them. */
const MAX_PLACES = 1_000;
const TTL_MS = 5 * 60_000;

/** Remembers the places that a walk reads in turn, so that only its first page has to ask for them. */
export function createPlaceMemory() {
  const known = new BoundedMap<Place[]>(WALKS, TTL_MS);

  return {
    /** The places as they were when the walk began, if that is remembered; otherwise as they are now. */
    async of(walk: string, begins: boolean, load: () => Promise<Place[]>): Promise<Place[]> {
      const remembered = begins ? undefined : known.get(walk);
      if (remembered) return remembered;
      const places = await load();
      if (places.length > MAX_PLACES) known.delete(walk);
      else known.set(walk, places);
      return places;
    },
    /** One of them may be gone: the next page asks again. */
    forget: (walk: string): void => known.delete(walk),
  };
}
