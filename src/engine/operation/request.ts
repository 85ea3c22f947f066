import { invalidInput } from "../../contracts/fault.ts";
import type { BoundOperation } from "../../contracts/operation.ts";
import type { CallTrace } from "../../contracts/telemetry.ts";
import type { Query } from "../../contracts/upstream.ts";
import type { ConnectionContext } from "../connection/connection-context.ts";
import type { ReadCustom } from "../custom-fields/read.ts";
import type { Cancellation } from "../http/cancellation.ts";
import type { Upload } from "./upload.ts";
import type { WriteGuard } from "./upstream.ts";

export interface OperationRequest {
  operation: BoundOperation;
  connection: ConnectionContext;
  pathParams: Record<string, string>;
  /** Values of the operation's own query parameters. */
  query: Record<string, unknown>;
  body?: Record<string, unknown> | undefined;
  /** The client's own parameters for the provider. */
  passthrough?: Query | undefined;
  limit: number;
  after?: string | undefined;
  /** A provider's error about a project that does not exist is not an empty list: its records would look deleted. */
  keepsErrors?: boolean;
  /** Whether the result needs the provider's own bodies. They are not kept otherwise: a hostile one may be large. */
  includeRaw?: boolean;
  maxRetries: number;
  /** Canceled when the client disconnects, which ends a read. A write goes on. */
  client?: Cancellation | undefined;
  /** Gets the calls to the provider, for the request log. */
  trace?: CallTrace;
  /** What the client sends, if the operation is an upload. */
  file?: Upload | undefined;
  /** For a write: repeated requests with the same key write once. */
  idempotencyKey?: string | undefined;
  /** Reads `custom` of the records of a list in place of what is declared. */
  readCustom?: ReadCustom;
  /** JSON Pointers of fields that a list asks for in place of those that are declared. */
  asked?: readonly string[];
  /** Set for a write with an idempotency key: see `write-once.ts`. */
  write?: WriteGuard;
  writeKey?: string;
}

/** Refuses a write that lacks a field which the provider requires. */
export function assertGiven({ connection, operation, body = {} }: OperationRequest, requires: readonly string[]): void {
  const missing = requires.filter((field) => body[field] === undefined);
  if (missing.length === 0) return;
  const { name } = connection.provider.manifest;
  throw invalidInput(
    ...missing.map((field) => {
      const source = operation.sources[field];
      const hint = source ? `: pass an \`${source.field}\` from GET ${source.route}` : "";
      return { path: ["body", field], message: `is required by ${name}${hint}` };
    }),
  );
}
