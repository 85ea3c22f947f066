import type { Answer, Upstream, UpstreamRequest } from "./upstream.ts";

export type AuthType = "oauth2" | "api_key" | "basic";

/** A connection's secrets; encrypted at rest. */
export interface Credentials {
  /** An access token or an API key. */
  token?: string;
  refresh_token?: string;
  username?: string;
  password?: string;
}

/** A per-account value that is part of addresses and requests, such as a subdomain. */
export interface Setting {
  label: string;
  /** Where the user finds it. */
  hint?: string;
  placeholder?: string;
  /** Regular expression for the whole value; a value that does not match never becomes part of an address. */
  pattern: string;
  /** Auth types with which the user is asked for it; otherwise it comes with the token or `discover`. Default: all. */
  askedWith?: AuthType[];
}

/** A token response with the standard field names. */
export interface TokenAnswer {
  access_token: string;
  refresh_token?: string | undefined;
  /** Seconds; absent if the token does not expire. */
  expires_in?: number | undefined;
  /** Per-account values sent with the token, such as an instance address. */
  settings?: Record<string, string> | undefined;
}

/** A page of the provider, and what to do there; the redirect URL to register is given next to it. */
export interface OAuthApp {
  url: string;
  /** Markdown, one step each. */
  steps: string[];
}

export interface OAuth2 {
  /** Where an OAuth application is created: for the provider's page in docs/providers. */
  app?: OAuthApp;
  /** Names of entries in `addresses`. */
  authorize: string;
  token: string;
  /** Requested unless the integration has its own scopes. */
  scopes: string[];
  /** Default: a space. */
  scopeDelimiter?: string;
  /** Name of the authorize parameter that carries the scopes. Default: `scope`. */
  scopeParameter?: string;
  /** Where the client's credentials go in a token request. Default: in the body. */
  tokenRequestAuth?: "basic" | "body";
  /** Encoding of the token request. Default: form. */
  tokenRequestBody?: "form" | "json";
  /** False if the provider rejects PKCE. Default: true. */
  pkce?: boolean;
  authorizeParameters?: Record<string, string>;
  tokenParameters?: Record<string, string>;
  /** The provider also requires `redirect_uri` in a refresh. */
  refreshWithRedirectUri?: boolean;
  /** Reads per-account values from the redirect after consent, such as the user's data center. */
  readRedirect?(parameters: URLSearchParams): Record<string, string>;
  /**
   * Reads a token response that does not follow the standard; undefined if it is an error. A manifest declares the
   * fields that it reads, and the engine checks what it returns.
   */
  readToken?(body: object): TokenAnswer | undefined;
  /** How many seconds before its expiry a token is refreshed. Default: 60. */
  refreshAhead?: number;
  /** Documented lifetime of an access token in seconds, for token responses without one. Absent: forever. */
  lifetime?: number;
  /** A refresh returns a new refresh token and invalidates the old one. */
  rotates?: boolean;
  /** Error codes of the token endpoint that mean a grant is permanently revoked, instead of the usual ones. */
  voidGrantCodes?: string[];
  /** How a token is revoked: with RFC 7009 at an address, or with a provider-specific request. */
  revoke?: { address: string } | ((grant: RevocableGrant) => RevocationRequest);
}

export interface RevocableGrant {
  credentials: Credentials;
  client_id: string;
  client_secret: string;
}

export interface RevocationRequest extends UpstreamRequest {
  /** Authenticated with the connection's token (the default), or as the integration's client with Basic auth. */
  as?: "connection" | "client";
}

export interface KeyForm {
  /** What the provider calls the key. */
  label: string;
  /** URL of the page where the user finds or creates it. */
  help: string;
  /** What to do there, if that is not obvious: Markdown, for the provider's page in docs/providers. */
  steps?: string[];
}

export interface BasicForm {
  username: string;
  password: string;
  help: string;
}

/** How credentials are sent with each request. */
export interface Authorization {
  headers?: Record<string, string>;
  query?: Record<string, string>;
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
  settings?: Record<string, Setting>;
  auth: { oauth2?: OAuth2; api_key?: KeyForm; basic?: BasicForm };
  /** How credentials are sent. Default: `Authorization: Bearer <token>`, or Basic with a user name and a password. */
  authorization?(credentials: Credentials, auth: AuthType): Authorization;
  /** Where else the provider's own clients send the credential: names of headers and query parameters. */
  alsoAuthorizedBy?: { headers?: string[]; query?: string[] };
  /** Sent with each request. */
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
  /** A call that succeeds if and only if the credentials are valid. */
  check: UpstreamRequest;
  /** Fetches per-account values with a connection's new credentials, such as a cloud ID. */
  discover?(upstream: Upstream, context: DiscoverContext): Promise<Record<string, string>>;
  /** The status that a response should have had, if the provider reports a failure as 200 or under a wrong status. */
  failed?(answer: Answer): number | undefined;
  /** Seconds to wait, if the provider does not say so with `Retry-After`. */
  retryAfter?(answer: Answer): number | undefined;
}

/** One of a manifest's addresses for an auth type, with `{name}` for each setting. */
export const addressTemplate = (manifest: Manifest, name: string, type: AuthType): string | undefined =>
  manifest.addressesWith?.[type]?.[name] ?? manifest.addresses[name];

/** The auth types whose credentials the provider's MCP server accepts. */
export const mcpAuthTypes = (manifest: Manifest): AuthType[] =>
  authTypes(manifest).filter((type) => addressTemplate(manifest, "mcp", type) !== undefined);

/** Addresses that take no access token, or have a surface of their own. */
const NOT_FOR_REQUESTS = new Set(["authorize", "token", "revoke", "mcp"]);

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
export const baseUrl = (manifest: Manifest, type: AuthType): string =>
  manifest.selfHostedOnly ? ownBaseUrl(manifest, type) : addressTemplate(manifest, "api", type)!;

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
