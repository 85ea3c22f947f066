import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Fault, invalidInput, ProviderFailure } from "../../../contracts/fault.ts";
import type { Ending, LiveConnection } from "../../../engine/index.ts";
import { type Caller, createGate, type GateOptions } from "../../shared/gate.ts";
import { clientOf } from "../../shared/relay.ts";
import { responseOf } from "../index.ts";
import { explain } from "./advice.ts";
import { createTools, type Tool } from "./tools.ts";

const ADDRESS = "/v1/mcp";

/**
 * Unified MCP: the unified operations of a connection as tools, whatever its provider. It is mounted within the Unified
 * API, whose errors it speaks; what goes wrong in a tool is told to the model instead.
 */
export function unifiedMcp(app: FastifyInstance, options: GateOptions): void {
  const { engine, headerPrefix } = options;
  const gate = createGate(options);
  const connectionHeader = `${headerPrefix}Connection-ID`;
  const callers = new WeakMap<FastifyRequest, Caller>();
  let tools: Tool[] | undefined;

  async function authenticate(request: FastifyRequest): Promise<void> {
    callers.set(request, await gate.caller(request));
  }

  async function call(
    request: FastifyRequest,
    live: LiveConnection,
    client: Ending,
    { operation, read }: Tool,
    args: Record<string, unknown>,
  ) {
    const { trace } = request;
    try {
      const input = read(args, { ...request.headers, [connectionHeader.toLowerCase()]: live.record.id });
      const result = await engine.run({ operation, live, ...input, client });
      trace.upstreamCalls += result.calls;
      const body = responseOf(operation, result, input.includeRaw);
      return { content: [{ type: "text" as const, text: JSON.stringify(body) }], structuredContent: body };
    } catch (error) {
      trace.outcome = error instanceof ProviderFailure ? `provider_${error.status}` : outcomeOf(error);
      if (trace.outcome === "internal" && !client.over)
        request.log.error({ err: error, request_id: request.id }, "a tool call failed");
      const text = explain(error, live.provider.manifest.name, request.id);
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
      const live = await gate.admit(caller, { calls: Array.isArray(body) ? Math.max(1, body.length) : 1 });
      const client = clientOf(reply);
      tools ??= createTools(headerPrefix);
      const { answer } = await import("./server.ts");
      const response = await answer({
        body,
        headers: request.headers,
        provider: live.provider.manifest.name,
        tools: tools.filter(({ operation }) => engine.supports(live, operation)),
        call: (tool, args) => call(request, live, client, tool, args),
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
