import { ProviderFailure } from "../../contracts/fault.ts";
import type { BoundOperation } from "../../contracts/operation.ts";
import type { Context } from "../../contracts/provider.ts";
import type { ConnectionContext } from "../connection/connection-context.ts";
import { createKnownFields } from "../custom-fields/known-fields.ts";
import { assertWritable, splitBody, toWritten, withAdded } from "../custom-fields/write.ts";
import { sleep } from "../http/retry.ts";
import type { FormatGuard } from "./format-guard.ts";
import type { OperationRun, UpstreamCaller } from "./upstream.ts";

/** Changes whenever the connection's credentials do. */
export const accountOf = ({ record: { id, refreshed_at } }: ConnectionContext) => `${id} ${refreshed_at}`;

const hasMembers = (value: object) => Object.keys(value).length > 0;

export interface ContextInput {
  operation: BoundOperation;
  /** Query and path parameters. */
  input: Record<string, unknown>;
  /** What the client sends, with what it adds for the provider. */
  body: Record<string, unknown> | undefined;
  writeKey: string;
  /** JSON Pointers to ask for in place of those that are declared. */
  asked?: readonly string[] | undefined;
}

/** Makes what the functions of a provider get: see `Context`. */
export function createContexts(call: UpstreamCaller, guardFormat: FormatGuard) {
  const known = createKnownFields();

  /** For calls that concern no custom fields. */
  const plain = (run: OperationRun, input: Record<string, unknown>, writeKey = ""): Context => ({
    input,
    writeKey,
    settings: run.connection.settings,
    address(name) {
      const { origin, path } = run.connection.address(name);
      return origin + path;
    },
    sleep: (milliseconds) => sleep(milliseconds, run.client),
    upstream: (request) => {
      if (run.dryRun) run.dryRun.isPreparing = true;
      return call(run, request);
    },
    write: (request) => call(run, request),
    written: [],
    addsToBody: false,
    select: [],
  });

  const keyOf = ({ connection }: OperationRun, { recordName }: BoundOperation) =>
    `${accountOf(connection)} ${recordName}`;

  /** What the account's provider says about the fields of a record; what it said lately, if nothing may be sent. */
  const describe = (run: OperationRun, operation: BoundOperation, context: Context) => {
    const key = keyOf(run, operation);
    if (run.dryRun) return known.remembered(key);
    const fields = run.connection.customFields(operation.recordName);
    return guardFormat(run.connection, () => known.describe(key, fields, context));
  };

  /** The pointers of custom fields that a request may ask for: a field that was deleted must not break a list. */
  async function askable(run: OperationRun, operation: BoundOperation, context: Context): Promise<readonly string[]> {
    const { paths, source } = run.connection.customFields(operation.recordName);
    if (paths.length === 0 || !source?.asksOnlyForKnown) return paths;
    const described = new Set((await describe(run, operation, context)).map(({ path }) => path));
    return paths.filter((path) => described.has(path));
  }

  /** What the client adds to a write: its custom fields, and what goes to the provider as it is. */
  async function additions(run: OperationRun, operation: BoundOperation, body: object, context: Context) {
    const { custom, provider } = splitBody(body as Record<string, unknown>);
    const fields = run.connection.customFields(operation.recordName);
    assertWritable(custom, fields, run.connection.provider.manifest.name);
    const written = hasMembers(custom) ? toWritten(custom, fields, await describe(run, operation, context)) : [];
    const { write } = fields.source ?? {};
    const added = [
      ...(written.length > 0 && write ? [write(written, context)] : []),
      ...(hasMembers(provider) ? [provider] : []),
    ];
    return {
      written,
      addsToBody: added.length > 0,
      write: ((request) => call(run, withAdded(request, added))) as Context["write"],
    };
  }

  async function withCustom(
    run: OperationRun,
    operation: BoundOperation,
    body: object | undefined,
    context: Context,
    hasCustom: boolean,
  ): Promise<Context> {
    return {
      ...context,
      ...(hasCustom && { select: await askable(run, operation, context) }),
      ...(body && (await additions(run, operation, body, context))),
    };
  }

  return {
    plain,
    describe,

    full(run: OperationRun, { operation, input, body, writeKey, asked }: ContextInput): Context | Promise<Context> {
      const context = plain(run, body ? { ...input, ...splitBody(body).fields } : input, writeKey);
      if (asked) return { ...context, select: asked };
      const hasCustom = run.connection.customFields(operation.recordName).declared.length > 0;
      return hasCustom || body ? withCustom(run, operation, body, context, hasCustom) : context;
    },

    /** The context for another attempt, if one failed because a field that it asked for was deleted meanwhile. */
    async afterDeletedField(
      run: OperationRun,
      operation: BoundOperation,
      context: Context,
      error: unknown,
    ): Promise<Context | undefined> {
      if (!(error instanceof ProviderFailure) || error.status !== 400 || context.select.length === 0) return undefined;
      known.forget(keyOf(run, operation));
      const select = await askable(run, operation, context);
      return select.length < context.select.length ? { ...context, select } : undefined;
    },
  };
}
