import { randomBytes } from "node:crypto";
import type { CustomValues, DeclaredField } from "../../contracts/custom-fields.ts";
import { Fault, invalidInput } from "../../contracts/fault.ts";
import { type BoundOperation, isWrite } from "../../contracts/operation.ts";
import type {
  Context,
  DownloadImplementation,
  Implementation,
  ListImplementation,
  OneImplementation,
  Provider,
  SendImplementation,
  UploadImplementation,
} from "../../contracts/provider.ts";
import type { Telemetry } from "../../contracts/telemetry.ts";
import type { ConnectionContext } from "../connection/connection-context.ts";
import { type OfferedField, offeredFields } from "../custom-fields/offered.ts";
import { accountOf, createContexts } from "./context.ts";
import { bindingOf, type Cursors } from "./cursor.ts";
import type { createDownloader, Download } from "./download.ts";
import { DryRun, type DryRunResult } from "./dry-run.ts";
import { type FilterValues, filterValuesIn } from "./filters.ts";
import { assertComplete, type FormatGuard } from "./format-guard.ts";
import { createImplementations } from "./implementations.ts";
import { createLister, type ListRequest } from "./list.ts";
import { createLookups, MAX_LOOKUP_CALLS } from "./lookup.ts";
import { assertGiven, type OperationRequest } from "./request.ts";
import type { OperationResult } from "./result.ts";
import type { createUploader } from "./upload.ts";
import type { OperationRun, UpstreamCaller } from "./upstream.ts";

const isList = (_: Implementation, { kind }: BoundOperation): _ is ListImplementation => kind === "list";

const LOOKUP_PAGE_SIZE = 100;
/** How many records are read for examples, and how many fields they are asked for. */
const SAMPLE_SIZE = 25;
const MAX_ASKED = 100;
const GET_ME = "identity.getMe";

export interface OfferedFields {
  fields: OfferedField[];
  /** Names of declared custom fields that the records do not have. */
  missing: string[];
}

export interface RunnerOptions {
  call: UpstreamCaller;
  download: ReturnType<typeof createDownloader>;
  upload: ReturnType<typeof createUploader>;
  cursors: Cursors;
  providers: ReadonlyMap<string, Provider>;
  guardFormat: FormatGuard;
  telemetry: Pick<Telemetry, "skipped">;
}

