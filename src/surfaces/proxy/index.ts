import type { FastifyInstance } from "fastify";
import type { Access } from "../../contracts/access.ts";
import { Fault, invalidInput } from "../../contracts/fault.ts";
import { type CredentialPlaces, credentialPlaces } from "../../contracts/manifest.ts";
import { type Cancellation, type ConnectionContext, confine } from "../../engine/index.ts";
import { METHODS } from "../../runtime/node-http.ts";
import { type ForwardingCaller, identifyForwardingCaller } from "../shared/caller.ts";
import { type ForwardingOptions, forwardingLimit } from "../shared/forwarding.ts";
import { sendForwardingError } from "../shared/forwarding-errors.ts";
import { createRateLimitHeaders } from "../shared/rate-limit-headers.ts";
import { beforeBodyParsing, createRelay, requestBody } from "../shared/relay.ts";
import { readRetries } from "../shared/retries.ts";
import { splitUrl } from "../shared/split-url.ts";
import type { DirectSurface, SurfaceReply, SurfaceRequest } from "../shared/surface-types.ts";
import { traceConnection } from "../shared/trace.ts";
import { createLinkRewriter, hasRewritableBody } from "./links.ts";

/** CONNECT opens tunnels. TRACE would echo the provider's credentials to the client. */
const REFUSED_METHODS = ["CONNECT", "TRACE"];

export const PROXY_ACCESS = { scope: "proxy" } satisfies Access;

export interface ProxyOptions extends ForwardingOptions {
  /** The Proxy's public address. */
  url: string;
}

/** A credential in a place of another provider would be forwarded to this one. */
function assertOwnPlace(
  { place }: ForwardingCaller,
  { credentialPlaces: { headers, query } }: ConnectionContext,
): void {
  if (place !== undefined && !headers.includes(place) && !query.includes(place))
    throw new Fault("unauthorized", "the credential is not where the provider expects it");
}

/** The Proxy forwards a client's request to the provider's API with the connection's credentials. */
export function proxy(app: FastifyInstance, options: ProxyOptions): DirectSurface {
  const { engine, headerPrefix, url: ownUrl } = options;
  const limit = forwardingLimit(options.rateLimit);
  const setRateLimit = createRateLimitHeaders(options.rateLimit, headerPrefix);
  const relay = createRelay(app, headerPrefix);
  const ownPrefix = headerPrefix.toLowerCase();
  const all = [...engine.sharedProviders.values()].map(({ manifest }) => credentialPlaces(manifest));
  const places: CredentialPlaces = {
    headers: [...new Set(all.flatMap(({ headers }) => headers))],
    query: [...new Set(all.flatMap(({ query }) => query))],
  };
  const connectionHeader = `${ownPrefix}connection-id`;
  const retriesHeader = `${headerPrefix}Max-Retries`;
  const retriesHeaderName = retriesHeader.toLowerCase();

  function readMaxRetries({ headers }: SurfaceRequest): number {
    const retries = readRetries(headers[retriesHeaderName] as string | undefined);
    if (retries === undefined)
      throw invalidInput({ path: ["header", retriesHeader], message: "must be a non-negative integer" });
    return retries;
  }

  /**
   * The provider's path and query: the rest of the URL after our prefix, unchanged. The router also matches absolute
   * URLs and percent-encoded forms of the prefix, which are refused.
   */
  function readProxyPath(url: string) {
    if (!url.startsWith(app.prefix)) throw invalidInput({ path: ["path"], message: `must start with ${app.prefix}` });
    const [path, query] = splitUrl(url.slice(app.prefix.length));
    if (query?.includes("#")) throw invalidInput({ path: ["path"], message: "must not have a fragment" });
    return { path: confine(path), query };
  }

  async function serve(request: SurfaceRequest, reply: SurfaceReply, client: Cancellation): Promise<void> {
    const { raw } = request;
    const identified = identifyForwardingCaller(engine, request, connectionHeader, PROXY_ACCESS, places);
    const caller = identified instanceof Promise ? await identified : identified;
    const { path, query } = readProxyPath(raw.url!);
    if (REFUSED_METHODS.includes(raw.method!))
      throw invalidInput({ path: ["method"], message: `${raw.method} is not forwarded` });
    const maxRetries = readMaxRetries(request);
    const authorized = engine.authorize({
      user: caller.user,
      connectionId: caller.connectionId,
      limit,
      onCounted: (counted) => setRateLimit(reply, counted),
    });
    const connection = authorized instanceof Promise ? await authorized : authorized;
    traceConnection(request.trace, connection);
    assertOwnPlace(caller, connection);
    const target = connection.target(path);
    // Links cannot be found in a compressed body.
    raw.headers["accept-encoding"] = "identity";
    const response = await engine.forward({
      connection,
      to: target.to,
      method: raw.method!,
      path: target.path,
      query,
      headers: raw.headers,
      ownPrefix,
      body: requestBody(request),
      maxRetries,
      client,
      trace: request.trace,
    });
    const links = createLinkRewriter(connection, target, ownUrl);
    links.headers(response.headers);
    // Not in a part of a body (206), whose place in the whole would no longer be the one that its headers say.
    const hasBody = raw.method !== "HEAD" && ![204, 206, 304].includes(response.status);
    const { fileContent } = connection.provider.manifest;
    const isFile = fileContent?.test(query === undefined ? path : `${path}?${query}`);
    if (hasBody && !isFile && hasRewritableBody(response.headers)) {
      // Deleted, it would make an object of slow access of all headers.
      response.headers["content-length"] = undefined;
      response.pipeTo = links.body(response.pipeTo);
    }
    relay(request, reply, response, client);
  }

  app.setErrorHandler(sendForwardingError);
  for (const method of METHODS)
    if (!app.supportedMethods.includes(method) && method !== "CONNECT") app.addHttpMethod(method);
  for (const url of ["/", "/*"])
    app.route({ method: app.supportedMethods, url, config: { access: PROXY_ACCESS }, ...beforeBodyParsing(serve) });
  return { find: () => serve, sendError: sendForwardingError };
}
