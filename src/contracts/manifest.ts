import {
  type Authorization,
  type AuthType,
  type BasicForm,
  type Credentials,
  type IssuedTokens,
  type IssuedType,
  issuedTypes,
  type KeyForm,
  type OAuth2,
  type Setting,
} from "./authentication.ts";
import type { Hooks } from "./hooks.ts";
import type { Answer, Upstream, UpstreamRequest } from "./upstream.ts";

/** What the sandbox answers for a provider that has no emulator of its own, besides the fact that a call arrived. */
export interface GenericAnswers {
  /** Values of settings that are valid. */
  settings?: Record<string, string>;
  /** Parameters that the redirect after consent has, and fields that token responses have. */
  redirect?: Record<string, string>;
  token?: object;
  /** What some calls return. */
  bodies?: { to: string; path: string; body: object }[];
}

/** What is known about a connection before `discover` runs. */
export interface DiscoverContext {
  auth: AuthType;
  settings: Readonly<Record<string, string>>;
}

export interface Manifest {
  /** The folder's name. */
  id: string;
  name: string;
  /** The provider's API reference. */
  docs: string;
  /** What a user of this provider should know: Markdown, for its page in docs/providers. */
  notes?: string[];
  /** What it is about, such as `payments`, if it has no operations. */
  subjects?: readonly string[];
  /** Set for one provider: the call that the start prints, and that the README shows, uses its connection. */
  firstCall?: true;
  /**
   * Every address of the provider: `api` at least, `mcp` if it has an MCP server that accepts the credentials of
   * connections. `{name}` stands for a setting.
   * An integration's `base_url` replaces the origin of each one.
   */
  addresses: { api: string; mcp?: string; [name: string]: string | undefined };
  /** Addresses that differ for an auth type, such as those of an API gateway that only accepts OAuth tokens. */
  addressesWith?: { [Type in AuthType]?: Record<string, string> };
  /** Addresses whose path differs on a self-hosted server: the path to append to `base_url`. */
  selfHosted?: Record<string, string>;
  /** There is no hosted edition: an integration must have a `base_url`. */
  selfHostedOnly?: boolean;
  /** GET changes something at its API too, or nobody has checked that it does not. */
  getMayWrite?: true;
  /** It is nothing but an MCP server, whose address is the integration's `mcp_url`. `addresses` are the emulator's. */
  mcpOnly?: true;
  settings?: Record<string, Setting>;
  auth: { oauth2?: OAuth2; api_key?: KeyForm; basic?: BasicForm; none?: object } & {
    [Type in IssuedType]?: IssuedTokens;
  };
  /** How credentials are sent. Default: `Authorization: Bearer <token>`, or Basic with a user name and a password. */
  authorization?(credentials: Credentials, auth: AuthType): Authorization;
  /** Where else the provider's own clients send the credential: names of headers and query parameters. */
  alsoAuthorizedBy?: { headers?: string[]; query?: string[] };
  /** Sent with each request. `{name}` stands for a setting; without a value for it, the header is left out. */
  headers?: Record<string, string>;
  /**
   * Other forms in which responses name an address, by its name: `{name}` stands for a setting, `*` for a part of a host
   * name. The Proxy rewrites links to these as well as to the addresses themselves.
   */
  linkedAs?: Record<string, string[]>;
  /** Addresses that are also web pages for people: links to them in a response's body are not rewritten. */
  webPages?: string[];
  /** Links below an address that are opened without a credential, such as pictures, and are not rewritten. */
  publicLinks?: RegExp;
  /** Path and query of requests whose response is a file, in which nothing is rewritten even if it is JSON. */
  fileContent?: RegExp;
  /** A call that succeeds if and only if the credentials are valid. Without one, credentials are stored unchecked. */
  check?: UpstreamRequest;
  /** Calls in place of `check` for an auth type. */
  checkWith?: { [Type in AuthType]?: UpstreamRequest };
  /** The provider's own webhooks, which start subscriptions early. */
  hooks?: Hooks;
  /** Others for an auth type. */
  hooksWith?: { [Type in AuthType]?: Hooks };
  /** Fetches per-account values with a connection's new credentials, such as a cloud ID. */
  discover?(upstream: Upstream, context: DiscoverContext): Promise<Record<string, string>>;
  /** The status that a response should have had, if the provider reports a failure as 200 or under a wrong status. */
  failed?(answer: Answer): number | undefined;
  /** A refused token may get a status below 300, so that only `failed` tells. */
  refusesWithSuccess?: boolean;
  /** Seconds to wait, if the provider does not say so with `Retry-After`. */
  retryAfter?(answer: Answer): number | undefined;
  /** For the sandbox, if there is no emulator. */
  sandbox?(): GenericAnswers;
}

