import type { TSchema } from "typebox";
import type { CustomValues } from "../../contracts/custom-fields.ts";
import { invalidInput } from "../../contracts/fault.ts";
import type { Context, ListImplementation, PageContext, PageCursor, Place } from "../../contracts/provider.ts";
import type { Telemetry } from "../../contracts/telemetry.ts";
import type { Query } from "../../contracts/upstream.ts";
import { whenHere } from "../../runtime/when-here.ts";
import type { ReadCustom } from "../custom-fields/read.ts";
import type { CursorBinding, Cursors, Position } from "./cursor.ts";
import { type Filters, type FilterValues, NO_FILTERS, saysUnknown, type Test, testsOf } from "./filters.ts";
import { assertComplete, type FormatGuard, type ReadItems, readItems } from "./format-guard.ts";
import { createPlaceMemory } from "./places.ts";
import type { OperationResult } from "./result.ts";
import type { OperationRun, UpstreamCaller } from "./upstream.ts";

/** The most provider calls that one client request may cost; past it the page is short and `next` continues. */
export const MAX_CALLS = 20;
/** The same for the bytes of a request that wants the provider's own bodies, which are kept until its end. */
const MAX_RAW_BYTES = 8 * 1024 * 1024;
/** The smallest page to ask for: a walk begun with `limit=1` can continue with `limit=100` in half of `MAX_CALLS`. */
const MIN_PAGE_SIZE = 12;
/** The same for lists that drop some of the items: few records may be left of a page. */
const MIN_PAGE_SIZE_WITH_DROPS = 200;

export interface ListRequest {
  implementation: ListImplementation;
  context: Context;
  passthrough: Query | undefined;
  /** Made only for a walk of several pages. */
  cursorBinding(): CursorBinding;
  /** What records have to be complete by; undefined if that does not matter. */
  schema?: TSchema;
  /** Reads the custom fields of an item; undefined if they do not matter. */
  readCustom?: ReadCustom;
  limit: number;
  after: string | undefined;
  includeRaw?: boolean | undefined;
  filterValues?: FilterValues | undefined;
  /** An error of the provider stays one, whatever it is about. */
  keepsErrors?: boolean | undefined;
  /** All filters of the list. */
  filters?: Filters | undefined;
}

interface ListResult extends OperationResult {
  data: unknown[];
  next: string | null;
  skipped: number;
}

/** One of the provider's pages, mapped to records. */
export interface ReadPage {
  records: unknown[];
  /** Where the provider's next page starts; null if this one is the last. */
  next: PageCursor | null;
}

/** Equal pages that add up to the limit, each no larger than the provider allows. */
function pageSize({ maxPageSize, ignoresPageSize, keep }: ListImplementation, limit: number, filtered: boolean) {
  if (ignoresPageSize || filtered) return maxPageSize;
  const pages = Math.ceil(limit / maxPageSize);
  return Math.max(Math.ceil(limit / pages), Math.min(keep ? MIN_PAGE_SIZE_WITH_DROPS : MIN_PAGE_SIZE, maxPageSize));
}

/** What distinguishes a record from the others of its list. */
export function recordKey(record: unknown): string {
  const { id, name, sha } = record as { id?: unknown; name?: unknown; sha?: unknown };
  return String(id ?? name ?? sha);
}

/** Where to resume within a page: after the record returned last, or by count if that record no longer exists. */
function resumeAt(records: unknown[], { skip, last }: Position): number {
  if (skip === undefined) return 0;
  const found = records.findIndex((record) => recordKey(record) === last);
  return found < 0 ? skip : found + 1;
}

/** What stays the same throughout a walk. */
const walkOf = ({ size, updatedSince }: Position): Position => ({
  size,
  ...(updatedSince === undefined ? {} : { updatedSince }),
});

/** Takes up to `wanted` records from a page, and says where the walk continues; undefined at its end. */
export function advance(
  position: Position,
  page: ReadPage,
  wanted: number,
  places?: readonly Place[],
): { taken: unknown[]; position: Position | undefined } {
  const { records, next } = page;
  const start = resumeAt(records, position);
  const taken = records.slice(start, start + wanted);
  const end = start + taken.length;
  if (end < records.length) return { taken, position: { ...position, skip: end, last: recordKey(records[end - 1]) } };
  const { place, placeIndex = 0 } = position;
  const kept = walkOf(position);
  if (next !== null) {
    const here = place === undefined ? {} : { place, placeIndex };
    return { taken, position: { ...kept, ...here, cursor: next } };
  }
  const following = places?.[placeIndex + 1];
  return { taken, position: following && { ...kept, place: following.id, placeIndex: placeIndex + 1 } };
}

/**
 * The position with its place looked up by ID. If that place was deleted, the one that is now at its index is read from
 * its beginning. Undefined: past the last.
 */
function locate(position: Position, places: readonly Place[]): Position | undefined {
  const named = places.findIndex(({ id }) => id === position.place);
  if (named >= 0) return { ...position, placeIndex: named };
  const { placeIndex = 0 } = position;
  const found = places[placeIndex];
  return found && { ...walkOf(position), place: found.id, placeIndex };
}

/** An item that `keep` fails on stays: reading it fails as well, and is reported. */
function isKept(implementation: ListImplementation, item: unknown, context: PageContext): boolean {
  try {
    return implementation.keep!(item, context);
  } catch {
    return true;
  }
}

/** Whether a request has used up what it may cost. */
const isSpent = (run: OperationRun, { includeRaw }: ListRequest) =>
  run.calls >= MAX_CALLS || (includeRaw && run.bytes >= MAX_RAW_BYTES);