export function createRunner({ call, download, upload, cursors, providers, guardFormat, telemetry }: RunnerOptions) {
  const list = createLister(call, cursors, guardFormat, telemetry);
  const contexts = createContexts(call, guardFormat);
  const lookups = createLookups();
  const { find, serving, findServing } = createImplementations(providers.values());

  /** All records of another list of the same connection, within the calls that a lookup may cost. */
  async function* listAll(run: OperationRun, operationId: string): AsyncGenerator<unknown> {
    const implementation = find(run.connection, operationId) as ListImplementation | undefined;
    if (!implementation) return;
    const request: Omit<ListRequest, "after"> = {
      implementation,
      context: contexts.plain(run, {}),
      passthrough: undefined,
      cursorBinding: () => bindingOf(run.connection, operationId, {}),
      limit: LOOKUP_PAGE_SIZE,
    };
    if (run.dryRun) run.dryRun.isPreparing = true;
    let after: string | undefined;
    do {
      const page = await list(run, { ...request, after });
      yield* page.data;
      after = page.next ?? undefined;
    } while (after && run.calls < MAX_LOOKUP_CALLS);
  }

  function fullNames(run: OperationRun, operation: BoundOperation, pathParams: Record<string, string>) {
    return lookups.resolve(accountOf(run.connection), operation, pathParams, (name) =>
      listAll(run, `${operation.category}.${name}`),
    );
  }

  /** The ID of the user whose connection it is, as records have it. */
  async function readMe(run: OperationRun, name: string): Promise<string> {
    const getMe = find(run.connection, GET_ME) as OneImplementation | undefined;
    if (run.dryRun) run.dryRun.isPreparing = true;
    const context = contexts.plain(run, {});
    const body = getMe && (await loadOne(run, getMe, context));
    const id = await guardFormat(run.connection, () =>
      !getMe || getMe.isUser?.(body) === false ? null : (getMe.record(body, context) as { id: string | null }).id,
    );
    if (id !== null) return id;
    throw invalidInput({
      path: ["query", name],
      message: `\`me\` is nobody here: the connection has no user of its own at ${run.connection.provider.manifest.name}`,
    });
  }

  /** The same values with the ID of the user in place of `me`. */
  async function withMe(run: OperationRun, { filters = {} }: BoundOperation, values: FilterValues) {
    const resolved: Record<string, string> = {};
    for (const [name, value] of Object.entries(values))
      resolved[name] =
        value === "me" && filters[name]!.acceptsMe
          ? await lookups.me(accountOf(run.connection), () => readMe(run, name))
          : value;
    return resolved;
  }

  const requires = (connection: ConnectionContext, operation: BoundOperation): readonly string[] =>
    (findServing(connection, operation) as OneImplementation | undefined)?.requires ?? [];

  function begin(request: OperationRequest): { run: OperationRun; implementation: Implementation } {
    const { operation, maxRetries, client, trace } = request;
    const connection = serving(request.connection, operation.id);
    const implementation = find(connection, operation.id);
    if (!implementation)
      throw new Fault("operation_unsupported", `${connection.provider.manifest.name} does not support this operation`);
    const writes = isWrite(operation.kind);
    // If a write were canceled, it would be unknown whether the provider has carried it out.
    const run: OperationRun = {
      connection,
      given: request,
      maxRetries,
      repeatable: !writes,
      calls: 0,
      bytes: 0,
      client: writes ? undefined : client,
      trace,
    };
    if (request.includeRaw) run.bodies = [];
    if (request.write) run.write = request.write;
    return { run, implementation };
  }

  const pathParamsOf = (run: OperationRun, { operation, pathParams }: OperationRequest) =>
    lookups.needed(operation, pathParams) ? fullNames(run, operation, pathParams) : pathParams;

  async function runSingle(
    run: OperationRun,
    operation: BoundOperation,
    implementation: Implementation,
    context: Context,
  ) {
    if (operation.kind === "send") {
      const send = implementation as SendImplementation;
      const { body } = await call(run, await guardFormat(run.connection, () => send.request(context)));
      return { data: body, raw: body };
    }
    const one = implementation as OneImplementation;
    return single(run, operation, one, await loadOne(run, one, context), context);
  }

  async function loadOne(run: OperationRun, { request, load }: OneImplementation, context: Context): Promise<unknown> {
    if (request) return (await context.write(request(context))).body;
    // Other calls follow.
    if (run.dryRun) run.dryRun.isPreparing = true;
    return guardFormat(run.connection, () => load!(context));
  }

  /** The result that consists of one record. */
  async function single(
    run: OperationRun,
    operation: BoundOperation,
    { record, original }: Pick<OneImplementation, "record" | "original">,
    body: unknown,
    context: Context,
  ): Promise<OperationResult> {
    const { read: readCustom } = run.connection.customFields(operation.recordName);
    const data = await guardFormat(run.connection, () => {
      const read = record(body, context) as { custom: CustomValues };
      read.custom = readCustom(original ? original(body) : body);
      assertComplete(operation.record, read);
      return read;
    });
    const { bodies = [] } = run;
    return { data, raw: bodies.length === 1 ? bodies[0] : { pages: bodies } };
  }

  const newWriteKey = ({ kind }: BoundOperation) => (isWrite(kind) ? randomBytes(32).toString("hex") : "");

  async function execute(request: OperationRequest, dryRun?: DryRun): Promise<OperationResult> {
    const { operation, passthrough, query, writeKey = newWriteKey(operation) } = request;
    const { run, implementation } = begin(request);
    const { connection } = run;
    assertGiven(request, requires(connection, operation));
    run.dryRun = dryRun;
    const given = isList(implementation, operation)
      ? filterValuesIn(query, operation.filters, implementation, connection.provider.manifest.name)
      : undefined;
    const filterValues = given && (await withMe(run, operation, given));
    const named = pathParamsOf(run, request);
    const pathParams = named instanceof Promise ? await named : named;
    const input = { ...query, ...filterValues, ...pathParams };
    const { body, asked } = request;
    const made = contexts.full(run, { operation, input, body, writeKey, asked });
    const context = made instanceof Promise ? await made : made;
    if (operation.kind === "upload") {
      const body = await upload(run, implementation as UploadImplementation, context, request.file!);
      return single(run, operation, implementation as UploadImplementation, body, context);
    }
    if (!isList(implementation, operation)) return runSingle(run, operation, implementation, context);
    const listRequest: ListRequest = {
      implementation,
      context,
      passthrough,
      cursorBinding() {
        // The cursor carries the time: with it, a client may leave it out.
        const { updated_since: _, ...ownQuery } = query;
        return bindingOf(connection, operation.id, { ...pathParams, ...ownQuery });
      },
      schema: operation.record,
      readCustom: request.readCustom ?? connection.customFields(operation.recordName).read,
      limit: request.limit,
      after: request.after,
      includeRaw: request.includeRaw,
      filters: operation.filters,
      filterValues,
      keepsErrors: request.keepsErrors,
    };
    try {
      return await list(run, listRequest);
    } catch (error) {
      const changed = await contexts.afterDeletedField(run, operation, context, error);
      if (!changed) throw error;
      return list(run, { ...listRequest, context: changed });
    }
  }

  async function planDownload(request: OperationRequest, dryRun: DryRun): Promise<void> {
    const { run, implementation } = begin(request);
    run.dryRun = dryRun;
    const context = contexts.plain(run, { ...request.query, ...(await pathParamsOf(run, request)) });
    await call(run, (await (implementation as DownloadImplementation).source(context)).request);
  }

  /** What a list's records can have as custom fields. Some of them are read for examples. */
  async function offered(request: OperationRequest): Promise<OfferedFields> {
    const { operation } = request;
    const { run } = begin(request);
    const { declared, source } = run.connection.customFields(operation.recordName);
    const context = contexts.plain(run, { ...request.query, ...(await pathParamsOf(run, request)) });
    const described = await contexts.describe(run, operation, context);
    const items: unknown[] = [];
    const asked = described.filter(({ custom }) => custom).map(({ path }) => path);
    await execute({
      ...request,
      limit: SAMPLE_SIZE,
      asked: asked.slice(0, MAX_ASKED),
      readCustom: (item) => {
        items.push(item);
        return {};
      },
    });
    const fields = offeredFields(described, items, source);
    const isOffered = ({ path }: DeclaredField) => fields.some((field) => field.path === path);
    return { fields, missing: declared.filter((field) => !isOffered(field)).map(({ name }) => name) };
  }

  return {
    /** The fields that a list's records can have as custom fields, and the declared ones that they do not have. */
    offered,
    supports: (connection: ConnectionContext, operation: BoundOperation) =>
      findServing(connection, operation) !== undefined,

    /** Fields of the body that the connection's provider requires in addition to the table. */
    requires,

    /** Whether the provider itself filters a list by `updated_since`, so that little has to be read. */
    filtersUpdatedSince: (connection: ConnectionContext, operation: BoundOperation): boolean =>
      operation.kind === "list" &&
      (findServing(connection, operation) as ListImplementation | undefined)?.filters?.includes("updated_since") ===
        true,

    run: (request: OperationRequest): Promise<OperationResult> => execute(request),

    /** The calls that a request would make, up to the first whose answer is needed. Nothing is sent. */
    dryRun(request: OperationRequest): Promise<DryRunResult> {
      const dryRun = new DryRun();
      const isDownload = request.operation.kind === "download";
      return dryRun.record(() => (isDownload ? planDownload(request, dryRun) : execute(request, dryRun)));
    },

    /** Opens a file for streaming. `headers` are those of the client that concern the bytes: see `download.ts`. */
    async download(request: OperationRequest, headers: Record<string, string>): Promise<Download> {
      const { run, implementation } = begin(request);
      const context = contexts.plain(run, { ...request.query, ...(await pathParamsOf(run, request)) });
      return download(run, implementation as DownloadImplementation, context, headers);
    },
  };
}
