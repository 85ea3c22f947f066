import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Fault } from "../../contracts/fault.ts";
import { confine, type Ending, type LiveConnection } from "../../engine/index.ts";
import { sendProxyError } from "../shared/forwarding-errors.ts";
import { createGate, type GateOptions } from "../shared/gate.ts";
import { bodyOf, createRelay, splitQuery, unread } from "../shared/relay.ts";

const SELF = confine("");

function requireServer(live: LiveConnection): void {
  if (!live.hasAddress("mcp"))
    throw new Fault("mcp_unsupported", `${live.provider.manifest.name} has no MCP server that is known`);
}

/** MCP over Streamable HTTP to the provider's own MCP server, with the connection's credentials. */
export function mcp(app: FastifyInstance, options: GateOptions): void {
  const { engine, headerPrefix } = options;
  const gate = createGate(options);
  const relay = createRelay(app, headerPrefix);
  const ownPrefix = headerPrefix.toLowerCase();

  async function serve(request: FastifyRequest, reply: FastifyReply, client: Ending): Promise<void> {
    const { raw } = request;
    const live = await gate.admit(await gate.caller(request), { check: requireServer });
    const answer = await engine.forward({
      live,
      to: "mcp",
      method: raw.method!,
      path: SELF,
      query: splitQuery(raw.url!)[1],
      headers: raw.headers,
      ownPrefix,
      body: bodyOf(request),
      // A message may have been acted upon, and an MCP client knows best how to go on.
      maxRetries: 0,
      client,
    });
    relay(request, reply, answer, client);
  }

  app.setErrorHandler(sendProxyError);
  // A request that leads nowhere is told so whatever its body is.
  app.removeAllContentTypeParsers();
  app.setNotFoundHandler({ preHandler: async (request: FastifyRequest) => void (await gate.caller(request)) }, () => {
    throw new Fault("not_found", "MCP has one address and no path below it");
  });
  app.route({ method: ["GET", "POST", "DELETE"], url: "/", exposeHeadRoute: false, ...unread(serve) });
}
