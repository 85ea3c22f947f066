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
  function refuse({ provider, record }: ConnectionContext, error: unknown): never {
    if (isExpected(error)) throw error;
    telemetry.malformed({ provider: provider.manifest.id, connection_id: record.id, err: error });
    throw new Fault("upstream_malformed", "the provider's response does not have the documented format");
  }

  return function guardFormat<Result>(
    connection: ConnectionContext,
    read: () => Result | Promise<Result>,
  ): Result | Promise<Result> {
    try {
      const result = read();
      return result instanceof Promise ? result.catch((error) => refuse(connection, error)) : result;
    } catch (error) {
      return refuse(connection, error);
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
export function readItems<Item>(items: readonly Item[], read: (item: Item) => unknown): ReadItems | Promise<ReadItems> {
  if (!Array.isArray(items)) throw new TypeError("the items are not a list");
  return readOn(items, read, { records: [], skipped: 0, firstError: undefined, next: 0 });
}

/** Not variables of a closure: of a function that it calls, V8 keeps the first closure for a while, and all it refers to. */
interface Progress {
  records: unknown[];
  skipped: number;
  firstError: unknown;
  /** The index of the next item. */
  next: number;
}

function readOn<Item>(
  items: readonly Item[],
  read: (item: Item) => unknown,
  progress: Progress,
): ReadItems | Promise<ReadItems> {
  const { records } = progress;
  const first = progress.next;
  const since = Date.now();
  for (; progress.next < items.length; progress.next++) {
    if (progress.next > first && Date.now() - since >= MAX_MAPPING_MS)
      return nextTurn().then(() => readOn(items, read, progress));
    try {
      records.push(read(items[progress.next] as Item));
    } catch (error) {
      if (isExpected(error)) throw error;
      progress.firstError ??= error;
      progress.skipped++;
    }
  }
  const { skipped, firstError } = progress;
  if (skipped > 0 && records.length === 0) throw firstError;
  // Other errors, such as those of JSON.parse, may quote the item.
  const reason = firstError instanceof TypeError ? firstError.message : ((firstError as Error | undefined)?.name ?? "");
  return { records, skipped, reason };
}

/** What is read of the schema of a record, or of a part of it. */
interface Parts {
  required?: string[];
  properties?: Record<string, Parts>;
  items?: Parts;
}
/** The keys of a record, and those of the lists and objects in it. */
interface Keys {
  required: readonly string[];
  parts: { name: string; keys: Keys }[];
}

const toKeys = ({ required = [], properties = {} }: Parts): Keys => ({
  required,
  parts: Object.entries(properties)
    .filter(([, { items, required }]) => items ?? required)
    .map(([name, part]) => ({ name, keys: toKeys(part.items ?? part) })),
});

function assertKeys({ required, parts }: Keys, record: Record<string, unknown>): void {
  for (const name of required) if (record[name] === undefined) throw new TypeError(`the record has no ${name}`);
  for (const { name, keys } of parts) {
    const value = record[name];
    if (Array.isArray(value)) {
      if (value.includes(undefined)) throw new TypeError(`the record has no value for one of its ${name}`);
      if (keys.required.length > 0) for (const entry of value) assertKeys(keys, entry);
    } else if (value) assertKeys(keys, value as Record<string, unknown>);
  }
}

/** By the schema of the record: collecting them takes longer than checking a record. */
const knownKeys = new WeakMap<TSchema, Keys>();

function collectKeys(schema: TSchema): Keys {
  const keys = toKeys(schema as Parts);
  knownKeys.set(schema, keys);
  return keys;
}

/** Throws if a record, or a part of it, lacks one of its keys: a value that the provider does not have is null. */
export function assertComplete(schema: TSchema, record: unknown): void {
  assertKeys(knownKeys.get(schema) ?? collectKeys(schema), record as Record<string, unknown>);
}
