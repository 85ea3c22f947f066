import type { NewLogEntry } from "../../contracts/entities.ts";
import { DURATION_LIMITS_MS, USAGE_SECONDS, type UsageWidth } from "../../contracts/usage.ts";
import type { UsageRow } from "../database/schema.ts";

type CountedEntry = Pick<NewLogEntry, "workspace_id" | "at" | "surface" | "error_source" | "duration_ms">;

function classOf(milliseconds: number): number {
  let index = 0;
  while (index < DURATION_LIMITS_MS.length && milliseconds > DURATION_LIMITS_MS[index]!) index++;
  return index;
}

/** One column per class of durations, so that the database can add to them. */
export const durationColumns = Array.from(
  { length: DURATION_LIMITS_MS.length + 1 },
  (_, index) => `duration_${index}` as const,
);

const newRow = (workspace_id: string, width: UsageWidth, start: number, surface: string): UsageRow => ({
  workspace_id,
  width,
  start,
  surface,
  requests: 0,
  application_errors: 0,
  plugboard_errors: 0,
  provider_errors: 0,
  ...Object.fromEntries(durationColumns.map((column) => [column, 0])),
});

/** Counts requests by workspace, surface and minute or hour. */
export class UsageCounter {
  readonly #rows = new Map<string, UsageRow>();
  readonly #widths: readonly UsageWidth[];
  /** For each width, the row of the last entry: most entries belong to the same one as the entry before. */
  readonly #last: (UsageRow | undefined)[] = [];

  constructor(widths: readonly UsageWidth[]) {
    this.#widths = widths;
  }

  add({ workspace_id, at, surface, error_source, duration_ms }: CountedEntry): void {
    const durationColumn = durationColumns[classOf(duration_ms)]!;
    for (let index = 0; index < this.#widths.length; index++) {
      const width = this.#widths[index]!;
      const milliseconds = USAGE_SECONDS[width] * 1000;
      const start = Math.floor(at / milliseconds) * milliseconds * 1000;
      let row = this.#last[index];
      if (row?.start !== start || row.workspace_id !== workspace_id || row.surface !== surface) {
        const key = JSON.stringify([workspace_id, width, start, surface]);
        row = this.#rows.get(key) ?? newRow(workspace_id, width, start, surface);
        this.#rows.set(key, row);
        this.#last[index] = row;
      }
      row.requests++;
      if (error_source) row[`${error_source}_errors`]++;
      row[durationColumn]!++;
    }
  }

  /** Processes that write the same rows at the same time must lock them in the same order. */
  rows(): UsageRow[] {
    return [...this.#rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
  }
}
