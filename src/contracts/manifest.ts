import type { Answer, Upstream, UpstreamRequest } from "./upstream.ts";

export type AuthType = "oauth2" | "api_key" | "basic";

/** What a connection holds: all of it is encrypted at rest. */
export interface Credentials {
  /** An access token or an API key. */
  token?: string;
  refresh_token?: string;
  username?: string;
  password?: string;
}

/** A per-account value that addresses and requests are made from, such as a subdomain. */
export interface Setting {
  label: string;
  /** Where the user finds it. */
  hint?: string;
  placeholder?: string;
  /** What a good value looks like; a value that does not match is refused before it gets into any address. */
  pattern: string;
  /** With which types the user is asked for it; with the others the token answer or `discover` tells. Default: all. */
  askedWith?: AuthType[];
}

/** A token answer in the standard's words, whatever the provider called them. */
export interface TokenAnswer {
  access_token: string;
  refresh_token?: string;
  /** Seconds; absent where the token does not expire. */
  expires_in?: number;
  /** Per-account values that came with the token, such as an instance address. */
  settings?: Record<string, string>;
}

export interface OAuth2 {
  /** Names of entries in `addresses`. */
  authorize: string;
  token: string;
  /** What is asked for unless the integration says otherwise. */
  scopes: string[];
  /** Default: a space. */
  scopeDelimiter?: string;
  /** Name of the authorize parameter that carries the scopes. Default: `scope`. */
  scopeParameter?: string;
  /** How the client proves itself at the token endpoint. Default: in the body. */
  tokenRequestAuth?: "basic" | "body";
  /** How the token request is written. Default: form. */
  tokenRequestBody?: "form" | "json";
  /** Set false where the provider rejects PKCE. Default: true. */
  pkce?: boolean;
  authorizeParameters?: Record<string, string>;
  tokenParameters?: Record<string, string>;
  /** The provider wants `redirect_uri` with a refresh, too. */
  refreshWithRedirectUri?: boolean;
  /** Per-account values that come with the way back from consent, such as the data centre that the user was sent to. */
  readRedirect?(parameters: URLSearchParams): Record<string, string>;
  /** Reads a token answer that is not as the standard has it. Return undefined where it is a failure. */
  readToken?(body: any): TokenAnswer | undefined;
  /** Seconds ahead of the expiry at which a token is renewed. Default: 60. */
  refreshAhead?: number;
  /** How long an access token lives, in seconds, as far as the provider says; absent: for ever. */
  lifetime?: number;
  /** A refresh gives a new refresh token, and the old one is void. */
  rotates?: boolean;
  /** Error codes of the token endpoint which say that a grant is void for good, in place of the usual ones. */
  voidGrantCodes?: string[];
  /** How a token is revoked: RFC 7009 at an address, or a request of the provider's own. */
  revoke?: { address: string } | ((grant: RevocableGrant) => RevocationRequest);
}

export interface RevocableGrant {
  credentials: Credentials;
  client_id: string;
  client_secret: string;
}

export interface RevocationRequest extends UpstreamRequest {
  /** As whom it is sent: the connection's token (the default) or the integration's client by Basic authentication. */
  as?: "connection" | "client";
}

export interface KeyForm {
  /** The provider's own word for the key. */
  label: string;
  /** The page where the user finds or makes it. */
  help: string;
}

export interface BasicForm {
  username: string;
  password: string;
  help: string;
}

/** What a provider's credentials add to each request. */
export interface Authorization {
  headers?: Record<string, string>;
  query?: Record<string, string>;
}

/** What is known of a connection before anything was asked for. */
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
  /**
   * Every address of the provider, `api` at least, `mcp` where it has an MCP server. `{name}` stands for a setting.
   * An integration's `base_url` takes the place of each one's origin.
   */
  addresses: { api: string; mcp?: string; [name: string]: string | undefined };
  /** Addresses that are others with an auth type, such as those of an API gateway that takes OAuth tokens only. */
  addressesWith?: { [Type in AuthType]?: Record<string, string> };
  /** Addresses whose path differs on a server of the user's own: a path to append to `base_url`. */
  selfHosted?: Record<string, string>;
  /** There is no hosted edition: an integration must name a `base_url`. */
  selfHostedOnly?: boolean;
  settings?: Record<string, Setting>;
  auth: { oauth2?: OAuth2; api_key?: KeyForm; basic?: BasicForm };
  /** How credentials travel. Default: `Authorization: Bearer <token>`, or Basic with a user name and a password. */
  authorization?(credentials: Credentials, auth: AuthType): Authorization;
  /** Sent with each request. */
  headers?: Record<string, string>;
  /** A call that answers well if and only if the credentials are good. */
  check: UpstreamRequest;
  /** Per-account values that have to be asked for once a connection stands, such as a cloud id. */
  discover?(upstream: Upstream, context: DiscoverContext): Promise<Record<string, string>>;
  /** The status that an answer really has, where the provider reports a failure inside a 200, or under another one. */
  failed?(answer: Answer): number | undefined;
  /** Seconds to wait, where a provider says so in another way than `Retry-After`. */
  retryAfter?(answer: Answer): number | undefined;
}

/** One of a manifest's addresses as it is with an auth type; settings still stand in it as `{name}`. */
export const addressTemplate = (manifest: Manifest, name: string, type: AuthType): string | undefined =>
  manifest.addressesWith?.[type]?.[name] ?? manifest.addresses[name];

export const authTypes = (manifest: Manifest): AuthType[] => Object.keys(manifest.auth) as AuthType[];
