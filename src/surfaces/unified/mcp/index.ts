import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import { Fault, type FaultKind, invalidInput, ProviderFailure } from "../../../contracts/fault.ts";
import { type BoundOperation, isWrite } from "../../../contracts/operation.ts";
import { type Cancellation, type ConnectionContext, ReplayedFailure } from "../../../engine/index.ts";
import { type ForwardingCaller, identifyForwardingCaller, identifyMcpClient } from "../../shared/caller.ts";
import { forwardingLimit, MCP_ACCESS, type McpOptions } from "../../shared/forwarding.ts";
import { toFault } from "../../shared/framework-errors.ts";
import { MCP_SCOPE, type McpAddresses } from "../../shared/mcp-addresses.ts";
import { assertOriginAllowed } from "../../shared/origin.ts";
import { createRateLimitHeaders } from "../../shared/rate-limit-headers.ts";
import { clientCancellation } from "../../shared/relay.ts";
import { traceConnection, traceFailure } from "../../shared/trace.ts";
import { serializeSafely } from "../errors.ts";
import { toResponse } from "../response.ts";
import { explain } from "./advice.ts";
import { createTools, type Tool } from "./tools.ts";

/** Also with a workspace, as which people sign in. */
const ROUTES = ["/v1/mcp", "/v1/mcp/w/:clientId"];
/** In a result that an earlier call with the same idempotency key got. */
const REPLAYED = { _meta: { "plugboard/idempotency-replayed": true } };
const MAX_BATCH = 100;

export interface UnifiedMcpOptions extends McpOptions {
  operations: readonly BoundOperation[];
  /** Where people can sign in. */
  addresses: McpAddresses;
}

/**
 * Unified MCP: the unified operations of a connection as tools, whatever its provider. It is mounted inside the Unified
 * API and uses its error format, except that errors of a tool call are reported to the model.
 */
export function unifiedMcp(app: FastifyInstance, options: UnifiedMcpOptions): void {
  const { engine, operations, headerPrefix, allowsOrigin, addresses } = options;
  const limit = forwardingLimit(options.rateLimit);
  const setRateLimit = createRateLimitHeaders(options.rateLimit);
  const connectionHeader = `${headerPrefix}Connection-ID`;
  const callers = new WeakMap<FastifyRequest, ForwardingCaller>();
  let created: Tool[] | undefined;
  const allTools = () => {
    created ??= createTools(operations, headerPrefix);
    return created;
  };

  async function authenticate(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    assertOriginAllowed(request, allowsOrigin);
    const { clientId } = request.params as { clientId?: string };
    const resource = addresses.of(clientId);
    try {
      const header = connectionHeader.toLowerCase();
      const caller =
        (await identifyMcpClient(engine, request, header, resource)) ??
        (await identifyForwardingCaller(engine, request, header, MCP_ACCESS));
      if (clientId !== undefined && caller.user.workspace.client_id !== clientId)
        throw new Fault("unauthorized", "the API key is of another workspace than this address");
      callers.set(request, caller);
    } catch (error) {
      if (faultKind(error) === "unauthorized") await challenge(request, reply, resource);
      throw error;
    }
  }

  /** Says where people can sign in (RFC 9728, 5.1), if they can. */
  async function challenge({ headers }: FastifyRequest, reply: FastifyReply, resource: string): Promise<void> {
    if (!(await addresses.workspace(resource))) return;
    const refused = headers.authorization === undefined ? "" : 'error="invalid_token", ';
    const metadata = `resource_metadata="${addresses.metadataUrl(resource)}"`;
    reply.header("www-authenticate", `Bearer ${refused}${metadata}, scope="${MCP_SCOPE}"`);
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
      const { refuseToolCalls } = await import("./server.ts");
      const explained = explain(error, { tools: allTools(), requestId: request.id });
      return refuseToolCalls({ body, headers }, toErrorResult(explained));
    }
    traceConnection(request.trace, connection);
    const client = clientCancellation(reply);
    const { handleMcpRequest } = await import("./server.ts");
    const provider = connection.provider.manifest.name;
    return handleMcpRequest({
      body,
      headers,
      provider,
      tools: allTools().filter(
        ({ operation }) =>
          engine.supports(connection, operation) && (caller.user.grant?.access !== "read" || !isWrite(operation.kind)),
      ),
      define: (tool) => tool.define(provider, engine.requires(connection, tool.operation)),
      callTool: (tool, args, meta) => callTool(request, connection, client, tool, args, meta),
    });
  }

  const messages: Omit<RouteOptions, "url"> = {
    method: "POST",
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
  };

  // Without sessions there is no event stream to open with GET, and no session to end with DELETE.
  const sessions: Omit<RouteOptions, "url"> = {
    method: ["GET", "DELETE"],
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
  };

  for (const url of ROUTES) for (const route of [messages, sessions]) app.route({ ...route, url });
}

const faultKind = (error: unknown): FaultKind => (error instanceof Fault ? error.kind : "internal");

/** Faults that the user has to fix: the model gets them as tool errors, so that it can say so. */
const UNUSABLE_CONNECTION: FaultKind[] = ["connection_missing", "integration_missing", "credentials_unreadable"];

const callsToolsOnly = (body: unknown): boolean =>
  [body].flat().every((message) => (message as { method?: unknown } | null)?.method === "tools/call");

const toErrorResult = (text: string) => ({ content: [{ type: "text" as const, text }], isError: true });
