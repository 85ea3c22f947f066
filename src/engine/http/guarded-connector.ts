import { isIP, type LookupFunction } from "node:net";
import { buildConnector } from "undici";
import { Fault } from "../../contracts/fault.ts";
import type { AllowedPrivate, ProxySettings } from "../../contracts/network.ts";
import { createProxyChoice, openTunnel, portOf, withoutBrackets } from "../../runtime/outbound-proxy.ts";
import { createAddressCheck } from "./private-address.ts";
import { createResolver, type Resolve } from "./resolver.ts";

const CONNECT_TIMEOUT_MS = 10_000;

interface ConnectorOptions {
  allowPrivateUpstreams: AllowedPrivate;
  trustedOrigin: string | undefined;
  proxy?: ProxySettings | undefined;
  /** Resolves names; for tests. */
  resolve?: Resolve;
}

const forbidden = (host: string) =>
  new Fault(
    "upstream_forbidden",
    `${host} is a private address; set ALLOW_PRIVATE_UPSTREAMS=true, or to its address range, to allow upstreams in your own network`,
  );

/** Every address of a name is checked, not only the first. */
export const refuseSome =
  (isRefused: (address: string) => boolean) =>
  (hostname: string, found: readonly { address: string }[]): void => {
    if (found.length === 0 || found.some(({ address }) => isRefused(address))) throw forbidden(hostname);
  };

const firstAddress = (lookup: LookupFunction, hostname: string): Promise<string> =>
  new Promise((resolve, reject) =>
    lookup(hostname, {}, (error, address) => (error ? reject(error) : resolve(address as string))),
  );

/** Opens the sockets of a transport, directly or through the proxy. The address is checked at every connect. */
export function createConnectors({ allowPrivateUpstreams, trustedOrigin, proxy, resolve }: ConnectorOptions) {
  const isRefused = createAddressCheck(allowPrivateUpstreams);
  const anyAddress = createResolver(() => {}, resolve);
  const allowedAddress = createResolver(refuseSome(isRefused), resolve);
  const chooseProxy = createProxyChoice(proxy);

  /** What the proxy gets. It looks up a name again, so only an address is certain to be the one that was checked. */
  async function checkedHost(host: string, isUnchecked: boolean): Promise<string> {
    if (isIP(host) || proxy!.target === "unresolved") return host;
    if (isUnchecked && proxy!.target === "name") return host;
    const address = await firstAddress(isUnchecked ? anyAddress : allowedAddress, host);
    return proxy!.target === "address" ? address : host;
  }

  return function createConnector(settings: buildConnector.BuildOptions): buildConnector.connector {
    const direct = (lookup: LookupFunction) => buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup, ...settings });
    const unguarded = direct(anyAddress);
    const guarded = direct(allowedAddress);

    return (target, callback) => {
      const isTrusted = `${target.protocol}//${target.host}` === trustedOrigin;
      const isUnchecked = isTrusted || allowPrivateUpstreams === true;
      const host = withoutBrackets(target.hostname);
      if (!isUnchecked && isIP(host) && isRefused(host)) return callback(forbidden(host), null);
      const chosen = chooseProxy(target);
      if (!chosen) return (isUnchecked ? unguarded : guarded)(target, callback);
      checkedHost(host, isUnchecked)
        .then((sent) => openTunnel(chosen, sent, portOf(target)))
        .then(
          (httpSocket) =>
            target.protocol === "https:" ? unguarded({ ...target, httpSocket }, callback) : callback(null, httpSocket),
          (error) => callback(error, null),
        );
    };
  };
}
