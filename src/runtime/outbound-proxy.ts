import { request as requestHttps } from "node:https";
import { isIP, type Socket } from "node:net";
import type { ProxySettings } from "../contracts/network.ts";
import { addressList, isAddressRange, isInList } from "./address-list.ts";
import { basicAuth } from "./basic-auth.ts";
import { request as requestHttp } from "./node-http.ts";

/** How long a proxy may take to connect. */
const CONNECT_TIMEOUT_MS = 10_000;

export interface Destination {
  /** With its colon. */
  protocol: string;
  /** An IPv6 address is in brackets. */
  hostname: string;
  port: string | number;
}

/** A proxy did not connect. */
export class ProxyError extends Error {
  readonly code = "ERR_PROXY";

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ProxyError";
  }
}

export const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, "");
export const portOf = ({ protocol, port }: Destination): string => String(port || (protocol === "https:" ? 443 : 80));

/** Only this machine: never through a proxy. */
const isThisMachine = (host: string) => /^(?:.+\.)?localhost$|^127(?:\.\d{1,3}){3}$|^::1$/.test(host);

/** Whether `NO_PROXY` has a destination: a name means its subdomains too, as in curl; a port limits the entry to it. */
export function createExceptions(entries: readonly string[]) {
  const ranges = addressList(entries.filter(isAddressRange));
  const names = entries
    .filter((entry) => !isAddressRange(entry))
    .map((entry) => {
      const [, name = "", port] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase())!;
      return { name: withoutBrackets(name.replace(/^\*?\.(?=.)/, "")), port };
    });
  return (destination: Destination): boolean => {
    const host = withoutBrackets(destination.hostname).toLowerCase().replace(/\.$/, "");
    if (isThisMachine(host)) return true;
    if (isIP(host) && isInList(ranges, host)) return true;
    return names.some(
      ({ name, port }) =>
        (port === undefined || port === portOf(destination)) &&
        (name === "*" || host === name || host.endsWith(`.${name}`)),
    );
  };
}

/** Says which proxy leads to a destination; undefined if it is called directly. */
export function createProxyChoice(settings: ProxySettings | undefined) {
  if (!settings) return () => undefined;
  const isExcepted = createExceptions(settings.exceptions);
  const { http, https } = settings;
  const proxies = { "http:": http && new URL(http), "https:": https && new URL(https) };
  return (destination: Destination): URL | undefined => {
    const proxy = proxies[destination.protocol as keyof typeof proxies] || undefined;
    return proxy && !isExcepted(destination) ? proxy : undefined;
  };
}

const credentialsOf = ({ username, password }: URL): string | undefined =>
  username || password ? basicAuth(decodeURIComponent(username), decodeURIComponent(password)) : undefined;

/** Asks a proxy for a connection to a host and a port, and returns it. */
export function openTunnel(proxy: URL, host: string, port: string): Promise<Socket> {
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const credentials = credentialsOf(proxy);
  return new Promise((resolve, reject) => {
    const fail = (reason: string, cause?: unknown) => {
      asked.destroy();
      reject(new ProxyError(`the proxy ${reason}`, { cause }));
    };
    const asked = (proxy.protocol === "https:" ? requestHttps : requestHttp)({
      method: "CONNECT",
      host: withoutBrackets(proxy.hostname),
      port: portOf(proxy),
      path: authority,
      headers: { host: authority, ...(credentials ? { "proxy-authorization": credentials } : {}) },
      agent: false,
      timeout: CONNECT_TIMEOUT_MS,
    });
    asked.on("timeout", () => fail(`did not connect to ${authority} within ${CONNECT_TIMEOUT_MS / 1000} s`));
    asked.on("error", (error: NodeJS.ErrnoException) => fail(`cannot be used: ${error.code ?? error.name}`, error));
    // A proxy that answers like a web server has no tunnel.
    asked.on("response", ({ statusCode }) => fail(`answered ${statusCode} to CONNECT ${authority}`));
    asked.on("connect", ({ statusCode = 0 }, socket: Socket, head: Buffer) => {
      if (statusCode < 200 || statusCode > 299) return fail(`answered ${statusCode} to CONNECT ${authority}`);
      asked.removeAllListeners("timeout");
      socket.setTimeout(0);
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    asked.end();
  });
}
