import type { Config } from "../config/index.ts";
import { isLoopback } from "../contracts/network.ts";

/**
 * Which web pages may use MCP and the sandbox's controls from a browser: those of this service's own addresses and, if
 * only this machine can reach the service, those of this machine. Any other page could otherwise make the browser of
 * somebody inside the network call the service for it.
 */
export function createOriginPolicy({ host, urls, localUrl }: Pick<Config, "host" | "urls" | "localUrl">) {
  const own = new Set([localUrl, ...Object.values(urls)].map((url) => new URL(url).origin));
  return (origin: string): boolean => {
    if (own.has(origin)) return true;
    const hostname = URL.parse(origin)?.hostname.replace(/^\[|\]$/g, "");
    return hostname !== undefined && isLoopback(host) && isLoopback(hostname);
  };
}

/**
 * Whether a browser that uses this host has to go to the public address of the Auth API, because only that gets its
 * cookie back from the provider. Without a configured address that is known for `localhost` and `127.0.0.1` only.
 */
export function createHostPolicy({ urls, givenUrls }: Pick<Config, "urls" | "givenUrls">) {
  const own = new URL(urls.auth);
  return (host: string): boolean => {
    const used = URL.parse(`${own.protocol}//${host}`);
    if (!used || used.host === own.host) return false;
    return givenUrls.has("auth") || (isLoopback(used.hostname) && isLoopback(own.hostname) && used.port === own.port);
  };
}
