import type { DescribedField } from "../../contracts/custom-fields.ts";
import type { Context } from "../../contracts/provider.ts";
import { BoundedMap } from "../../runtime/bounded-map.ts";
import type { RecordFields } from "./record-fields.ts";

const MAX_REMEMBERED = 2_000;
const TTL_MS = 5 * 60_000;

/** Remembers what providers say about the fields of a connection's records. `key` is the connection and the record. */
export function createKnownFields(now?: () => number) {
  const remembered = new BoundedMap<DescribedField[]>(MAX_REMEMBERED, TTL_MS, now);

  return {
    remembered: (key: string): DescribedField[] => remembered.get(key) ?? [],
    async describe(key: string, { source }: RecordFields, context: Context): Promise<DescribedField[]> {
      const known = remembered.get(key);
      if (known) return known;
      const described = (await source?.describe?.(context)) ?? [];
      remembered.set(key, described);
      return described;
    },
    forget: (key: string): void => remembered.delete(key),
  };
}
