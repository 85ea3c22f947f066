import { Fault } from "../../contracts/fault.ts";
import { type BoundOperation, isWrite, type OperationKind } from "../../contracts/operation.ts";
import type {
  Context,
  DownloadImplementation,
  Implementation,
  ListImplementation,
  OneImplementation,
  Provider,
  SendImplementation,
} from "../../contracts/provider.ts";
import type { Query } from "../../contracts/upstream.ts";
import type { ConnectionContext } from "../connection/connection-context.ts";
import type { Cancellation } from "../http/cancellation.ts";
import type { Cursors } from "./cursor.ts";
import type { createDownloader, Download } from "./download.ts";
import { createLister, type ListRequest } from "./list.ts";
import { createLookups, MAX_LOOKUP_CALLS } from "./lookup.ts";
import type { OperationResult } from "./result.ts";
import type { Run, UpstreamCaller } from "./upstream.ts";

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
  maxRetries: number;
  /** Cancelled when the client disconnects. */
  client?: Cancellation | undefined;
}

/** Which implementation each provider has for an operation. */
function indexImplementations(providers: Iterable<Provider>): Map<Provider, Map<string, Implementation>> {
  const index = new Map<Provider, Map<string, Implementation>>();
  for (const provider of providers)
    index.set(
      provider,
      new Map(
        provider.categories.flatMap(({ category, operations }) =>
          Object.entries(operations).map(([name, implementation]) => [`${category}.${name}`, implementation]),
        ),
      ),
    );
  return index;
}

const LOOKUP_PAGE_SIZE = 100;

export interface RunnerOptions {
  call: UpstreamCaller;
  download: ReturnType<typeof createDownloader>;
  cursors: Cursors;
  providers: ReadonlyMap<string, Provider>;
}

export function createRunner({ call, download, cursors, providers }: RunnerOptions) {
  const list = createLister(call, cursors);
  const lookups = createLookups();
  const implementations = indexImplementations(providers.values());

  const find = (connection: ConnectionContext, operationId: string) =>
    implementations.get(connection.provider)?.get(operationId);

  const contextOf = (run: Run, input: Record<string, unknown>): Context => ({
    input,
    settings: run.connection.record.settings,
    address(name) {
      const { origin, path } = run.connection.address(name);
      return origin + path;
    },
    upstream: (request) => call(run, request),
  });

  const cursorBinding = (operation: string, connection: ConnectionContext, params: Record<string, unknown>) => ({
    operation,
    provider: connection.provider.manifest.id,
    origin: connection.address("api").origin,
    params,
  });

  /** All records of another list of the same connection, within the calls that a lookup may cost. */
  async function* listAll(run: Run, operationId: string): AsyncGenerator<unknown> {
    const implementation = find(run.connection, operationId) as ListImplementation | undefined;
    if (!implementation) return;
    const request: Omit<ListRequest, "after"> = {
      implementation,
      context: contextOf(run, {}),
      passthrough: undefined,
      cursorBinding: cursorBinding(operationId, run.connection, {}),
      limit: LOOKUP_PAGE_SIZE,
    };
    let after: string | undefined;
    do {
      const page = await list(run, { ...request, after });
      yield* page.data;
      after = page.next ?? undefined;
    } while (after && run.calls < MAX_LOOKUP_CALLS);
  }

  function fullNames(run: Run, operation: BoundOperation, pathParams: Record<string, string>) {
    const { id, refreshed_at } = run.connection.record;
    return lookups.resolve(`${id} ${refreshed_at}`, operation, pathParams, (name) =>
      listAll(run, `${operation.category}.${name}`),
    );
  }

  function begin(request: OperationRequest): { run: Run; implementation: Implementation } {
    const { operation, connection, maxRetries, client } = request;
    const implementation = find(connection, operation.id);
    if (!implementation)
      throw new Fault("operation_unsupported", `${connection.provider.manifest.name} does not support this operation`);
    return { run: { connection, maxRetries, repeatable: !isWrite(operation.kind), calls: 0, client }, implementation };
  }

  async function pathParamsOf(run: Run, { operation, pathParams }: OperationRequest) {
    return lookups.needed(operation, pathParams) ? fullNames(run, operation, pathParams) : pathParams;
  }

  async function runSingle(run: Run, kind: OperationKind, implementation: Implementation, context: Context) {
    if (kind === "send") {
      const { body } = await call(run, (implementation as SendImplementation).request(context));
      return { data: body, raw: body, calls: run.calls };
    }
    const { request, load, record } = implementation as OneImplementation;
    run.bodies = [];
    const body = request ? (await call(run, request(context))).body : await load!(context);
    const { bodies } = run;
    return { data: record(body, context), raw: bodies.length === 1 ? bodies[0] : { pages: bodies }, calls: run.calls };
  }

  return {
    supports: (connection: ConnectionContext, operation: BoundOperation) =>
      find(connection, operation.id) !== undefined,

    async run(request: OperationRequest): Promise<OperationResult> {
      const { operation, connection, passthrough, query } = request;
      const { run, implementation } = begin(request);
      const pathParams = await pathParamsOf(run, request);
      const context = contextOf(run, { ...query, ...request.body, ...pathParams });
      if (operation.kind !== "list") return runSingle(run, operation.kind, implementation, context);
      const { updated_since: updatedSince, ...ownQuery } = query;
      return list(run, {
        implementation: implementation as ListImplementation,
        context,
        passthrough,
        cursorBinding: cursorBinding(operation.id, connection, { ...pathParams, ...ownQuery }),
        limit: request.limit,
        after: request.after,
        updatedSince: updatedSince === undefined ? undefined : new Date(updatedSince as string).toISOString(),
      });
    },

    /** Opens a file for streaming. `headers` are those of the client that concern the bytes: see `download.ts`. */
    async download(request: OperationRequest, headers: Record<string, string>): Promise<Download> {
      const { run, implementation } = begin(request);
      const context = contextOf(run, { ...request.query, ...(await pathParamsOf(run, request)) });
      return download(run, implementation as DownloadImplementation, context, headers);
    },
  };
}
