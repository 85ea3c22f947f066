import { errorSources, type NewLogEntry } from "../../contracts/entities.ts";
import type { LogFilter } from "../../contracts/request-log.ts";
import { fromIso } from "../database/time.ts";
import { statusOf, timeOf, unpack } from "./packed-log-entry.ts";

const TEXT_FIELDS = [
  "connection_id",
  "integration_id",
  "surface",
  "outcome",
  "error_source",
  "request_id",
  "operation",
] as const;

const statusClass = (status: number) => `${Math.floor(status / 100)}xx`;

/** FNV-1a, continued: http://www.isthe.com/chongo/tech/comp/fnv/ */
function hashOf(text: string, start = 0x811c9dc5): number {
  let hash = start;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** Each field has its own hashes, so that a surface is not found by a request id. */
const fieldHashes = TEXT_FIELDS.map((field) => hashOf(field));
const termOf = (field: string, value: string) => hashOf(value, hashOf(field));
/** All numbers of two digits to the base of 36: `toString(36)` is slow for numbers as large as a term's. */
const PAIRS = Array.from({ length: 36 * 36 }, (_, pair) => pair.toString(36).padStart(2, "0"));
const pairAt = (term: number, weight: number) => PAIRS[Math.floor(term / weight) % PAIRS.length]!;
/** Seven digits. */
const toText = (term: number) =>
  (term < 36 ** 6 ? "0" : "1") + pairAt(term, 36 ** 4) + pairAt(term, 36 ** 2) + pairAt(term, 1);

/**
 * What the entries of a batch can be found by: short hashes of their values, separated by spaces (by nothing in those of an
 * earlier version). A batch without the hash of a wanted value has no entry that matches, and is not read; the others
 * are read and checked exactly.
 */
export class LogTerms {
  readonly #terms = new Set<number>();
  #text = "";
  /** Most entries have the same values as the one before. In the order of `TEXT_FIELDS`. */
  readonly #last: (string | null | undefined)[] = TEXT_FIELDS.map(() => null);
  #lastStatus: number | undefined;

  add(entry: NewLogEntry): void {
    const { connection_id, integration_id, surface, outcome, error_source, request_id, operation, status } = entry;
    const values = [connection_id, integration_id, surface, outcome, error_source, request_id, operation];
    for (let index = 0; index < values.length; index++) {
      const value = values[index];
      if (value === null || value === undefined || value === this.#last[index]) continue;
      this.#last[index] = value;
      this.#addTerm(hashOf(value, fieldHashes[index]));
    }
    if (status === this.#lastStatus) return;
    this.#lastStatus = status;
    this.#addTerm(termOf("status", String(status)));
    this.#addTerm(termOf("status", statusClass(status)));
  }

  #addTerm(term: number): void {
    if (this.#terms.has(term)) return;
    this.#terms.add(term);
    this.#text += this.#text && " ";
    this.#text += toText(term);
  }

  toString(): string {
    return this.#text;
  }
}

/** What a filter means for a batch, and for an entry. */
export interface LogSearch {
  /** The terms of a batch must contain one of the texts of each of these lists. */
  terms: string[][];
  /** In microseconds. */
  since: number | undefined;
  until: number | undefined;
  /** Whether an entry in these lines may match, which takes no parsing. */
  mayMatch(lines: string): boolean;
  /** Whether a stored entry matches. */
  matches(line: string): boolean;
}

/** Whether a request only read the workspace's own data, as pages and tools do all the time. */
export const isPlatformRead = ({
  surface,
  method,
  error_source,
}: Pick<NewLogEntry, "surface" | "method" | "error_source">) =>
  surface === "platform" && (method === "GET" || method === "HEAD") && error_source === null;

/** The values that a filter accepts, by field. */
function acceptedTexts({ connection_ids, ...filter }: LogFilter): [(typeof TEXT_FIELDS)[number], readonly string[]][] {
  const accepted = TEXT_FIELDS.flatMap((field): ReturnType<typeof acceptedTexts> => {
    const value = filter[field];
    if (value === undefined) return [];
    return [[field, field === "error_source" && value === "any" ? errorSources : [value]]];
  });
  return connection_ids ? [...accepted, ["connection_id", connection_ids]] : accepted;
}

export function createSearch(filter: LogFilter): LogSearch {
  const texts = acceptedTexts(filter);
  const { status, path, without_platform_reads } = filter;
  const since = filter.since === undefined ? undefined : fromIso(filter.since);
  const until = filter.until === undefined ? undefined : fromIso(filter.until);
  const hasStatus = (found: number) => status === String(found) || status === statusClass(found);
  const isInTime = (at: number) => (since === undefined || at >= since) && (until === undefined || at < until);
  const needsEntry = texts.length > 0 || path !== undefined || without_platform_reads;
  const quoted = texts.map(([, values]) => values.map((value) => JSON.stringify(value)));
  if (path !== undefined) quoted.push([JSON.stringify(path).slice(1, -1)]);
  const mayMatch = (lines: string) => quoted.every((values) => values.some((value) => lines.includes(value)));
  const termsOf = (field: string, values: readonly string[]) => values.map((value) => toText(termOf(field, value)));
  return {
    terms: [
      ...texts.map(([field, values]) => termsOf(field, values)),
      ...(status === undefined ? [] : [termsOf("status", [status])]),
    ],
    since,
    until,
    mayMatch,
    matches(line) {
      if (!isInTime(timeOf(line) * 1000)) return false;
      if (status !== undefined && !hasStatus(statusOf(line))) return false;
      if (!needsEntry) return true;
      if (!mayMatch(line)) return false;
      const entry = unpack(line);
      if (path !== undefined && !entry.path.includes(path)) return false;
      if (without_platform_reads && isPlatformRead(entry)) return false;
      return texts.every(([field, values]) => values.includes(entry[field] ?? ""));
    },
  };
}
