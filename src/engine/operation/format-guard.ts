import { setImmediate as nextTurn } from "node:timers/promises";
import type { TSchema } from "typebox";
import { Fault, ProviderFailure } from "../../contracts/fault.ts";
import type { Telemetry } from "../../contracts/telemetry.ts";
import type { ConnectionContext } from "../connection/connection-context.ts";
import { CancelledError } from "../http/cancellation.ts";
import { DryRunStopped } from "./dry-run.ts";

const EXPECTED = [Fault, ProviderFailure, CancelledError, DryRunStopped];
const isExpected = (error: unknown) => EXPECTED.some((type) => error instanceof type);

/**
 * Returns the function through which all code of providers runs on what the provider sent. Providers read responses
 * without checking them, so whatever that code throws means that the response has another format than documented.
 */
export function createFormatGuard(telemetry: Pick<Telemetry, "malformed">) {
  return async function guardFormat<Result>(
    { provider, record }: ConnectionContext,
    read: () => Result | Promise<Result>,
  ): Promise<Result> {
    try {
      return await read();
    } catch (error) {
      if (isExpected(error)) throw error;
      telemetry.malformed({ provider: provider.manifest.id, connection_id: record.id, err: error });
      throw new Fault("upstream_malformed", "the provider's response does not have the documented format");
    }
  };
}

export type FormatGuard = ReturnType<typeof createFormatGuard>;

/** Other requests wait no longer than this for a page of long texts to be mapped, unless a single record takes longer. */
const MAX_MAPPING_MS = 10;

export interface ReadItems {
  records: unknown[];
  /** Items that could not be read and were left out. */
  skipped: number;
  /** What was wrong with the first of them. */
  reason: string;
}

/**
 * Maps the items of a page one by one, so that a list survives an odd one: it is left out. If no item can be read, the
 * page has another format than documented, and this throws.
 */
export async function readItems<Item>(items: readonly Item[], read: (item: Item) => unknown): Promise<ReadItems> {
  if (!Array.isArray(items)) throw new TypeError("the items are not a list");
  const records: unknown[] = [];
  let skipped = 0;
  let firstError: unknown;
  let since = performance.now();
  for (const item of items) {
    if (performance.now() - since >= MAX_MAPPING_MS) {
      await nextTurn();
      since = performance.now();
    }
    try {
      records.push(read(item));
    } catch (error) {
      if (isExpected(error)) throw error;
      firstError ??= error;
      skipped++;
    }
  }
  if (skipped > 0 && records.length === 0) throw firstError;
  // Other errors, such as those of JSON.parse, may quote the item.
  const reason = firstError instanceof TypeError ? firstError.message : ((firstError as Error | undefined)?.name ?? "");
  return { records, skipped, reason };
}

/** Throws if a record lacks one of its keys: a value that the provider does not have is null. */
export function assertComplete(schema: TSchema, record: unknown): void {
  const { required = [] } = schema as { required?: string[] };
  for (const name of required)
    if ((record as Record<string, unknown>)[name] === undefined) throw new TypeError(`the record has no ${name}`);
}
