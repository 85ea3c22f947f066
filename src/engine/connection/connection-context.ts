import { type Authorization, type AuthType, type Credentials, secretValues } from "../../contracts/authentication.ts";
import type { CustomField } from "../../contracts/custom-fields.ts";
import type { Connection, Integration } from "../../contracts/entities.ts";
import { Fault } from "../../contracts/fault.ts";
import { type CredentialPlaces, credentialPlaces, type Manifest } from "../../contracts/manifest.ts";
import type { Provider } from "../../contracts/provider.ts";
import { basicAuth } from "../../runtime/basic-auth.ts";
import { createRecordFields, type RecordFields } from "../custom-fields/record-fields.ts";
import type { ConfinedPath } from "../http/confined-path.ts";
import { type Address, resolveAddress } from "./address.ts";
import { findLinkAddresses, type LinkAddress } from "./link-addresses.ts";
import { lowerCase, manifestHeaders } from "./manifest-headers.ts";
import { createTargetFinder, type RequestTarget, type TargetFinder } from "./request-target.ts";
import { effectiveSettings } from "./settings.ts";
import { signInAddress, withSignIn } from "./sign-in.ts";

/** A connection ready for calls: everything a call needs, computed once and cached. */
export interface ConnectionContext {
  record: Connection;
  integration: Integration;
  provider: Provider;
  /** Its own settings and those of the integration. */
  settings: Record<string, string>;
  /** How its credentials are sent; header names in lower case. */
  authorization: Authorization;
  /** All forms in which the secret in `authorization.path` may be written, the longest first. Mostly there is none. */
  pathSecrets: readonly string[];
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
  /** The custom fields of a record, such as `crm.contact`. */
  customFields(record: string | undefined): RecordFields;
  /** Other providers that the same login reaches: see `relatives.ts`. */
  relatives: readonly Provider[];
  /** The same account at one of these. */
  at(provider: Provider): ConnectionContext;
}

export function defaultAuthorization(credentials: Credentials): Authorization {
  if (credentials.token !== undefined) return { headers: { authorization: `Bearer ${credentials.token}` } };
  return { headers: { authorization: basicAuth(credentials.username ?? "", credentials.password ?? "") } };
}

/** How the credentials of a type are sent, if the manifest has it; header names in lower case. */
function authorizationOf({ auth, authorization }: Manifest, credentials: Credentials, type: AuthType): Authorization {
  // Of a provider that has changed since, nobody knows where the credentials may go.
  if (type === "none" || !auth[type]) return { headers: {} };
  const { headers, query, path } = (authorization ?? defaultAuthorization)(credentials, type);
  return { headers: lowerCase(headers), ...(query ? { query } : {}), ...(path ? { path } : {}) };
}

/** A shorter text would be found everywhere. */
const MIN_SECRET_LENGTH = 6;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function pathSecretsOf({ path }: Authorization, credentials: Credentials): string[] {
  if (path === undefined) return [];
  const values = secretValues(credentials).filter((value) => value.length >= MIN_SECRET_LENGTH);
  const written = [path.slice(1), ...values.flatMap((value) => [value, encodeURIComponent(value)])];
  const forms = written.flatMap((text) => [
    text,
    decoded(text),
    text.replace(/%[0-9A-F]{2}/g, (byte: string) => byte.toLowerCase()),
  ]);
  return [...new Set(forms)].sort((one, other) => other.length - one.length);
}

export interface ContextOptions {
  sandboxUrl: string | undefined;
  relatives?: readonly Provider[];
  /** The custom fields that are declared for the connection. */
  customFields?: readonly CustomField[];
}

export function createConnectionContext(
  givenProvider: Provider,
  connection: Connection,
  givenIntegration: Integration,
  { sandboxUrl, relatives = [], customFields = [] }: ContextOptions,
): ConnectionContext {
  const { sign_in } = connection.credentials;
  const { provider, integration } = sign_in
    ? withSignIn(givenProvider, givenIntegration, sign_in)
    : { provider: givenProvider, integration: givenIntegration };
  const { manifest } = provider;
  const settings = effectiveSettings(manifest, connection.settings, integration);
  const resolved = new Map<string, Address | undefined>();
  const find = (name: string) => {
    if (!resolved.has(name)) {
      const discovered = sign_in && signInAddress(sign_in, name, integration);
      resolved.set(name, discovered ?? resolveAddress(manifest, name, integration, settings, sandboxUrl));
    }
    return resolved.get(name);
  };
  let findTarget: TargetFinder | undefined;
  let links: LinkAddress[] | undefined;
  const authorization = authorizationOf(manifest, connection.credentials, integration.type);
  const defaults = manifestHeaders(manifest, settings);
  function address(name: string): Address {
    const found = find(name);
    if (!found) throw new Fault("internal", `the manifest has no address "${name}"`);
    return found;
  }
  const atRelatives = new Map<Provider, ConnectionContext>();
  const context: ConnectionContext = {
    record: connection,
    integration,
    provider,
    relatives,
    at(other) {
      if (other === provider) return context;
      const family = [provider, ...relatives.filter((relative) => relative !== other)];
      const known =
        atRelatives.get(other) ??
        createConnectionContext(other, connection, integration, { sandboxUrl, relatives: family, customFields });
      atRelatives.set(other, known);
      return known;
    },
    settings,
    customFields: createRecordFields(provider, customFields),
    authorization,
    pathSecrets: pathSecretsOf(authorization, connection.credentials),
    credentialPlaces: credentialPlaces(manifest),
    defaults,
    headers: { ...defaults, ...authorization.headers },
    expiresAt: connection.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(connection.expires_at),
    address,
    hasAddress: (name) => find(name) !== undefined,
    target(path) {
      findTarget ??= createTargetFinder(manifest, integration, settings);
      return findTarget(path);
    },
    linkAddresses() {
      links ??= findLinkAddresses(manifest, integration, settings, address, authorization.path !== undefined);
      return links;
    },
  };
  return context;
}