/** Providers find places in their own responses, which may be of any format. */
async function loadPlaces({ implementation, context }: ListRequest): Promise<Place[]> {
  const places = await implementation.places!(context);
  for (const { id } of places) if (id === undefined) throw new TypeError("a place has no id");
  return places;
}

export function createLister(
  call: UpstreamCaller,
  cursors: Cursors,
  guardFormat: FormatGuard,
  telemetry: Pick<Telemetry, "skipped">,
) {
  const placeMemory = createPlaceMemory();

  async function readPage(
    run: OperationRun,
    request: ListRequest,
    position: Position,
    places: readonly Place[] | undefined,
    tests: readonly Test[],
  ) {
    const { implementation, passthrough, schema, readCustom } = request;
    const { updatedSince } = position;
    const context: PageContext = {
      ...request.context,
      ...(updatedSince ? { input: { ...(request.context.input as object), updated_since: updatedSince } } : {}),
      limit: position.size,
      cursor: position.cursor,
      // Implementations without `places` do not use it.
      place: places?.[position.placeIndex!] as Place,
    };
    // It may depend on a cursor or a place that the provider sent.
    const prepared = guardFormat(run.connection, () => implementation.request(context));
    const answer = await call(run, prepared instanceof Promise ? await prepared : prepared, passthrough);
    return guardFormat(run.connection, () => {
      const items = implementation.items(answer.body, context);
      const kept = implementation.keep ? items.filter((item) => isKept(implementation, item, context)) : items;
      const reading = readItems(kept, (item) => {
        const record = implementation.record(item, context);
        if (readCustom)
          (record as { custom: CustomValues }).custom = readCustom(implementation.original?.(item) ?? item);
        if (schema) assertComplete(schema, record);
        return record;
      });
      return whenHere(reading, ({ records, skipped, reason }) => {
        const page = {
          skipped,
          reason,
          body: request.includeRaw ? answer.body : undefined,
          records: tests.length > 0 ? records.filter((record) => tests.every((test) => test(record))) : records,
          next: implementation.next(answer, context) ?? null,
        };
        // Here and below, for the reason that `OperationResult` gives.
        answer.body = undefined;
        return page;
      });
    });
  }

  const reportSkipped = (
    { connection }: OperationRun,
    request: ListRequest,
    { skipped, reason }: Omit<ReadItems, "records">,
  ) =>
    telemetry.skipped({
      provider: connection.provider.manifest.id,
      connection_id: connection.record.id,
      operation: request.cursorBinding().operation,
      count: skipped,
      reason,
    });

  /** Reads pages until the limit is met. */
  async function list(run: OperationRun, request: ListRequest): Promise<ListResult> {
    const { implementation, limit, filterValues = NO_FILTERS } = request;
    const { updated_since: updatedSince } = filterValues;
    const isFilteredHere = Object.keys(filterValues).some((name) => !implementation.filters?.includes(name));
    let position: Position | undefined = request.after
      ? cursors.open(request.cursorBinding(), request.after)
      : {
          size: pageSize(implementation, limit, isFilteredHere),
          ...(updatedSince === undefined ? {} : { updatedSince }),
        };
    if (updatedSince !== undefined && position.updatedSince !== updatedSince)
      throw invalidInput({
        path: ["query", "updated_since"],
        message: "must be the same on every page of a walk, or left out with `after`",
      });
    const values =
      position.updatedSince === updatedSince
        ? filterValues
        : { ...filterValues, updated_since: position.updatedSince! };
    const tests = testsOf(request.filters, values);
    const walk = implementation.places ? JSON.stringify([run.connection.record.id, request.cursorBinding()]) : "";
    const places =
      implementation.places &&
      (await placeMemory.placesFor(walk, request.after === undefined, () =>
        guardFormat(run.connection, () => loadPlaces(request)),
      ));
    if (places) position = locate(position, places);
    const forgetPlaces = (error: unknown) => {
      placeMemory.forget(walk);
      throw error;
    };

    let data: unknown[] = [];
    const pages: unknown[] = [];
    let skipped = 0;
    // One page is read in any case: a walk moves on even if its places alone take all the calls.
    for (let first = true; position && data.length < limit && (first || !isSpent(run, request)); first = false) {
      const reading = readPage(run, request, position, places, tests);
      const page = await (places ? reading.catch(forgetPlaces) : reading);
      if (request.includeRaw) pages.push(page.body);
      const step = advance(position, page, limit - data.length, places);
      data = data.concat(step.taken);
      page.records = [];
      position = step.position;
      // A page that is read in several parts is counted with the last one.
      if (page.skipped > 0 && position?.skip === undefined) {
        skipped += page.skipped;
        reportSkipped(run, request, page);
      }
    }
    return {
      data,
      skipped,
      next: position ? cursors.seal(request.cursorBinding(), position) : null,
      raw: pages.length === 1 ? pages[0] : { pages },
    };
  }

  return (run: OperationRun, request: ListRequest): Promise<ListResult> => {
    const { implementation, filters, filterValues, after, passthrough, keepsErrors } = request;
    const reading = list(run, request);
    // The client's own parameters may be what is wrong.
    if (!filterValues || after !== undefined || passthrough || keepsErrors) return reading;
    return reading.catch((error: unknown): ListResult => {
      if (!saysUnknown(error, filters, filterValues, implementation)) throw error;
      return { data: [], skipped: 0, next: null, raw: { pages: [] } };
    });
  };
}
