import type { Upstream, UpstreamRequest } from "./upstream.ts";

/**
 * How a connection authenticates. A token is either the user's consent (`oauth2`), given by the user (`api_key`,
 * `basic`), issued to us whenever one is needed (`client_credentials`, `two_step`, `jwt`, `github_app`), or not needed.
 */
export const authTypeNames = [
  "oauth2",
  "api_key",
  "basic",
  "client_credentials",
  "two_step",
  "jwt",
  "github_app",
  "none",
] as const;
export type AuthType = (typeof authTypeNames)[number];

/** Types whose tokens are issued again when they expire, without the user. */
export const issuedTypes = ["client_credentials", "two_step", "jwt", "github_app"] as const;
export type IssuedType = (typeof issuedTypes)[number];

/**
 * The sign-in of an MCP server, as its metadata describes it, and the client that was registered there. Kept with the
 * consent, and then with the tokens: they are refreshed and revoked where they were issued.
 */
export interface SignIn {
  issuer: string;
  /** Whether authorization responses name the issuer (RFC 9207). */
  names_issuer: boolean;
  token_endpoint: string;
  revocation_endpoint: string | null;
  /** What the tokens are for (RFC 8707). */
  resource: string;
  /** Null if it is the integration's own. */
  client: { id: string; secret: string | null; how: "registered" | "document" } | null;
  /** Where a client with a secret sends it. */
  client_auth: "basic" | "body";
}

/** A connection's secrets; encrypted at rest. */
export interface Credentials {
  /** An access token or an API key. */
  token?: string;
  refresh_token?: string;
  username?: string;
  password?: string;
  /** What tokens are issued for: a private key, or a key that is no token itself. */
  secret?: string;
  sign_in?: SignIn;
}

/** Everything in a connection's credentials that must not be shown. */
export function secretValues({ sign_in, ...own }: Credentials): string[] {
  return [...Object.values(own), sign_in?.client?.secret].filter((value) => typeof value === "string");
}

/** A per-account value that is part of addresses and requests, such as a subdomain. */
export interface Setting {
  label: string;
  /** Where the user finds it. */
  hint?: string;
  placeholder?: string;
  /** Regular expression for the whole value; a value that does not match never becomes part of an address. */
  pattern: string;
  /** What a value must do, if the pattern is hard to read: `match [a-z]+`. */
  rule?: string;
  /** The possible values, if there are few. */
  choices?: readonly string[];
  /** Whether the integration has the value instead of the connection. Users cannot change it then. */
  ofIntegration?: boolean;
  /** Headers and parameters that contain it are left out without a value. */
  optional?: boolean;
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
  /**
   * The sign-in is that of the integration's MCP server, which describes it when an account is connected. A client need
   * not be registered by hand. The addresses below are then those of the emulator.
   */
  discovered?: true;
  /** Names of entries in `addresses`. */
  authorize: string;
  token: string;
  /** Where tokens are refreshed, if not at `token`. */
  refresh?: string;
  /** Requested unless the integration has its own scopes. */
  scopes: string[];
  /** Providers with the same login: a connection of one also serves the others whose scopes its integration requests. */
  login?: string;
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
  /** `{name}` stands for a setting; parameters whose settings are missing are left out. */
  authorizeParameters?: Record<string, string>;
  /** Likewise. */
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
  revoke?: Revoke;
}

/** How a token is revoked: with RFC 7009 at an address, or with a provider-specific request. */
export type Revoke = { address: string } | ((grant: RevocableGrant) => RevocationRequest);

/** What a token is issued for. */
export interface IssueContext {
  credentials: Credentials;
  settings: Readonly<Record<string, string>>;
  /** Of the integration, if it has them. */
  client_id: string | null;
  client_secret: string | null;
  private_key: string | null;
  /** The integration's, or undefined for the default. */
  scopes: readonly string[] | undefined;
  /** Milliseconds since 1970. */
  now: number;
}

/** A request for a token. */
export interface IssueRequest {
  method: "GET" | "POST" | "PUT";
  /** Which of the manifest's addresses it goes to. */
  to: string;
  /** What is appended to it. */
  path: string;
  headers?: Record<string, string>;
  body?: { form: Record<string, string> } | { json: Record<string, unknown> };
}

/** An app that a user installs at the provider, to which tokens are then issued. */
export interface Installation {
  /** Name of the address of the page where it is installed. */
  page: string;
  /**
   * What the redirect after that says about the installation, if it belongs to the user whom the calls are made for;
   * undefined if it does not: anybody can write any number into the redirect. The user's token comes from `oauth2`.
   */
  prove(upstream: Upstream, redirect: URLSearchParams): Promise<ProvedInstallation | undefined>;
}

export interface ProvedInstallation {
  settings: Record<string, string>;
  account: { id: string | null; name: string | null; email: string | null };
}

/** Tokens that are issued to us without the user's consent, with what the user or the integration gave us. */
export interface IssuedTokens {
  /** Labels of what the user is asked for. */
  asks: { username?: string; password?: string; secret?: string };
  /** URL of the page where the user finds or creates it. */
  help: string;
  steps?: string[];
  /** The secret has several lines, as private keys do. */
  isLong?: boolean;
  /** User name and password are a client's ID and secret: the user is not asked for them if the integration has both. */
  asClient?: boolean;
  /** What the integration needs. */
  needs?: readonly ("client_id" | "client_secret" | "private_key")[];
  installation?: Installation;
  /** The request that returns a token, or the token itself if it is made here. Throws `UnusableKey`. */
  issue(context: IssueContext): { request: IssueRequest } | { token: TokenAnswer };
  /** Reads a token response that does not follow the standard; undefined if it is an error. */
  readToken?(body: object): TokenAnswer | undefined;
  /** Lifetime of a token in seconds, for responses without one. Absent: until it is refused. */
  lifetime?: number;
  /** Statuses with which the credentials are refused permanently. Default: 401 and 403. */
  refusedBy?: readonly number[];
  /** Where the client's credentials go in a request that revokes a token. Default: in the body. */
  tokenRequestAuth?: "basic" | "body";
  revoke?: Revoke;
  /** A response from which `readToken` reads this token: what the sandbox answers. */
  answer?(token: TokenAnswer): object;
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
  /** Absent if it is always empty. */
  password?: string;
  help: string;
}

/** How credentials are sent with each request. */
export interface Authorization {
  headers?: Record<string, string>;
  query?: Record<string, string>;
  /** A segment between the address and the path of each request, with its slash: `/bot123:secret`. */
  path?: string;
}
