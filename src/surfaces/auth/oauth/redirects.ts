import { isLoopback } from "../../../contracts/network.ts";
import { redirectProblem } from "../../shared/redirect-uris.ts";

/** Why a client cannot have this address; undefined if it can. Without encryption only on the person's own machine. */
export function clientRedirectProblem(uri: string): string | undefined {
  const problem = redirectProblem(uri);
  if (problem) return problem;
  const url = new URL(uri);
  return url.protocol === "http:" && !isLoopback(url.hostname) ? "Must be https, or http on this machine" : undefined;
}

/** Without its port, if it leads to a program on the person's own machine, which cannot choose its port (RFC 8252, 7.3). */
function withoutLoopbackPort(uri: string): string {
  const url = URL.parse(uri);
  return url?.protocol === "http:" && isLoopback(url.hostname)
    ? uri.replace(/^(http:\/\/(?:\[[^\]]*\]|[^:/?]+)):\d+/, "$1")
    : uri;
}

/** Whether a client may receive its codes there. Addresses are compared as text, exactly. */
export function isRegistered(registered: readonly string[], uri: string): boolean {
  if (clientRedirectProblem(uri)) return false;
  const wanted = withoutLoopbackPort(uri);
  return registered.some((one) => one === uri || withoutLoopbackPort(one) === wanted);
}

/** Whom an address leads to: its host, or the scheme of an app with its colon, since it may look like a host. */
export function redirectHost(uri: string): string {
  const { hostname, host, protocol } = new URL(uri);
  if (!/^https?:$/.test(protocol)) return protocol;
  return isLoopback(hostname) ? hostname : host;
}
