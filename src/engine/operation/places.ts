import type { Place } from "../../contracts/provider.ts";
import { BoundedMap } from "../../runtime/bounded-map.ts";

const MAX_WALKS = 200;
/** Longer lists of places are not remembered: reading them again costs little compared to reading their records. */
const MAX_PLACES = 1_000;
const TTL_MS = 5 * 60_000;

/** Remembers the places that a walk reads in turn, so that only its first page has to load them. */
export function createPlaceMemory() {
  const remembered = new BoundedMap<Place[]>(MAX_WALKS, TTL_MS);

  return {
    /** The places as they were when the walk began, if that is remembered; otherwise as they are now. */
    async placesFor(walk: string, begins: boolean, load: () => Place[] | Promise<Place[]>): Promise<Place[]> {
      const current = begins ? undefined : remembered.get(walk);
      if (current) return current;
      const places = await load();
      if (places.length > MAX_PLACES) remembered.delete(walk);
      else remembered.set(walk, places);
      return places;
    },
    /** One of them may have been deleted: the next page reads them again. */
    forget: (walk: string): void => remembered.delete(walk),
  };
}
