import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Fault, invalidInput, ProviderFailure } from "../../../contracts/fault.ts";
import type { BoundOperation } from "../../../contracts/operation.ts";
import type { Cancellation, ConnectionContext } from "../../../engine/index.ts";
import { type ForwardingCaller, forwardingCaller } from "../../shared/caller.ts";
import { type ForwardingOptions, forwardingLimit } from "../../shared/forwarding.ts";
import { clientOf } from "../../shared/relay.ts";
import { responseOf } from "../response.ts";
import { explain } from "./advice.ts";
import { createTools, type Tool } from "./tools.ts";

const ADDRESS = "/v1/mcp";

export interface UnifiedMcpOptions extends ForwardingOptions {
  operations: readonly BoundOperation[];
}

/**
 * Unified MCP: the unified operations of a connection as tools, whatever its provider. It is mounted within the Unified
 * API and uses its error format; what goes wrong in a tool is reported to the model instead.
 */
export function unifiedMcp(app: FastifyInstance, options: UnifiedMcpOptions): void {
  const { engine, operations, headerPrefix } = options;
  const limit = forwardingLimit(options.rateLimit);
  const connectionHeader = `${headerPrefix}Connection-ID`;
  const callers = new WeakMap<FastifyRequest, ForwardingCaller>();
  let tools: Tool[] | undefined;

  async function authenticate(request: FastifyRequest): Promise<void> {
    callers.set(request, await forwardingCaller(engine, request, connectionHeader.toLowerCase()));
  }

  async function call(
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
      const body = responseOf(operation, result, input.includeRaw);
      return { content: [{ type: "text" as const, text: JSON.stringify(body) }], structuredContent: body };
    } catch (error) {
      trace.outcome = error instanceof ProviderFailure ? `provider_${error.status}` : outcomeOf(error);
      if (trace.outcome === "internal" && !client.cancelled)
        request.log.error({ err: error, request_id: request.id }, "a tool call failed");
      const text = explain(error, connection.provider.manifest.name, request.id);
      return { content: [{ type: "text" as const, text }], isError: true };
    }
  }

  app.route({
    method: "POST",
    url: ADDRESS,
    onRequest: authenticate,
    async handler(request: FastifyRequest, reply: FastifyReply) {
      const caller = callers.get(request)!;
      if (!caller.connectionId) throw invalidInput({ path: ["headers", connectionHeader], message: "is required" });
      const { body } = request;
      // A batch is as many calls as it has messages.
      const calls = Array.isArray(body) ? Math.max(1, body.length) : 1;
      const connection = await engine.authorize({ ...caller, limit, calls });
      const client = clientOf(reply);
      tools ??= createTools(operations, headerPrefix);
      const { answer } = await import("./server.ts");
      const response = await answer({
        body,
        headers: request.headers,
        provider: connection.provider.manifest.name,
        tools: tools.filter(({ operation }) => engine.supports(connection, operation)),
        call: (tool, args) => call(request, connection, client, tool, args),
      });
      const type = response.headers.get("content-type");
      if (type) reply.type(type);
      return reply.code(response.status).send(response.body ? Buffer.from(await response.arrayBuffer()) : undefined);
    },
  });

  // No session means no stream of the server's own to listen to, and nothing to end.
  app.route({
    method: ["GET", "DELETE"],
    url: ADDRESS,
    exposeHeadRoute: false,
    onRequest: authenticate,
    handler: (_, reply) =>
      reply
        .code(405)
        .header("allow", "POST")
        .send({ success: false, errors: [{ code: 7001, message: "Input Validation Error", detail: "POST only" }] }),
  });
}

const outcomeOf = (error: unknown) => (error instanceof Fault ? error.kind : "internal");
