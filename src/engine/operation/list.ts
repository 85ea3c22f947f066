import type { Context, ListImplementation, PageContext, RecordContext, Scope } from "../../contracts/provider.ts";
import type { Query } from "../../contracts/upstream.ts";
import type { CursorScope, Cursors, Position } from "./cursor.ts";
import { createPlaces } from "./places.ts";
import type { OperationResult } from "./result.ts";
import type { Run, UpstreamCaller } from "./upstream.ts";

/** Most calls to the provider that one client's request may cost; past it the page is short and `next` goes on. */
export const MOST_CALLS = 20;
/** Smallest page to ask for, so that a walk begun with `limit=1` can go on with `limit=100` within `MOST_CALLS`, also
 * where every page takes a second call for its joins. */
const SMALLEST_PAGE = 12;

export interface ListRequest {
  implementation: ListImplementation;
  context: Context;
  params: Query | undefined;
  cursorScope: CursorScope;
  limit: number;
  after: string | undefined;
}

interface ListResult extends OperationResult {
  data: unknown[];
  next: string | null;
}

/** Equal pages that add up to the limit, each within what the provider gives at once. */
function pageSize(implementation: ListImplementation, limit: number): number {
  const most = implementation.page;
  if (implementation.fixed || implementation.sparse) return most;
  const pages = Math.ceil(limit / most);
  return Math.max(Math.ceil(limit / pages), Math.min(SMALLEST_PAGE, most));
}

/** What tells a record from its neighbours, to find the place in a page that has moved since. */
const keyOf = (record: any): string => String(record.id ?? record.name);

/** Where in the page to go on: after the record given out last, or by count where that one is gone. */
function resumeAt(records: unknown[], position: Position): number {
  if (position.skip === undefined) return 0;
  const found = records.findIndex((record) => keyOf(record) === position.last);
  return found < 0 ? position.skip : found + 1;
}

export function createLister(call: UpstreamCaller, cursors: Cursors) {
  const places = createPlaces();

  async function readPage(run: Run, request: ListRequest, position: Position, scope: Scope | undefined) {
    const { implementation } = request;
    const page: PageContext = { ...request.context, limit: position.size, cursor: position.page, scope };
    const answer = await call(run, implementation.request(page), request.params);
    const items = implementation.items(answer.body, page);
    const joined = implementation.join && items.length > 0 ? await implementation.join(items, page) : undefined;
    const recordContext: RecordContext = { ...page, joined };
    return {
      body: answer.body,
      records: items.map((item) => implementation.record(item, recordContext)),
      next: implementation.next(answer, page) ?? null,
    };
  }

  /** Reads pages, joins and cuts them until the limit is met. */
  return async function list(run: Run, request: ListRequest): Promise<ListResult> {
    const { implementation, limit } = request;
    let position: Position | undefined = request.after
      ? cursors.open(request.cursorScope, request.after)
      : { size: pageSize(implementation, limit) };
    const load = implementation.scopes && (() => implementation.scopes!(request.context));
    const walk = load ? JSON.stringify([run.live.record.id, request.cursorScope]) : "";
    const scopes = load && (await places.of(walk, request.after === undefined, load));
    let scopeIndex = 0;
    if (scopes) {
      const named = scopes.findIndex((scope) => scope.id === position!.scope);
      scopeIndex = named >= 0 ? named : (position.scopeIndex ?? 0);
      if (scopeIndex >= scopes.length) position = undefined;
    }
    const place = () => (scopes ? { scope: scopes[scopeIndex]!.id, scopeIndex } : {});

    const data: unknown[] = [];
    const pages: unknown[] = [];
    const callsPerPage = implementation.join ? 2 : 1;
    // One page is read in any case: a walk gets on even where its places alone take all the calls.
    const mayRead = () => pages.length === 0 || run.calls + callsPerPage <= MOST_CALLS;
    while (position && data.length < limit && mayRead()) {
      const read = await readPage(run, request, position, scopes?.[scopeIndex]).catch((error: unknown) => {
        places.forget(walk);
        throw error;
      });
      pages.push(read.body);
      const start = resumeAt(read.records, position);
      const taken = read.records.slice(start, start + limit - data.length);
      for (const record of taken) data.push(record);
      const end: number = start + taken.length;
      if (end < read.records.length) {
        position = { ...position, skip: end, last: keyOf(read.records[end - 1]) };
        break;
      }
      if (read.next !== null) position = { ...place(), page: read.next, size: position.size };
      else if (scopes && ++scopeIndex < scopes.length) position = { ...place(), size: position.size };
      else position = undefined;
    }
    return {
      data,
      next: position ? cursors.seal(request.cursorScope, { ...position, ...place() }) : null,
      raw: pages.length === 1 ? pages[0] : { pages },
      calls: run.calls,
    };
  };
}
