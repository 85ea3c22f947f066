import { METHODS } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { invalidInput } from "../../contracts/fault.ts";
import { type Cancellation, confine } from "../../engine/index.ts";
import { forwardingCaller } from "../shared/caller.ts";
import { type ForwardingOptions, forwardingLimit } from "../shared/forwarding.ts";
import { sendForwardingError } from "../shared/forwarding-errors.ts";
import { beforeBodyParsing, bodyOf, createRelay } from "../shared/relay.ts";
import { readRetries } from "../shared/retries.ts";
import { splitUrl } from "../shared/split-url.ts";
import { rewriteLinks } from "./links.ts";

/** CONNECT is for tunnels; TRACE would show the client the credentials that were added for it. */
const REFUSED_METHODS = ["CONNECT", "TRACE"];

export interface ProxyOptions extends ForwardingOptions {
  /** The Proxy's public address. */
  url: string;
}

/** The Proxy: a client's own request to the provider's own API, with the connection's credentials. */
export function proxy(app: FastifyInstance, options: ProxyOptions): void {
  const { engine, headerPrefix, url: ownUrl } = options;
  const limit = forwardingLimit(options.rateLimit);
  const relay = createRelay(app, headerPrefix);
  const ownPrefix = headerPrefix.toLowerCase();
  const connectionHeader = `${ownPrefix}connection-id`;
  const retriesHeader = `${headerPrefix}Max-Retries`;
  const retriesHeaderName = retriesHeader.toLowerCase();

  function retriesOf({ headers }: FastifyRequest): number {
    const retries = readRetries(headers[retriesHeaderName] as string | undefined);
    if (retries === undefined)
      throw invalidInput({ path: ["header", retriesHeader], message: "must be a whole number from 0" });
    return retries;
  }

  /** What follows our own path, as it came. The router also takes whole URLs and an encoded form of our path. */
  function targetOf(url: string) {
    if (!url.startsWith(app.prefix)) throw invalidInput({ path: ["path"], message: `must begin with ${app.prefix}` });
    const [path, query] = splitUrl(url.slice(app.prefix.length));
    if (query?.includes("#")) throw invalidInput({ path: ["path"], message: "must not have a fragment" });
    return { path: confine(path), query };
  }

  async function serve(request: FastifyRequest, reply: FastifyReply, client: Cancellation): Promise<void> {
    const { raw } = request;
    const caller = await forwardingCaller(engine, request, connectionHeader);
    const { path, query } = targetOf(raw.url!);
    if (REFUSED_METHODS.includes(raw.method!))
      throw invalidInput({ path: ["method"], message: `${raw.method} is not forwarded` });
    const maxRetries = retriesOf(request);
    const connection = await engine.authorize({ ...caller, limit });
    const answer = await engine.forward({
      connection,
      to: "api",
      method: raw.method!,
      path,
      query,
      headers: raw.headers,
      ownPrefix,
      body: bodyOf(request),
      maxRetries,
      client,
    });
    const { link } = answer.headers;
    if (link) {
      const base = connection.address("api");
      answer.headers.link = rewriteLinks(link, base.origin + base.path, ownUrl);
    }
    relay(request, reply, answer, client);
  }

  app.setErrorHandler(sendForwardingError);
  for (const method of METHODS)
    if (!app.supportedMethods.includes(method) && method !== "CONNECT") app.addHttpMethod(method);
  for (const url of ["/", "/*"]) app.route({ method: app.supportedMethods, url, ...beforeBodyParsing(serve) });
}
