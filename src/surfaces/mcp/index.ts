import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Fault } from "../../contracts/fault.ts";
import { type Cancellation, confine } from "../../engine/index.ts";
import { forwardingCaller } from "../shared/caller.ts";
import { type ForwardingOptions, forwardingLimit } from "../shared/forwarding.ts";
import { sendForwardingError } from "../shared/forwarding-errors.ts";
import { beforeBodyParsing, bodyOf, createRelay } from "../shared/relay.ts";
import { splitUrl } from "../shared/split-url.ts";

const NO_PATH = confine("");

/** MCP over Streamable HTTP to the provider's own MCP server, with the connection's credentials. */
export function mcp(app: FastifyInstance, options: ForwardingOptions): void {
  const { engine, headerPrefix } = options;
  const limit = forwardingLimit(options.rateLimit);
  const relay = createRelay(app, headerPrefix);
  const ownPrefix = headerPrefix.toLowerCase();
  const callerOf = (request: FastifyRequest) => forwardingCaller(engine, request, `${ownPrefix}connection-id`);

  async function serve(request: FastifyRequest, reply: FastifyReply, client: Cancellation): Promise<void> {
    const { raw } = request;
    const connection = await engine.authorize({ ...(await callerOf(request)), requires: "mcp", limit });
    const answer = await engine.forward({
      connection,
      to: "mcp",
      method: raw.method!,
      path: NO_PATH,
      query: splitUrl(raw.url!)[1],
      headers: raw.headers,
      ownPrefix,
      body: bodyOf(request),
      // A message may have been acted upon, and an MCP client knows best how to continue.
      maxRetries: 0,
      client,
    });
    relay(request, reply, answer, client);
  }

  app.setErrorHandler(sendForwardingError);
  // A request to a path that does not exist is refused whatever its body is.
  app.removeAllContentTypeParsers();
  app.setNotFoundHandler({ preHandler: async (request: FastifyRequest) => void (await callerOf(request)) }, () => {
    throw new Fault("not_found", "the MCP endpoint has no sub-paths");
  });
  app.route({ method: ["GET", "POST", "DELETE"], url: "/", exposeHeadRoute: false, ...beforeBodyParsing(serve) });
}
