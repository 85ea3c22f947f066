import { Fault } from "../../contracts/fault.ts";
import type { BoundOperation } from "../../contracts/operation.ts";
import type {
  Context,
  ListImplementation,
  Provider,
  SendImplementation,
  SingleImplementation,
} from "../../contracts/provider.ts";
import type { Query } from "../../contracts/upstream.ts";
import type { LiveConnection } from "../connection/connection-context.ts";
import type { Ending } from "../http/cancellation.ts";
import { after, type Maybe } from "../maybe.ts";
import type { Cursors } from "./cursor.ts";
import { createLister, type ListRequest } from "./list.ts";
import { createLookups, MOST_LOOKUP_CALLS, type WalkAll } from "./lookup.ts";
import type { OperationResult } from "./result.ts";
import type { Run, UpstreamCaller } from "./upstream.ts";

type Implementation = ListImplementation | SingleImplementation | SendImplementation;

export interface OperationRequest {
  operation: BoundOperation;
  live: LiveConnection;
  /** Values of the path's parameters, of the query's own and of the body's fields. */
  params: Record<string, string>;
  query: Record<string, unknown>;
  body?: Record<string, unknown> | undefined;
  /** The client's own parameters for the provider. */
  passthrough?: Query | undefined;
  limit: number;
  after?: string | undefined;
  maxRetries: number;
  /** Whoever waits for it. */
  client?: Ending | undefined;
}

export function createRunner(call: UpstreamCaller, cursors: Cursors, providers: ReadonlyMap<string, Provider>) {
  const list = createLister(call, cursors);
  const resolve = createLookups();
  const implementations = new Map<Provider, Map<string, Implementation>>();
  for (const provider of providers.values()) {
    const own = new Map<string, Implementation>();
    implementations.set(provider, own);
    for (const { category, operations } of provider.categories)
      for (const [name, implementation] of Object.entries(operations)) own.set(`${category}.${name}`, implementation);
  }

  const find = (live: LiveConnection, operationId: string) => implementations.get(live.provider)?.get(operationId);

  function contextOf(run: Run, input: Record<string, unknown>): Context {
    return {
      input,
      settings: run.live.record.settings,
      address(name) {
        const { origin, path } = run.live.address(name);
        return origin + path;
      },
      upstream: (request) => call(run, request),
    };
  }

  const cursorScope = (operationId: string, live: LiveConnection, params: Record<string, string>) => ({
    operation: operationId,
    provider: live.provider.manifest.id,
    origin: live.address("api").origin,
    params,
  });

  /** All records of another list of the same connection, within the calls that a look-up may cost. */
  const walker = (run: Run, category: string): WalkAll =>
    async function* (name) {
      const id = `${category}.${name}`;
      const implementation = find(run.live, id) as ListImplementation | undefined;
      if (!implementation) return;
      const request: Omit<ListRequest, "after"> = {
        implementation,
        context: contextOf(run, {}),
        params: undefined,
        cursorScope: cursorScope(id, run.live, {}),
        limit: 100,
      };
      let after: string | undefined;
      do {
        const page = await list(run, { ...request, after });
        yield* page.data;
        after = page.next ?? undefined;
      } while (after && run.calls < MOST_LOOKUP_CALLS);
    };

  async function single(
    run: Run,
    { operation, passthrough }: OperationRequest,
    implementation: SingleImplementation | SendImplementation,
    context: Context,
  ): Promise<OperationResult> {
    const answer = await call(run, implementation.request(context as never), passthrough);
    const data =
      operation.kind === "one" ? (implementation as SingleImplementation).record(answer.body, context) : answer.body;
    return { data, raw: answer.body, calls: run.calls };
  }

  return {
    supports: (live: LiveConnection, operation: BoundOperation) => find(live, operation.id) !== undefined,

    run(request: OperationRequest): Maybe<OperationResult> {
      const { operation } = request;
      const implementation = find(request.live, operation.id);
      if (!implementation)
        throw new Fault("operation_unsupported", `${request.live.provider.manifest.name} does not have this operation`);
      const run: Run = {
        live: request.live,
        maxRetries: request.maxRetries,
        repeatable: operation.kind !== "send",
        calls: 0,
        client: request.client,
      };
      const walk = () => walker(run, operation.category);
      return after(resolve(run.live.record.id, operation, request.params, walk), (params) => {
        const context = contextOf(run, { ...request.query, ...request.body, ...params });
        if (operation.kind !== "list")
          return single(run, request, implementation as SingleImplementation | SendImplementation, context);
        return list(run, {
          implementation: implementation as ListImplementation,
          context,
          params: request.passthrough,
          cursorScope: cursorScope(operation.id, run.live, params),
          limit: request.limit,
          after: request.after,
        });
      });
    },
  };
}
