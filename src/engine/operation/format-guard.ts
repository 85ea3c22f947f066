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
  return function guardFormat<Result>({ provider, record }: ConnectionContext, read: () => Result): Result {
    function fail(error: unknown): never {
      if (isExpected(error)) throw error;
      telemetry.malformed({ provider: provider.manifest.id, connection_id: record.id, err: error });
      throw new Fault("upstream_malformed", "the provider's response does not have the documented format");
    }
    try {
      const result = read();
      return result instanceof Promise ? (result.catch(fail) as Result) : result;
    } catch (error) {
      fail(error);
    }
  };
}

export type FormatGuard = ReturnType<typeof createFormatGuard>;

/** Throws if a record lacks one of its keys: a value that the provider does not have is null. */
export function assertComplete(schema: TSchema, record: unknown): void {
  const { required = [] } = schema as { required?: string[] };
  for (const name of required)
    if ((record as Record<string, unknown>)[name] === undefined) throw new TypeError(`the record has no ${name}`);
}
