import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Fault, type FaultKind, invalidInput, ProviderFailure } from "../../../contracts/fault.ts";
import type { BoundOperation } from "../../../contracts/operation.ts";
import { type Cancellation, type ConnectionContext, ReplayedFailure } from "../../../engine/index.ts";
import { type ForwardingCaller, identifyForwardingCaller } from "../../shared/caller.ts";
import { forwardingLimit, MCP_ACCESS, type McpOptions } from "../../shared/forwarding.ts";
import { toFault } from "../../shared/framework-errors.ts";
import { assertOriginAllowed } from "../../shared/origin.ts";
import { createRateLimitHeaders } from "../../shared/rate-limit-headers.ts";
import { clientCancellation } from "../../shared/relay.ts";
import { traceConnection, traceFailure } from "../../shared/trace.ts";
import { serializeSafely } from "../errors.ts";
import { toResponse } from "../response.ts";
import { explain } from "./advice.ts";
import { createTools, type Tool } from "./tools.ts";

const ROUTE = "/v1/mcp";
/** In a result that an earlier call with the same idempotency key got. */
const REPLAYED = { _meta: { "plugboard/idempotency-replayed": true } };
const MAX_BATCH = 100;

export interface UnifiedMcpOptions extends McpOptions {
  operations: readonly BoundOperation[];
}

/**
 * Unified MCP: the unified operations of a connection as tools, whatever its provider. It is mounted inside the Unified
 * API and uses its error format, except that errors of a tool call are reported to the model.
 */
