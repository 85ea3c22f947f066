import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { AllowedPrivate } from "../../contracts/network.ts";
import { createAddressCheck, isPrivateAddress } from "./private-address.ts";
import type { Resolve } from "./resolver.ts";

/** What an address given by a user may be. */
export interface AddressRules {
  allowPrivate: AllowedPrivate;
  /** Whether it may have a query. */
  query?: boolean;
  /** Whether it has to be encrypted, unless it is one of the private addresses that are allowed. */
  https?: boolean;
  /** Names are not looked up here, because a proxy does that. */
  unresolved?: boolean;
  /** Resolves names; for tests. */
  resolve?: Resolve | undefined;
}

const NOT_ENCRYPTED = "Must be an https address";

/** Why an address given by a user must not be called; undefined if it may. It is checked again at every connect. */
export async function refuseAddress(address: string, rules: AddressRules): Promise<string | undefined> {
  const url = URL.parse(address);
  if (!url || !["http:", "https:"].includes(url.protocol)) return "Must be an http or https address";
  const mustBeOwn = rules.https === true && url.protocol !== "https:";
  // No name needs to be looked up for this.
  if (mustBeOwn && rules.allowPrivate === false) return NOT_ENCRYPTED;
  if (url.username || url.password) return "Must not contain a user name or a password";
  if (url.hash || (url.search && !rules.query))
    return rules.query ? "Must not have a fragment" : "Must not have a query or a fragment";
  if (rules.allowPrivate === true) return undefined;
  const addresses = await addressesOf(url.hostname.replace(/^\[|\]$/g, ""), rules);
  const isRefused = addresses.some(createAddressCheck(rules.allowPrivate));
  const isOwn = !isRefused && addresses.length > 0 && addresses.every(isPrivateAddress);
  if (mustBeOwn && !isOwn) return NOT_ENCRYPTED;
  return isRefused
    ? "Must not be a private address; set ALLOW_PRIVATE_UPSTREAMS=true, or to its address range, to allow upstreams in your own network"
    : undefined;
}

async function addressesOf(host: string, { resolve = lookup, unresolved }: AddressRules): Promise<string[]> {
  if (isIP(host)) return [host];
  if (unresolved) return [];
  return resolve(host, { all: true }).then(
    (found) => found.map(({ address }) => address),
    // A name that does not resolve now may do so later; the check at each connect decides then.
    () => [],
  );
}
