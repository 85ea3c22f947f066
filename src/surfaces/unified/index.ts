import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import type { RateLimit } from "../../contracts/coordination.ts";
import { Fault } from "../../contracts/fault.ts";
import { type BoundOperation, isWrite } from "../../contracts/operation.ts";
import { DOWNLOAD_REQUEST_HEADERS, type Engine } from "../../engine/index.ts";
import { authenticate, bearerToken } from "../shared/caller.ts";
import { clientCancellation, createRelay } from "../shared/relay.ts";
import { errorLine, sendError } from "./errors.ts";
import { createInputReader } from "./input.ts";
import { responseSchema, toResponse } from "./response.ts";
import { NDJSON, streamList } from "./stream-list.ts";

export interface UnifiedOptions {
  engine: Engine;
  /** The table of operations. */
  operations: readonly BoundOperation[];
  headerPrefix: string;
  rateLimit: RateLimit;
}

type Json = Record<string, unknown>;
/** With the serializer that Fastify compiles once for each schema. */
const serialize = (reply: FastifyReply, record: unknown, schema: TSchema) =>
  reply.serializeInput(record as Json, schema as unknown as Json) as string;

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

  const relay = createRelay(app, headerPrefix);

  for (const operation of operations) {
    const read = createInputReader(operation, headerPrefix);
    const { kind } = operation;

    /** Key, input, connection, rate limit: what every call passes, and each page of a stream again. */
    async function open(request: FastifyRequest) {
      const { trace, workspace } = request;
      const input = read(request as Parameters<typeof read>[0]);
      trace.connectionId = input.connectionId;
      const authorize = () =>
        engine.authorize({ workspace, connectionId: input.connectionId, requires: operation, limit });
      return { input, authorize, connection: await authorize() };
    }

    async function serve(request: FastifyRequest, reply: FastifyReply) {
      const { input, authorize, connection } = await open(request);
      // A write is never canceled: it would be unknown whether the provider carried it out.
      const client = isWrite(kind) ? undefined : clientCancellation(reply);
      const result = await engine.run({ operation, connection, ...input, client });
      request.trace.upstreamCalls = result.calls;
      if (kind !== "list" || !request.headers.accept?.includes(NDJSON))
        return toResponse(operation, result, input.includeRaw);
      reply.hijack();
      const { raw } = reply;
      raw.writeHead(200, { "content-type": `${NDJSON}; charset=utf-8`, "x-request-id": request.id });
      try {
        await streamList(raw, {
          first: result,
          async read(after) {
            const page = await engine.run({ operation, connection: await authorize(), ...input, after, client });
            request.trace.upstreamCalls += page.calls;
            return page;
          },
          serialize: (record) => serialize(reply, record, operation.record),
          includeRaw: input.includeRaw,
          client: client!,
        });
      } catch (error) {
        if (client!.cancelled) return reply;
        raw.write(errorLine(error, request));
      }
      raw.end();
      return reply;
    }

    async function serveDownload(request: FastifyRequest, reply: FastifyReply) {
      const { input, connection } = await open(request);
      const client = clientCancellation(reply);
      const wanted = DOWNLOAD_REQUEST_HEADERS.flatMap((name) =>
        request.headers[name] === undefined ? [] : [[name, String(request.headers[name])]],
      );
      const file = await engine.download({ operation, connection, ...input, client }, Object.fromEntries(wanted));
      relay(request, reply, file, client);
    }

    app.route({
      method: operation.method,
      url: operation.route,
      schema: kind === "download" ? {} : { response: { 200: responseSchema(operation) } },
      onRequest: checkKey,
      handler: kind === "download" ? serveDownload : serve,
    });
  }
}
