import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Access } from "../../contracts/access.ts";
import type { Caller } from "../../contracts/caller.ts";
import { Fault } from "../../contracts/fault.ts";
import type { BoundOperation } from "../../contracts/operation.ts";
import { authenticate, bearerToken } from "../shared/caller.ts";
import { parseJsonBodies } from "../shared/json-body.ts";
import { beforeBodyParsing } from "../shared/relay.ts";
import type { DirectSurface, SurfaceReply, SurfaceRequest } from "../shared/surface-types.ts";
import { warningHeader } from "../shared/unknown-parameters.ts";
import { accessTo } from "./access.ts";
import { type CallsOptions, createCalls, type UnifiedCall } from "./calls.ts";
import { sendError } from "./errors.ts";
import { inputReader, type RawInput, type UnifiedInput } from "./input.ts";
import { fieldsRoute, offeredFieldsSchema } from "./offered-fields.ts";
import { createPlainRoutes } from "./plain-path.ts";
import { serializedResponse } from "./response.ts";
import { createFileServing, uploadedFile } from "./serve-file.ts";
import { createJsonServing } from "./serve-json.ts";
import { serveStream } from "./serve-stream.ts";
import { NDJSON } from "./stream-list.ts";

export interface UnifiedOptions extends CallsOptions {
  /** The table of operations. */
  operations: readonly BoundOperation[];
  headerPrefix: string;
}

/** Other routes of operations, for clients of the API that this one follows. */
const OTHER_ROUTES: Record<string, string[]> = { "ticketing.listTickets": ["/v1/pm/issues"] };

interface ServedOperation {
  operation: BoundOperation;
  read(request: RawInput): UnifiedInput;
}

const acceptsLines = ({ accept }: SurfaceRequest["headers"]) => accept?.includes(NDJSON) ?? false;

/** The Unified API: one route for each entry of the table of operations. */
export function unified(app: FastifyInstance, options: UnifiedOptions): DirectSurface {
  const { engine, operations, headerPrefix } = options;
  const connectionHeader = `${headerPrefix}Connection-ID`.toLowerCase();
  const calls = createCalls(options);
  const { serveJson, servePlainRead } = createJsonServing(app, calls, headerPrefix);
  const { serveUpload, serveDownload } = createFileServing(app, engine, calls, headerPrefix);
  const authenticated = (access: Access) => async (request: FastifyRequest) => {
    await authenticateCaller(request, access);
  };
  parseJsonBodies(app);
  app.setErrorHandler(sendError);
  app.setNotFoundHandler({ preHandler: authenticated("key") }, () => {
    throw new Fault("not_found", "no such endpoint: see /docs");
  });
  app.decorateRequest("caller");

  /** Runs before the body is read. */
  function authenticateCaller(request: SurfaceRequest, access: Access): Caller | Promise<Caller> {
    // Also for a request whose input turns out to be invalid.
    request.trace.connectionId = (request.headers[connectionHeader] as string | undefined) ?? null;
    return authenticate(engine, request, bearerToken(request.headers.authorization), access);
  }

  function serveByKind(call: UnifiedCall): Promise<unknown> {
    if (call.input.dryRun) return calls.serveDryRun(call);
    const { operation, request } = call;
    const { kind } = operation;
    if (kind === "upload") return serveUpload(call);
    if (kind === "download") return serveDownload(call);
    return kind === "list" && acceptsLines(request.headers)
      ? serveStream(calls, call, async () => authenticateCaller(request, accessTo(operation)))
      : serveJson(call);
  }

  const warning = warningHeader(headerPrefix);
  function readInput(
    { operation, read }: ServedOperation,
    raw: RawInput,
    { trace }: SurfaceRequest,
    reply: SurfaceReply,
  ): UnifiedInput {
    trace.operation = operation.id;
    const input = read(raw);
    if (input.warning) reply.header(warning, input.warning);
    return input;
  }

  const served = operations.map(
    (operation): ServedOperation => ({ operation, read: inputReader(operation, headerPrefix) }),
  );
  for (const one of served) {
    const { operation } = one;
    const isUpload = operation.kind === "upload";
    const access = accessTo(operation);
    async function serve(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
      const input = readInput(one, request as RawInput, request, reply);
      return serveByKind({ operation, input, request, reply, ...(isUpload && { file: uploadedFile(request) }) });
    }
    for (const url of [operation.route, ...(OTHER_ROUTES[operation.id] ?? [])])
      app.route({
        method: operation.method,
        url,
        schema: operation.kind === "download" ? {} : { response: { 200: serializedResponse(operation) } },
        config: { access },
        onRequest: [authenticated(access), ...(isUpload ? [beforeBodyParsing(serve).onRequest] : [])],
        handler: serve,
      });
  }

  for (const one of served) {
    const { operation } = one;
    if (operation.kind !== "list") continue;
    const access = accessTo(operation);
    app.route({
      method: "GET",
      url: fieldsRoute(operation),
      schema: { response: { 200: offeredFieldsSchema } },
      config: { access },
      onRequest: authenticated(access),
      async handler(request, reply) {
        const input = readInput(one, request as RawInput, request, reply);
        request.trace.operation = `${operation.id}.fields`;
        return calls.serveOfferedFields({ operation, input, request, reply });
      },
    });
  }

  const findRead = createPlainRoutes(
    app.prefix,
    served
      .filter(({ operation: { kind } }) => kind === "list" || kind === "one")
      .map((found) => ({ operation: found.operation, found })),
  );
  return {
    sendError,
    /** Finds what serves a plain read; all other requests are left to Fastify. */
    find(url, { method, headers }) {
      if (method !== "GET" || acceptsLines(headers)) return undefined;
      const plain = findRead(url);
      if (!plain || plain.query.dry_run !== undefined) return undefined;
      const { params, query } = plain;
      const { operation } = plain.found;
      const access = accessTo(operation);
      return async (request, reply, client) => {
        const authenticating = authenticateCaller(request, access);
        if (authenticating instanceof Promise) await authenticating;
        const input = readInput(plain.found, { headers: request.headers, params, query }, request, reply);
        await servePlainRead({ operation, input, request, reply }, client);
      };
    },
  };
}
