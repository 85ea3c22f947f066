import type { FastifyInstance, FastifyRequest } from "fastify";
import type { RateLimit } from "../../contracts/coordination.ts";
import { Fault } from "../../contracts/fault.ts";
import type { BoundOperation } from "../../contracts/operation.ts";
import type { Engine } from "../../engine/index.ts";
import { authenticate, bearerToken } from "../shared/caller.ts";
import { clientCancellation } from "../shared/relay.ts";
import { sendError } from "./errors.ts";
import { createInputReader } from "./input.ts";
import { responseSchema, toResponse } from "./response.ts";

export interface UnifiedOptions {
  engine: Engine;
  /** The table of operations. */
  operations: readonly BoundOperation[];
  headerPrefix: string;
  rateLimit: RateLimit;
}

/** The Unified API: one route for each entry of the table of operations. */
export function unified(app: FastifyInstance, { engine, operations, headerPrefix, rateLimit }: UnifiedOptions) {
  const limit = { ...rateLimit, group: "unified" };
  app.setErrorHandler(sendError);
  app.setNotFoundHandler({ preHandler: checkKey }, () => {
    throw new Fault("not_found", "no such endpoint: see /docs");
  });

  app.decorateRequest("workspace");
  /** Runs before the body is read, and without a promise if the key is cached. */
  function checkKey(request: FastifyRequest, _: unknown, done: (error?: Error) => void) {
    try {
      const workspace = authenticate(engine, request, bearerToken(request.headers.authorization));
      if (workspace instanceof Promise) workspace.then(() => done(), done);
      else done();
    } catch (error) {
      done(error as Error);
    }
  }

  for (const operation of operations) {
    const read = createInputReader(operation, headerPrefix);
    app.route({
      method: operation.method,
      url: operation.route,
      schema: { response: { 200: responseSchema(operation) } },
      onRequest: checkKey,
      async handler(request, reply) {
        const { trace, workspace } = request;
        const input = read(request as Parameters<typeof read>[0]);
        const { connectionId } = input;
        trace.connectionId = connectionId;
        const connection = await engine.authorize({ workspace, connectionId, requires: operation, limit });
        // A send is never canceled: it would be unknown whether the provider carried it out.
        const client = operation.kind === "send" ? undefined : clientCancellation(reply);
        const result = await engine.run({ operation, connection, ...input, client });
        trace.upstreamCalls = result.calls;
        return toResponse(operation, result, input.includeRaw);
      },
    });
  }
}
