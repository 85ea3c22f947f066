/**
 * Whether only this machine can connect to the host, with or without the brackets that an address of IPv6 has in a URL.
 * A name may have any address, except for `localhost`.
 */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);

/** The proxy that outgoing calls take. */
export interface ProxySettings {
  /** For http addresses. It may contain a user name and a password. */
  http: string | undefined;
  /** For https addresses. */
  https: string | undefined;
  /** Names, addresses and ranges that are called directly. */
  exceptions: readonly string[];
  /**
   * What the proxy gets: the name, after its addresses were looked up and checked here (`name`); an address that was
   * checked (`address`); or the name without looking it up (`unresolved`).
   */
  target: "name" | "address" | "unresolved";
}

/** Which private addresses may be called: all, none, or those in these ranges. */
export type AllowedPrivate = boolean | readonly string[];
