import type { FastifyInstance, FastifyRequest } from "fastify";
import type { RateLimit } from "../../contracts/coordination.ts";
import { Fault } from "../../contracts/fault.ts";
import type { BoundOperation } from "../../contracts/operation.ts";
import type { Engine } from "../../engine/index.ts";
import { authenticate, bearer } from "../shared/caller.ts";
import { clientOf } from "../shared/relay.ts";
import { sendError } from "./errors.ts";
import { createInputReader } from "./input.ts";
import { responseBody, responseOf } from "./response.ts";

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
    throw new Fault("not_found", "there is no such endpoint: see /docs");
  });

  app.decorateRequest("workspace");
  /** Before the body is read. Without a promise if the key is cached. */
  function checkKey(request: FastifyRequest, _: unknown, done: (error?: Error) => void) {
    try {
      const workspace = authenticate(engine, request, bearer(request.headers.authorization));
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
      schema: { response: { 200: responseBody(operation) } },
      onRequest: checkKey,
      async handler(request, reply) {
        const { trace, workspace } = request;
        const input = read(request as Parameters<typeof read>[0]);
        const { connectionId } = input;
        trace.connectionId = connectionId;
        const connection = await engine.authorize({ workspace, connectionId, requires: operation, limit });
        // A send that is under way is not cancelled: nobody would know whether it was carried out.
        const client = operation.kind === "send" ? undefined : clientOf(reply);
        const result = await engine.run({ operation, connection, ...input, client });
        trace.upstreamCalls = result.calls;
        return responseOf(operation, result, input.includeRaw);
      },
    });
  }
}
