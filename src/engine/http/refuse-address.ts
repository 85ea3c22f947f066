import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { isPrivateAddress } from "./private-address.ts";
import type { Resolve } from "./resolver.ts";

/** What an address given by a user may be. */
export interface AddressRules {
  allowPrivate: boolean;
  /** Whether it may have a query. */
  query?: boolean;
  /** Whether it has to be encrypted. */
  https?: boolean;
  /** Resolves names; for tests. */
  resolve?: Resolve | undefined;
}

/** Why an address given by a user must not be called; undefined if it may. It is checked again at every connect. */
export async function refuseAddress(address: string, rules: AddressRules): Promise<string | undefined> {
  const url = URL.parse(address);
  if (!url || !["http:", "https:"].includes(url.protocol)) return "Must be an http or https address";
  if (rules.https && url.protocol !== "https:") return "Must be an https address";
  if (url.username || url.password) return "Must not contain a user name or a password";
  if (url.hash || (url.search && !rules.query))
    return rules.query ? "Must not have a fragment" : "Must not have a query or a fragment";
  if (rules.allowPrivate) return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const addresses = isIP(host)
    ? [host]
    : await (rules.resolve ?? lookup)(host, { all: true }).then(
        (found) => found.map(({ address }) => address),
        // A name that does not resolve now may do so later; the check at each connect decides then.
        () => [],
      );
  return addresses.some(isPrivateAddress)
    ? "Must not be a private address; set ALLOW_PRIVATE_UPSTREAMS=true to allow upstreams in your own network"
    : undefined;
}
