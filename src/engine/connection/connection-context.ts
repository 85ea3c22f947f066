import type { Connection, Integration } from "../../contracts/entities.ts";
import { Fault } from "../../contracts/fault.ts";
import {
  type Authorization,
  type CredentialPlaces,
  type Credentials,
  credentialPlaces,
  type Manifest,
} from "../../contracts/manifest.ts";
import type { Provider } from "../../contracts/provider.ts";
import { basicAuth } from "../../runtime/basic-auth.ts";
import type { ConfinedPath } from "../http/confined-path.ts";
import { type Address, resolveAddress } from "./address.ts";
import { findLinkAddresses, type LinkAddress } from "./link-addresses.ts";
import { createTargetFinder, type RequestTarget, type TargetFinder } from "./request-target.ts";

/** A connection ready for calls: everything a call needs, computed once and cached. */
export interface ConnectionContext {
  record: Connection;
  integration: Integration;
  provider: Provider;
  /** How its credentials are sent; header names in lower case. */
  authorization: Authorization;
  /** Where a client may send its own credential, which is not forwarded. */
  credentialPlaces: CredentialPlaces;
  /** Headers that the manifest adds to each request unless the client sends its own. */
  defaults: Readonly<Record<string, string>>;
  /** `defaults` and `authorization`: the headers of every call that we make ourselves. */
  headers: Readonly<Record<string, string>>;
  /** Milliseconds since 1970; infinite if the token does not expire. */
  expiresAt: number;
  /** Throws if the manifest has no such address. */
  address(name: string): Address;
  hasAddress(name: string): boolean;
  /** Where a client's own request leads. */
  target(path: ConfinedPath): RequestTarget;
  /** What links to the provider's addresses begin with in its responses. */
  linkAddresses(): readonly LinkAddress[];
}

export function defaultAuthorization(credentials: Credentials): Authorization {
  if (credentials.token !== undefined) return { headers: { authorization: `Bearer ${credentials.token}` } };
  return { headers: { authorization: basicAuth(credentials.username ?? "", credentials.password ?? "") } };
}

/** The headers that a manifest adds to each request, names in lower case. */
export const manifestHeaders = (manifest: Manifest): Record<string, string> => ({
  "user-agent": "plugboard",
  accept: "application/json",
  ...lowerCase(manifest.headers),
});

const lowerCase = (headers: Record<string, string> = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

export function createConnectionContext(
  provider: Provider,
  connection: Connection,
  integration: Integration,
  sandboxUrl: string | undefined,
): ConnectionContext {
  const { manifest } = provider;
  const resolved = new Map<string, Address | undefined>();
  const find = (name: string) => {
    if (!resolved.has(name))
      resolved.set(name, resolveAddress(manifest, name, integration, connection.settings, sandboxUrl));
    return resolved.get(name);
  };
  let findTarget: TargetFinder | undefined;
  let links: LinkAddress[] | undefined;
  const authorize = manifest.authorization ?? defaultAuthorization;
  const { headers, query } = authorize(connection.credentials, integration.type);
  const authorization = { headers: lowerCase(headers), ...(query ? { query } : {}) };
  const defaults = manifestHeaders(manifest);
  function address(name: string): Address {
    const found = find(name);
    if (!found) throw new Fault("internal", `the manifest has no address "${name}"`);
    return found;
  }
  return {
    record: connection,
    integration,
    provider,
    authorization,
    credentialPlaces: credentialPlaces(manifest),
    defaults,
    headers: { ...defaults, ...authorization.headers },
    expiresAt: connection.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(connection.expires_at),
    address,
    hasAddress: (name) => find(name) !== undefined,
    target(path) {
      findTarget ??= createTargetFinder(manifest, integration, connection.settings);
      return findTarget(path);
    },
    linkAddresses() {
      links ??= findLinkAddresses(manifest, integration, connection.settings, address);
      return links;
    },
  };
}
