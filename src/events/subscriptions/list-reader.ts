import { UNBOUND } from "../../contracts/access.ts";
import type { RateLimit } from "../../contracts/coordination.ts";
import { ProviderFailure } from "../../contracts/fault.ts";
import type { BoundOperation } from "../../contracts/operation.ts";
import type { Subscription } from "../../contracts/subscriptions.ts";
import type { SpanContext } from "../../contracts/tracing.ts";
import type { Cancellation, ConnectionContext, Engine, Use } from "../../engine/index.ts";
import { BoundedMap } from "../../runtime/bounded-map.ts";

/** The most records that Unified returns in one page. */
const PAGE_SIZE = 100;
/** A failed run is retried soon from its last checkpoint. */
const MAX_RETRIES = 1;

const MAX_CREDITED = 10_000;

export type SubscriptionEngine = Pick<Engine, "inspect" | "authorize" | "run" | "supports" | "filtersUpdatedSince">;

export interface ListPage {
  data: unknown;
  /** Where the list continues; null at its end. */
  next: string | null;
  /** Items of the list that could not be read, and are not in `data`. */
  skipped: number;
  /** How many calls to the provider it took. */
  calls: number;
}

/** The list that a subscription reads, opened for one run. */
export interface ListReader {
  connection: ConnectionContext;
  operation: BoundOperation;
  /** Whether the provider can be asked for what was updated since a time. */
  isIncremental: boolean;
  read(page: { after: string | null; updatedSince: string | null }): Promise<ListPage>;
  /** Whether the provider says that a record does not exist. Undefined if the provider cannot be asked for one. */
  isGone?: ((id: string) => Promise<boolean>) | undefined;
}

export interface ListReaderOptions {
  engine: SubscriptionEngine;
  operations: ReadonlyMap<string, BoundOperation>;
  /** The limit that Unified calls are counted against. */
  rateLimit: RateLimit;
}

/** The operation that returns one record of a list: the one whose parameter takes the `id` of the list's records. */
const findOne = (operations: Iterable<BoundOperation>, list: BoundOperation): BoundOperation | undefined =>
  [...operations].find(
    ({ kind, category, parameters }) =>
      kind === "one" &&
      category === list.category &&
      parameters.length === 1 &&
      parameters[0]!.source.operation === list.name &&
      parameters[0]!.source.field === "id",
  );

/** Splits parameters into those of the path and those of the query. */
export function splitParameters({ parameters: inPath }: BoundOperation, parameters: Record<string, string>) {
  const names = new Set(inPath.map(({ name }) => name));
  const entries = Object.entries(parameters);
  return {
    pathParams: Object.fromEntries(entries.filter(([name]) => names.has(name))),
    query: Object.fromEntries(entries.filter(([name]) => !names.has(name))),
  };
}

const saysGone = (error: unknown) => error instanceof ProviderFailure && (error.status === 404 || error.status === 410);

export function createListReaders({ engine, operations, rateLimit }: ListReaderOptions) {
  const unified = { ...rateLimit, group: "unified" };
  // At least half of the connection's limit is left to other calls.
  const own = { ...rateLimit, points: Math.max(1, Math.floor(rateLimit.points / 2)), group: "subscriptions" };
  // Pages that were counted against the own limit and then refused by the other one.
  const credits = new BoundedMap<number>(MAX_CREDITED, rateLimit.seconds * 1000);
  const ones = new Map([...operations.values()].map((list) => [list.id, findOne(operations.values(), list)]));

  /** Counts one call against both limits, or against neither if one of them is used up. */
  async function authorize(use: Omit<Use, "limit"> & { connectionId: string }): Promise<ConnectionContext> {
    const { connectionId } = use;
    const credit = credits.get(connectionId) ?? 0;
    if (credit > 0) credits.set(connectionId, credit - 1);
    else await engine.authorize({ ...use, limit: own });
    try {
      return await engine.authorize({ ...use, limit: unified });
    } catch (error) {
      credits.set(connectionId, (credits.get(connectionId) ?? 0) + 1);
      throw error;
    }
  }

  /** Nothing is sent yet. */
  return async function openList(
    subscription: Subscription,
    client: Cancellation,
    span?: SpanContext,
  ): Promise<ListReader> {
    const operation = operations.get(subscription.operation)!;
    const user = { workspace: { id: subscription.workspace_id }, ...UNBOUND };
    const use = { user, connectionId: subscription.connection_id };
    const connection = await engine.inspect({ ...use, requires: operation });
    const { pathParams, query } = splitParameters(operation, subscription.parameters);

    async function call(called: BoundOperation, request: { pathParams: object; query: object; after?: string }) {
      const trace = { upstreamCalls: 0, upstream: [], span };
      const {
        data,
        next = null,
        skipped = 0,
      } = await engine.run({
        operation: called,
        connection: await authorize({ ...use, requires: called }),
        limit: PAGE_SIZE,
        maxRetries: MAX_RETRIES,
        keepsErrors: true,
        client,
        trace,
        ...(request as { pathParams: Record<string, string>; query: Record<string, unknown>; after?: string }),
      });
      return { data, next, skipped, calls: trace.upstreamCalls };
    }

    const one = ones.get(operation.id);
    return {
      connection,
      operation,
      isIncremental: "updated_since" in operation.query && engine.filtersUpdatedSince(connection, operation),
      read: ({ after, updatedSince }) =>
        call(operation, {
          pathParams,
          query: updatedSince === null || after !== null ? query : { ...query, updated_since: updatedSince },
          ...(after === null ? {} : { after }),
        }),
      isGone:
        one && engine.supports(connection, one)
          ? (id) =>
              call(one, { pathParams: { [one.parameters[0]!.name]: id }, query: {} }).then(
                () => false,
                (error: unknown) => {
                  if (saysGone(error)) return true;
                  throw error;
                },
              )
          : undefined,
    };
  };
}
