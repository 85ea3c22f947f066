import { Fault } from "../../contracts/fault.ts";
import type { BoundOperation } from "../../contracts/operation.ts";
import type {
  Context,
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

export function createRunner(call: UpstreamCaller, cursors: Cursors, providers: ReadonlyMap<string, Provider>) {
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

  const cursorBinding = (operation: string, connection: ConnectionContext, pathParams: Record<string, string>) => ({
    operation,
    provider: connection.provider.manifest.id,
    origin: connection.address("api").origin,
    pathParams,
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

  return {
    supports: (connection: ConnectionContext, operation: BoundOperation) =>
      find(connection, operation.id) !== undefined,

    async run(request: OperationRequest): Promise<OperationResult> {
      const { operation, connection, passthrough } = request;
      const implementation = find(connection, operation.id);
      if (!implementation)
        throw new Fault(
          "operation_unsupported",
          `${connection.provider.manifest.name} does not support this operation`,
        );
      const run: Run = {
        connection,
        maxRetries: request.maxRetries,
        repeatable: operation.kind !== "send",
        calls: 0,
        client: request.client,
      };
      let { pathParams } = request;
      if (lookups.needed(operation, pathParams)) pathParams = await fullNames(run, operation, pathParams);
      const context = contextOf(run, { ...request.query, ...request.body, ...pathParams });
      if (operation.kind === "list")
        return list(run, {
          implementation: implementation as ListImplementation,
          context,
          passthrough,
          cursorBinding: cursorBinding(operation.id, connection, pathParams),
          limit: request.limit,
          after: request.after,
        });
      const { body } = await call(run, (implementation as SendImplementation).request(context), passthrough);
      const data = operation.kind === "one" ? (implementation as OneImplementation).record(body, context) : body;
      return { data, raw: body, calls: run.calls };
    },
  };
}
