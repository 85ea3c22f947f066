import type { FastifyInstance, FastifyRequest } from "fastify";
import Type, { type TProperties, type TSchema } from "typebox";
import { operations } from "../../categories/index.ts";
import { Nullable } from "../../categories/schema.ts";
import type { RateLimit } from "../../contracts/coordination.ts";
import type { Workspace } from "../../contracts/entities.ts";
import { Fault } from "../../contracts/fault.ts";
import type { BoundOperation } from "../../contracts/operation.ts";
import type { Engine, OperationResult } from "../../engine/index.ts";
import { bearer } from "../shared/bearer.ts";
import { sendError } from "./errors.ts";
import { createInputReader } from "./input.ts";

export interface UnifiedOptions {
  engine: Engine;
  headerPrefix: string;
  rateLimit: RateLimit;
}

const Raw = Type.Unknown({ description: "The provider's own response, where it was asked for" });

declare module "fastify" {
  interface FastifyRequest {
    /** Of the API key. */
    workspace: Workspace;
  }
}

/** The success body of an operation: what it is serialised by, and what the documents show. */
export function responseBody(operation: BoundOperation): TSchema {
  const list = operation.kind === "list";
  const properties: TProperties = { data: list ? Type.Array(operation.record) : operation.record };
  if (list)
    properties.metadata = Type.Object({
      next: Nullable(Type.String({ description: "Cursor of the next page; null at the end" })),
    });
  return Type.Object({ response: Type.Object({ ...properties, _raw: Type.Optional(Raw) }) });
}

/** The same of a result. */
export const responseOf = (operation: BoundOperation, result: OperationResult, includeRaw: boolean) => ({
  response: {
    data: result.data,
    ...(operation.kind === "list" ? { metadata: { next: result.next } } : {}),
    ...(includeRaw ? { _raw: result.raw } : {}),
  },
});

/** The Unified API: one route for each entry of the table of operations. */
export function unified(app: FastifyInstance, { engine, headerPrefix, rateLimit }: UnifiedOptions) {
  app.setErrorHandler(sendError);
  app.setNotFoundHandler({ preHandler: authenticate }, () => {
    throw new Fault("not_found", "there is no such endpoint: see /docs");
  });

  app.decorateRequest("workspace");
  /** Warm: at once, with no promise. */
  function authenticate(request: FastifyRequest, _: unknown, done: (error?: Error) => void) {
    const admit = (workspace: Workspace) => {
      request.workspace = workspace;
      request.trace.workspaceId = workspace.id;
      done();
    };
    try {
      const known = engine.authenticate(bearer(request.headers.authorization));
      if (known instanceof Promise) known.then(admit, done);
      else admit(known);
    } catch (error) {
      done(error as Error);
    }
  }

  for (const operation of operations) {
    const read = createInputReader(operation, headerPrefix);
    app.route({
      method: operation.method,
      url: operation.route,
      schema: { response: { 200: responseBody(operation) } },
      onRequest: authenticate,
      async handler(request) {
        const { trace } = request;
        const input = read(request as Parameters<typeof read>[0]);
        trace.connectionId = input.connectionId;
        const known = engine.connection(request.workspace, input.connectionId);
        let live = known instanceof Promise ? await known : known;
        if (!engine.supports(live, operation))
          throw new Fault("operation_unsupported", `${live.provider.manifest.name} does not have this operation`);
        const fresh = engine.fresh(live);
        live = fresh instanceof Promise ? await fresh : fresh;
        const admitted = engine.admit("unified", live, rateLimit);
        if (admitted instanceof Promise) await admitted;
        const result = await engine.run({ operation, live, ...input });
        trace.upstreamCalls = result.calls;
        return responseOf(operation, result, input.includeRaw);
      },
    });
  }
}
