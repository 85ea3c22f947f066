import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Fault } from "../../contracts/fault.ts";
import { type Cancellation, confine } from "../../engine/index.ts";
import { identifyForwardingCaller } from "../shared/caller.ts";
import { forwardingLimit, MCP_ACCESS, type McpOptions } from "../shared/forwarding.ts";
import { sendForwardingError } from "../shared/forwarding-errors.ts";
import { assertOriginAllowed } from "../shared/origin.ts";
import { createRateLimitHeaders } from "../shared/rate-limit-headers.ts";
import { beforeBodyParsing, createRelay, requestBody } from "../shared/relay.ts";
import { splitUrl } from "../shared/split-url.ts";
import { traceConnection } from "../shared/trace.ts";
import { traceMessages } from "./traced-message.ts";

const NO_PATH = confine("");

/** MCP over Streamable HTTP to the provider's own MCP server, with the connection's credentials. */
export function mcp(app: FastifyInstance, options: McpOptions): void {
  const { engine, headerPrefix, allowsOrigin } = options;
  const limit = forwardingLimit(options.rateLimit);
  const setRateLimit = createRateLimitHeaders(options.rateLimit);
  const relay = createRelay(app, headerPrefix);
  const ownPrefix = headerPrefix.toLowerCase();

  async function identifyCaller(request: FastifyRequest) {
    assertOriginAllowed(request, allowsOrigin);
    return identifyForwardingCaller(engine, request, `${ownPrefix}connection-id`, MCP_ACCESS);
  }

  async function serve(request: FastifyRequest, reply: FastifyReply, client: Cancellation): Promise<void> {
    const { raw } = request;
    const connection = await engine.authorize({
      ...(await identifyCaller(request)),
      requires: "mcp",
      limit,
      onCounted: (counted) => setRateLimit(reply, counted),
    });
    traceConnection(request.trace, connection);
    const response = await engine.forward({
      connection,
      to: "mcp",
      method: raw.method!,
      path: NO_PATH,
      query: splitUrl(raw.url!)[1],
      headers: raw.headers,
      ownPrefix,
      body: requestBody(request),
      // The server may already have acted on a message, so retrying is up to the MCP client.
      maxRetries: 0,
      client,
      trace: request.trace,
    });
    traceMessages(request.trace, response);
    relay(request, reply, response, client);
  }

  app.setErrorHandler(sendForwardingError);
  // A request to an unknown path gets a 404 whatever its content type is.
  app.removeAllContentTypeParsers();
  app.setNotFoundHandler(
    { preHandler: async (request: FastifyRequest) => void (await identifyCaller(request)) },
    () => {
      throw new Fault("not_found", "the MCP endpoint has no sub-paths");
    },
  );
  app.route({
    method: ["GET", "POST", "DELETE"],
    url: "/",
    exposeHeadRoute: false,
    config: { access: MCP_ACCESS },
    ...beforeBodyParsing(serve),
  });
}
