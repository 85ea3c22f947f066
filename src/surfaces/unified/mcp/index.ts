import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Fault, invalidInput, ProviderFailure } from "../../../contracts/fault.ts";
import type { BoundOperation } from "../../../contracts/operation.ts";
import type { Cancellation, ConnectionContext } from "../../../engine/index.ts";
import { type ForwardingCaller, identifyForwardingCaller } from "../../shared/caller.ts";
import { type ForwardingOptions, forwardingLimit } from "../../shared/forwarding.ts";
import { clientCancellation } from "../../shared/relay.ts";
import { toResponse } from "../response.ts";
import { explain } from "./advice.ts";
import { createTools, type Tool } from "./tools.ts";

const ROUTE = "/v1/mcp";

export interface UnifiedMcpOptions extends ForwardingOptions {
  operations: readonly BoundOperation[];
}

/**
 * Unified MCP: the unified operations of a connection as tools, whatever its provider. It is mounted inside the Unified
 * API and uses its error format, except that errors of a tool call are reported to the model.
 */
export function unifiedMcp(app: FastifyInstance, options: UnifiedMcpOptions): void {
  const { engine, operations, headerPrefix } = options;
  const limit = forwardingLimit(options.rateLimit);
  const connectionHeader = `${headerPrefix}Connection-ID`;
  const callers = new WeakMap<FastifyRequest, ForwardingCaller>();
  let tools: Tool[] | undefined;

  async function authenticate(request: FastifyRequest): Promise<void> {
    callers.set(request, await identifyForwardingCaller(engine, request, connectionHeader.toLowerCase()));
  }

  async function callTool(
    request: FastifyRequest,
    connection: ConnectionContext,
    client: Cancellation,
    { operation, read }: Tool,
    args: Record<string, unknown>,
  ) {
    const { trace } = request;
    try {
      const input = read(args, { ...request.headers, [connectionHeader.toLowerCase()]: connection.record.id });
      const result = await engine.run({ operation, connection, ...input, client });
      trace.upstreamCalls += result.calls;
      const body = toResponse(operation, result, input.includeRaw);
      return { content: [{ type: "text" as const, text: JSON.stringify(body) }], structuredContent: body };
    } catch (error) {
      trace.outcome = error instanceof ProviderFailure ? `provider_${error.status}` : faultKind(error);
      if (trace.outcome === "internal" && !client.cancelled)
        request.log.error({ err: error, request_id: request.id }, "tool call failed");
      const text = explain(error, connection.provider.manifest.name, request.id);
      return { content: [{ type: "text" as const, text }], isError: true };
    }
  }

  app.route({
    method: "POST",
    url: ROUTE,
    onRequest: authenticate,
    async handler(request: FastifyRequest, reply: FastifyReply) {
      const caller = callers.get(request)!;
      if (!caller.connectionId) throw invalidInput({ path: ["headers", connectionHeader], message: "is required" });
      const { body } = request;
      // Every message of a batch counts as a call.
      const calls = Array.isArray(body) ? Math.max(1, body.length) : 1;
      const connection = await engine.authorize({ ...caller, limit, calls });
      const client = clientCancellation(reply);
      tools ??= createTools(operations, headerPrefix);
      const { handleMcpRequest } = await import("./server.ts");
      const response = await handleMcpRequest({
        body,
        headers: request.headers,
        provider: connection.provider.manifest.name,
        tools: tools.filter(({ operation }) => engine.supports(connection, operation)),
        callTool: (tool, args) => callTool(request, connection, client, tool, args),
      });
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

const faultKind = (error: unknown) => (error instanceof Fault ? error.kind : "internal");
