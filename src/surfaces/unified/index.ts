import type { OutgoingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import type { CountedCall, RateLimit } from "../../contracts/coordination.ts";
import { Fault } from "../../contracts/fault.ts";
import type { BoundOperation } from "../../contracts/operation.ts";
import {
  type Cancellation,
  DOWNLOAD_REQUEST_HEADERS,
  type Engine,
  type OperationRequest,
  type OperationResult,
  ReplayedFailure,
} from "../../engine/index.ts";
import { authenticate, bearerToken } from "../shared/caller.ts";
import type { DirectSurface, SurfaceReply, SurfaceRequest } from "../shared/exchange.ts";
import { parseJsonBodies } from "../shared/json-body.ts";
import { createRateLimitHeaders } from "../shared/rate-limit-headers.ts";
import { beforeBodyParsing, clientCancellation, createRelay, requestBody } from "../shared/relay.ts";
import { traceConnection } from "../shared/trace.ts";
import { errorLine, sendError, serializeSafely } from "./errors.ts";
import { createInputReader, type RawInput, type UnifiedInput } from "./input.ts";
import { createPlainRoutes } from "./plain-path.ts";
import { responseSchema, toResponse } from "./response.ts";
import { NDJSON, streamList } from "./stream-list.ts";

export interface UnifiedOptions {
  engine: Engine;
  /** The table of operations. */
  operations: readonly BoundOperation[];
  headerPrefix: string;
  rateLimit: RateLimit;
}

const REPLAYED = "idempotency-replayed";
const JSON_TYPE = "application/json; charset=utf-8";

type PlainInput = Pick<RawInput, "params" | "query">;
type PlainRead = (request: SurfaceRequest, reply: SurfaceReply, client: Cancellation, raw: PlainInput) => Promise<void>;
type Serializer = (body: unknown) => string;

/** With Fastify's own compiler, so that a response is the same whichever way its request takes. */
const compile = (app: FastifyInstance, operation: BoundOperation) =>
  app.serializerCompiler!({
    schema: responseSchema(operation),
    method: operation.method,
    url: operation.route,
    httpStatus: "200",
  }) as Serializer;

/** Finds what serves a plain read; all other requests are left to Fastify. */
function createPlainReads(
  prefix: string,
  reads: { operation: BoundOperation; found: PlainRead }[],
): DirectSurface["find"] {
  const find = createPlainRoutes(prefix, reads);
  return (url, { method, headers }) => {
    if (method !== "GET" || headers.accept?.includes(NDJSON)) return undefined;
    const plain = find(url);
    if (!plain || plain.query.dry_run !== undefined) return undefined;
    const { found, ...raw } = plain;
    return (request, reply, client) => found(request, reply, client, raw);
  };
}

type Json = Record<string, unknown>;
/** With the serializer that Fastify compiles once for each schema. */
const serialize = (reply: FastifyReply, record: unknown, schema: TSchema) =>
  serializeSafely(() => reply.serializeInput(record as Json, schema as unknown as Json) as string);

/** The Unified API: one route for each entry of the table of operations. */
export function unified(
  app: FastifyInstance,
  { engine, operations, headerPrefix, rateLimit }: UnifiedOptions,
): DirectSurface {
  const limit = { ...rateLimit, group: "unified" };
  const setRateLimit = createRateLimitHeaders(rateLimit);
  const connectionHeader = `${headerPrefix}Connection-ID`.toLowerCase();
  parseJsonBodies(app);
  app.setErrorHandler(sendError);
  app.setNotFoundHandler({ preHandler: checkKey }, () => {
    throw new Fault("not_found", "no such endpoint: see /docs");
  });

  app.decorateRequest("workspace");
  /** Without a promise if the key is cached. */
  function identify(request: SurfaceRequest) {
    // Also for a request whose input turns out to be invalid.
    request.trace.connectionId = (request.headers[connectionHeader] as string | undefined) ?? null;
    return authenticate(engine, request, bearerToken(request.headers.authorization));
  }

  /** Runs before the body is read. */
  function checkKey(request: FastifyRequest, _: unknown, done: (error?: Error) => void) {
    try {
      const workspace = identify(request);
      if (workspace instanceof Promise) workspace.then(() => done(), done);
      else done();
    } catch (error) {
      done(error as Error);
    }
  }

  const skippedHeader = `${headerPrefix}Skipped-Items`;
  /** Says that items were left out, which the body of a list has no place for. */
  const setSkipped = (reply: SurfaceReply, { skipped = 0 }: OperationResult) => {
    if (skipped > 0) reply.header(skippedHeader, skipped);
  };

  const relay = createRelay(app, headerPrefix);
  const plainReads: { operation: BoundOperation; found: PlainRead }[] = [];

  for (const operation of operations) {
    const read = createInputReader(operation, headerPrefix);
    const { kind } = operation;

    /** Key, input, connection, rate limit: what every call passes, and each page of a stream again. */
    async function open(request: SurfaceRequest, reply: SurfaceReply, input: UnifiedInput) {
      const { trace, workspace } = request;
      const { connectionId } = input;
      const onCounted = (counted: CountedCall) => setRateLimit(reply, counted);
      const authorize = () => engine.authorize({ workspace, connectionId, requires: operation, limit, onCounted });
      const authorized = authorize();
      const connection = authorized instanceof Promise ? await authorized : authorized;
      traceConnection(trace, connection);
      return { authorize, connection };
    }

    /** What would be sent. Neither the rate limit nor the token matters. */
    async function serveDryRun(
      { workspace }: FastifyRequest,
      reply: FastifyReply,
      input: UnifiedInput,
      file?: OperationRequest["file"],
    ) {
      const { connectionId } = input;
      const connection = await engine.inspect({ workspace, connectionId, requires: operation });
      const data = await engine.dryRun({ operation, connection, ...input, ...(file ? { file } : {}) });
      return reply.type(JSON_TYPE).serializer(JSON.stringify).send({ response: { data } });
    }

    async function runMarked(reply: FastifyReply, once: OperationRequest) {
      try {
        const result = await engine.run(once);
        if (result.replayed) reply.header(REPLAYED, "true");
        return result;
      } catch (error) {
        if (error instanceof ReplayedFailure) reply.header(REPLAYED, "true");
        throw error;
      }
    }

    function run(request: FastifyRequest, reply: FastifyReply, once: OperationRequest) {
      const running: Promise<OperationResult> = runMarked(reply, once);
      request.trace.work = running;
      return running;
    }

    async function serve(request: FastifyRequest, reply: FastifyReply) {
      const input = read(request as RawInput);
      if (input.dryRun) return serveDryRun(request, reply, input);
      const { authorize, connection } = await open(request, reply, input);
      const client = clientCancellation(reply);
      const { trace } = request;
      const result = await run(request, reply, { operation, connection, ...input, client, trace });
      if (kind !== "list" || !request.headers.accept?.includes(NDJSON)) {
        setSkipped(reply, result);
        return toResponse(operation, result, input.includeRaw);
      }
      reply.hijack();
      const { raw } = reply;
      raw.writeHead(200, {
        ...(reply.getHeaders() as OutgoingHttpHeaders),
        "content-type": `${NDJSON}; charset=utf-8`,
      });
      if (request.method === "HEAD") {
        raw.end();
        return reply;
      }
      try {
        await streamList(raw, {
          first: result,
          async read(after) {
            return engine.run({ operation, connection: await authorize(), ...input, after, client, trace });
          },
          serialize: (record) => serialize(reply, record, operation.record),
          includeRaw: input.includeRaw,
          client,
        });
      } catch (error) {
        if (client.cancelled) return reply;
        raw.write(errorLine(error, request));
      }
      raw.end();
      return reply;
    }

    /** The body is streamed to the provider, so it is not parsed. */
    async function serveUpload(request: FastifyRequest, reply: FastifyReply) {
      const input = read(request as RawInput);
      const length = request.headers["content-length"];
      const file = {
        body: requestBody(request) ?? Readable.from([]),
        contentType: request.headers["content-type"] ?? "application/octet-stream",
        size: request.headers["transfer-encoding"] ? undefined : Number(length ?? 0),
      };
      if (input.dryRun) return void (await serveDryRun(request, reply, input, file));
      const { connection } = await open(request, reply, input);
      const { trace } = request;
      const result = await run(request, reply, { operation, connection, ...input, file, trace });
      reply.send(toResponse(operation, result, input.includeRaw));
    }

    async function serveDownload(request: FastifyRequest, reply: FastifyReply) {
      const input = read(request as RawInput);
      if (input.dryRun) return serveDryRun(request, reply, input);
      const { connection } = await open(request, reply, input);
      const client = clientCancellation(reply);
      const wanted = DOWNLOAD_REQUEST_HEADERS.flatMap((name) =>
        request.headers[name] === undefined ? [] : [[name, String(request.headers[name])]],
      );
      const { trace } = request;
      const file = await engine.download(
        { operation, connection, ...input, client, trace },
        Object.fromEntries(wanted),
      );
      relay(request, reply, file, client);
    }

    /** The same as `serve` for what most requests are: a read whose response is one JSON document. */
    async function servePlainRead(request: SurfaceRequest, reply: SurfaceReply, client: Cancellation, raw: PlainInput) {
      const identified = identify(request);
      if (identified instanceof Promise) await identified;
      const input = read({ headers: request.headers, ...raw });
      const { connection } = await open(request, reply, input);
      const result = await engine.run({ operation, connection, ...input, client, trace: request.trace });
      const body = toResponse(operation, result, input.includeRaw);
      setSkipped(reply, result);
      serializer ??= compile(app, operation);
      reply.type(JSON_TYPE);
      reply.send(serializeSafely(() => serializer!(body)));
    }
    let serializer: Serializer | undefined;
    if (kind === "list" || kind === "one") plainReads.push({ operation, found: servePlainRead });

    const { onRequest: streamUpload } = beforeBodyParsing(serveUpload);
    app.route({
      method: operation.method,
      url: operation.route,
      schema: kind === "download" ? {} : { response: { 200: responseSchema(operation) } },
      onRequest: kind === "upload" ? [checkKey, streamUpload] : checkKey,
      handler: kind === "download" ? serveDownload : serve,
    });
  }
  return { find: createPlainReads(app.prefix, plainReads), sendError };
}