/** How tokens of this type are issued; undefined for other types. */
export const issuedTokens = ({ auth }: Pick<Manifest, "auth">, type: AuthType): IssuedTokens | undefined =>
  issuedTypes.includes(type as IssuedType) ? auth[type as IssuedType] : undefined;

/** Whether users connect on a page of the provider, rather than in a form of ours. */
export const connectsAtProvider = (manifest: Manifest, type: AuthType): boolean =>
  type === "oauth2" || issuedTokens(manifest, type)?.installation !== undefined;

/** The call that shows whether credentials of this type are valid. */
export const checkCall = ({ check, checkWith }: Manifest, type: AuthType): UpstreamRequest | undefined =>
  checkWith?.[type] ?? check;

export const hooksOf = (
  { hooks, hooksWith }: Pick<Manifest, "hooks" | "hooksWith">,
  type: AuthType,
): Hooks | undefined => hooksWith?.[type] ?? hooks;

/** One of a manifest's addresses for an auth type, with `{name}` for each setting. */
export const addressTemplate = (manifest: Manifest, name: string, type: AuthType): string | undefined =>
  manifest.addressesWith?.[type]?.[name] ?? manifest.addresses[name];

/** The auth types whose credentials the provider's MCP server accepts. */
export const mcpAuthTypes = (manifest: Manifest): AuthType[] =>
  authTypes(manifest).filter((type) => addressTemplate(manifest, "mcp", type) !== undefined);

/** Addresses that take no access token, or have a surface of their own. */
const NOT_FOR_REQUESTS = new Set(["authorize", "install", "token", "refresh", "revoke", "discover", "mcp"]);

/** The names of the addresses that a client's own requests may go to. */
export const requestAddresses = ({ addresses }: Pick<Manifest, "addresses">): string[] =>
  Object.keys(addresses).filter((name) => !NOT_FOR_REQUESTS.has(name));

/** The path of the API's hosted address, with `{name}` for each setting. */
export const hostedApiPath = (manifest: Manifest, type: AuthType): string =>
  addressTemplate(manifest, "api", type)!.replace(/^https?:\/\/[^/]+/, "");

/** The base address of the provider's API for an integration that has a `base_url`. */
export const ownBaseUrl = (manifest: Manifest, type: AuthType): string =>
  `{base_url}${manifest.selfHosted?.api ?? hostedApiPath(manifest, type)}`;

/** What the Proxy appends paths to, with `{name}` for each setting. */
export function baseUrl(manifest: Manifest, type: AuthType): string {
  if (manifest.mcpOnly) return "{mcp_url}";
  return manifest.selfHostedOnly ? ownBaseUrl(manifest, type) : addressTemplate(manifest, "api", type)!;
}

/** Names of headers and of query parameters, in lower case. */
export interface CredentialPlaces {
  headers: string[];
  query: string[];
}

/** Where clients of a provider send its credential, except for the `Authorization` header. */
export function credentialPlaces(manifest: Manifest): CredentialPlaces {
  const { authorization, alsoAuthorizedBy: also } = manifest;
  const used = authTypes(manifest).map((type) => authorization?.({}, type) ?? {});
  const names = (of: "headers" | "query") =>
    [...used.flatMap((one) => Object.keys(one[of] ?? {})), ...(also?.[of] ?? [])].map((name) => name.toLowerCase());
  return { headers: names("headers").filter((name) => name !== "authorization"), query: names("query") };
}

export const authTypes = (manifest: Manifest): AuthType[] => Object.keys(manifest.auth) as AuthType[];
