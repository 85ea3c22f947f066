import type { FailureDetails, NewLogEntry } from "../../contracts/entities.ts";
import type { LogBatchRow, UsageRow } from "../database/schema.ts";
import { isPlatformRead, LogTerms } from "./log-filter.ts";
import { pack } from "./packed-log-entry.ts";
import { UsageCounter } from "./usage-counts.ts";

const SUFFIX_LENGTH = 2;
/** How many entries are put into their final form together. */
const GROUP_SIZE = 32;

/** Appended to an id, it keeps ids in the order of their index. */
export const indexSuffix = (index: number) => index.toString(36).padStart(SUFFIX_LENGTH, "0");
export const withoutSuffix = (id: string) => id.slice(0, -SUFFIX_LENGTH);

/** The entries of one workspace. */
class Part {
  readonly lines: string[] = [];
  readonly terms = new LogTerms();
  /** By the index of their lines. */
  failures: Record<number, FailureDetails> | undefined;
  firstAt = Number.POSITIVE_INFINITY;
  lastAt = 0;
  /** How many of the lines are in the database. */
  written = 0;
}

/**
 * Entries on their way to the database, one row for each workspace: a row with indexes per entry would cost more than
 * most calls do. They are put into their final form in small groups. One by one, the processor would have forgotten the
 * code for it each time; all at once, other requests would wait for milliseconds, and the entries stay in memory.
 */
export class LogBatch {
  readonly id: string;
  readonly #parts = new Map<string, Part>();
  #added: NewLogEntry[] = [];
  #usage = new UsageCounter(["minute", "hour"]);
  size = 0;

  constructor(id: string) {
    this.id = id;
  }

  add(entry: NewLogEntry): void {
    this.size++;
    if (this.#added.push(entry) >= GROUP_SIZE) this.#putAdded();
  }

  #putAdded(): void {
    for (const entry of this.#added) this.#put(entry);
    this.#added = [];
  }

  #put(entry: NewLogEntry): void {
    const part = this.#parts.get(entry.workspace_id) ?? new Part();
    if (part.lines.length === 0) this.#parts.set(entry.workspace_id, part);
    if (entry.failure) {
      part.failures ??= {};
      part.failures[part.lines.length] = entry.failure;
    }
    part.lines.push(pack(entry));
    part.terms.add(entry);
    if (entry.at < part.firstAt) part.firstAt = entry.at;
    if (entry.at > part.lastAt) part.lastAt = entry.at;
    if (!isPlatformRead(entry)) this.#usage.add(entry);
  }

  /** The rows that have changed, their failures not encrypted yet, and the requests to count, since this was called last. */
  takeChanges(): { rows: LogBatchRow[]; usage: UsageRow[] } {
    this.#putAdded();
    const rows: LogBatchRow[] = [];
    let index = 0;
    for (const [workspace_id, part] of this.#parts) {
      const id = this.id + indexSuffix(index++);
      if (part.written === part.lines.length) continue;
      part.written = part.lines.length;
      rows.push({
        id,
        workspace_id,
        first_at: part.firstAt * 1000,
        last_at: part.lastAt * 1000,
        size: part.lines.length,
        terms: part.terms.toString(),
        entries: part.lines.join("\n"),
        failures: part.failures ? JSON.stringify(part.failures) : null,
      });
    }
    const usage = this.#usage.rows();
    this.#usage = new UsageCounter(["minute", "hour"]);
    return { rows, usage };
  }
}