export function unifiedMcp(app: FastifyInstance, options: UnifiedMcpOptions): void {
  const { engine, operations, headerPrefix, allowsOrigin } = options;
  const limit = forwardingLimit(options.rateLimit);
  const setRateLimit = createRateLimitHeaders(options.rateLimit);
  const connectionHeader = `${headerPrefix}Connection-ID`;
  const callers = new WeakMap<FastifyRequest, ForwardingCaller>();
  let created: Tool[] | undefined;
  const allTools = () => {
    created ??= createTools(operations, headerPrefix);
    return created;
  };

  async function authenticate(request: FastifyRequest): Promise<void> {
    assertOriginAllowed(request, allowsOrigin);
    callers.set(request, await identifyForwardingCaller(engine, request, connectionHeader.toLowerCase(), MCP_ACCESS));
  }

  async function callTool(
    request: FastifyRequest,
    connection: ConnectionContext,
    client: Cancellation,
    { operation, read }: Tool,
    args: Record<string, unknown>,
    meta: Record<string, unknown>,
  ) {
    const { trace } = request;
    trace.operation = trace.operation === null ? operation.id : `${trace.operation}, ${operation.id}`;
    try {
      const input = read(args, { ...request.headers, [connectionHeader.toLowerCase()]: connection.record.id }, meta);
      const usable = await engine.withValidToken(connection);
      const result = await engine.run({ operation, connection: usable, ...input, client, trace });
      const body = toResponse(operation, result, input.includeRaw);
      const text = serializeSafely(() => JSON.stringify(body));
      const texts = result.skipped ? [text, `${result.skipped} more could not be read and are missing here.`] : [text];
      const content = texts.map((part) => ({ type: "text" as const, text: part }));
      return { content, structuredContent: body, ...(result.replayed ? REPLAYED : {}) };
    } catch (error) {
      const failure = error instanceof ProviderFailure ? error : toFault(error);
      trace.errorSource = "plugboard";
      traceFailure(trace, failure);
      if (trace.outcome === "internal" && !client.cancelled)
        request.log.error({ err: error, request_id: request.id }, "tool call failed");
      const provider = connection.provider.manifest.name;
      const replayed = error instanceof ReplayedFailure ? REPLAYED : {};
      return { ...toErrorResult(explain(error, { tools: allTools(), requestId: request.id, provider })), ...replayed };
    }
  }

  /** A token is refreshed by the tool calls that need it, so that the model gets an error if that is not possible. */
  const authorize = (request: FastifyRequest, reply: FastifyReply, caller: ForwardingCaller) =>
    engine.authorize({
      ...caller,
      limit,
      // Every message of a batch counts as a call.
      points: Array.isArray(request.body) ? Math.max(1, request.body.length) : 1,
      tokenLater: true,
      onCounted: (counted) => setRateLimit(reply, counted),
    });

  async function respond(request: FastifyRequest, reply: FastifyReply, caller: ForwardingCaller): Promise<Response> {
    const { body, headers } = request;
    let connection: ConnectionContext;
    try {
      connection = await authorize(request, reply, caller);
    } catch (error) {
      if (!UNUSABLE_CONNECTION.includes(faultKind(error)) || !callsToolsOnly(body)) throw error;
      traceFailure(request.trace, error as Fault);
      request.trace.errorSource = "plugboard";
      const refused = toErrorResult(explain(error, { tools: allTools(), requestId: request.id }));
      const { handleMcpRequest } = await import("./server.ts");
      return handleMcpRequest(
        { title: "Plugboard", instructions: "", list: () => [], call: async () => refused },
        { body, headers },
      );
    }
    traceConnection(request.trace, connection);
    const client = clientCancellation(reply);
    const { handleMcpRequest } = await import("./server.ts");
    const { name: provider } = connection.provider.manifest;
    const tools = allTools().filter(({ operation }) => engine.supports(connection, operation));
    return handleMcpRequest(
      {
        title: `${provider} by Plugboard`,
        instructions: instructions(provider),
        list: () => tools.map((tool) => tool.define([{ provider, requires: engine.requires(connection, tool.operation) }])),
        call({ name, args, meta }) {
          const tool = tools.find((one) => one.name === name);
          return tool && callTool(request, connection, client, tool, args, meta);
        },
      },
      { body, headers },
    );
  }

  app.route({
    method: "POST",
    url: ROUTE,
    config: { access: MCP_ACCESS },
    onRequest: authenticate,
    async handler(request: FastifyRequest, reply: FastifyReply) {
      const caller = callers.get(request)!;
      if (!caller.connectionId) throw invalidInput({ path: ["headers", connectionHeader], message: "is required" });
      if (Array.isArray(request.body) && request.body.length > MAX_BATCH)
        throw invalidInput({ path: ["body"], message: `must be at most ${MAX_BATCH} messages` });
      const responding = respond(request, reply, caller);
      request.trace.work = responding;
      const response = await responding;
      const type = response.headers.get("content-type");
      if (type) reply.type(type);
      return reply.code(response.status).send(response.body ? Buffer.from(await response.arrayBuffer()) : undefined);
    },
  });

  // Without sessions there is no event stream to open with GET, and no session to end with DELETE.
  app.route({
    method: ["GET", "DELETE"],
    url: ROUTE,
    exposeHeadRoute: false,
    config: { access: MCP_ACCESS },
    onRequest: authenticate,
    handler: (_, reply) =>
      reply
        .code(405)
        .header("allow", "POST")
        .send({
          success: false,
          errors: [{ code: 7001, message: "Input Validation Error", detail: "only POST is supported" }],
        }),
  });
}

const instructions = (provider: string) =>
  `Tools for the user's ${provider} account. Records have the same format for every provider. Lists are paginated: \
to get the next page, pass \`metadata.next\` as \`after\`. Get ids for arguments from the tools that list them.`;

const faultKind = (error: unknown): FaultKind => (error instanceof Fault ? error.kind : "internal");

/** Faults that the user has to fix: the model gets them as tool errors, so that it can say so. */
const UNUSABLE_CONNECTION: FaultKind[] = ["connection_missing", "integration_missing", "credentials_unreadable"];

const callsToolsOnly = (body: unknown): boolean =>
  [body].flat().every((message) => (message as { method?: unknown } | null)?.method === "tools/call");

const toErrorResult = (text: string) => ({ content: [{ type: "text" as const, text }], isError: true });
