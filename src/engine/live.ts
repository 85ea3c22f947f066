import { Fault } from "../contracts/fault.ts";
import type { Authorization, Credentials, Manifest } from "../contracts/manifest.ts";
import type { Provider } from "../contracts/provider.ts";
import type { Connection, Integration } from "../contracts/records.ts";
import { type Address, resolveAddress } from "./address.ts";

/** A connection ready for calls: everything a call needs, worked out once and kept in the cache. */
export interface LiveConnection {
  record: Connection;
  integration: Integration;
  provider: Provider;
  authorization: Authorization;
  /** What every call of ours carries, credentials included. */
  headers: Readonly<Record<string, string>>;
  /** Milliseconds since 1970; infinite where the token does not expire. */
  expiresAt: number;
  /** Throws where the manifest names no such address. */
  address(name: string): Address;
  hasAddress(name: string): boolean;
}

const basic = (username: string, password: string) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;

export function defaultAuthorization(credentials: Credentials): Authorization {
  if (credentials.token !== undefined) return { headers: { authorization: `Bearer ${credentials.token}` } };
  return { headers: { authorization: basic(credentials.username ?? "", credentials.password ?? "") } };
}

/** What a provider's manifest wants sent with each request, names in lower case. */
export const fixedHeaders = (manifest: Manifest): Record<string, string> => ({
  "user-agent": "plugboard",
  accept: "application/json",
  ...Object.fromEntries(Object.entries(manifest.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])),
});

export function goLive(
  provider: Provider,
  connection: Connection,
  integration: Integration,
  sandboxUrl: string | undefined,
): LiveConnection {
  const { manifest } = provider;
  const known = new Map<string, Address | undefined>();
  const find = (name: string) => {
    if (!known.has(name)) known.set(name, resolveAddress(manifest, name, integration, connection.settings, sandboxUrl));
    return known.get(name);
  };
  const authorization = (manifest.authorization ?? defaultAuthorization)(connection.credentials, integration.type);
  return {
    record: connection,
    integration,
    provider,
    authorization,
    headers: { ...fixedHeaders(manifest), ...authorization.headers },
    expiresAt: connection.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(connection.expires_at),
    address(name) {
      const address = find(name);
      if (!address) throw new Fault("internal", `the manifest names no address "${name}"`);
      return address;
    },
    hasAddress: (name) => find(name) !== undefined,
  };
}
