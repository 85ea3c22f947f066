import type { NewLogEntry } from "../contracts/entities.ts";
import { DURATION_LIMITS_MS, USAGE_SECONDS, type UsageWidth } from "../contracts/usage.ts";
import type { UsageRow } from "./schema.ts";

type CountedEntry = Pick<NewLogEntry, "workspace_id" | "at" | "surface" | "error_source" | "duration_ms">;

const classOf = (milliseconds: number): number => {
  const found = DURATION_LIMITS_MS.findIndex((limit) => milliseconds <= limit);
  return found < 0 ? DURATION_LIMITS_MS.length : found;
};

/** One column per class of durations, so that the database can add to them. */
export const durationColumns = Array.from(
  { length: DURATION_LIMITS_MS.length + 1 },
  (_, index) => `duration_${index}` as const,
);

/** Counts requests by workspace, surface and minute or hour, in the order of these. */
export function countUsage(entries: Iterable<CountedEntry>, widths: readonly UsageWidth[]): UsageRow[] {
  const rows = new Map<string, UsageRow>();
  for (const { workspace_id, at, surface, error_source, duration_ms } of entries)
    for (const width of widths) {
      const milliseconds = USAGE_SECONDS[width] * 1000;
      const start = Math.floor(at / milliseconds) * milliseconds * 1000;
      const key = JSON.stringify([workspace_id, width, start, surface]);
      let row = rows.get(key);
      if (!row) {
        const durations = Object.fromEntries(durationColumns.map((column) => [column, 0]));
        row = {
          workspace_id,
          width,
          start,
          surface,
          requests: 0,
          plugboard_errors: 0,
          provider_errors: 0,
          ...durations,
        };
        rows.set(key, row);
      }
      row.requests++;
      if (error_source) row[`${error_source}_errors`]++;
      row[`duration_${classOf(duration_ms)}`]!++;
    }
  // Processes that write the same rows at once must lock them in the same order.
  return [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}
