import type { Address } from "./connection/address.ts";
import { NotConnected } from "./connection/not-connected.ts";
import { coversAddress } from "./connection/sign-in.ts";

// What MCP servers and their authorization servers say about themselves, checked:
// https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization

/** Longer lists are nothing that anybody could consent to. */
const MAX_SCOPES = 100;
const MAX_SCOPE_LENGTH = 200;

/** What an MCP server answers to a request without a token. */
export interface Challenge {
  status: number;
  metadataUrl: string | undefined;
  scope: string | undefined;
}

/** The parameters of `WWW-Authenticate`. Quoted texts are skipped as a whole: they may contain anything. */
export function readChallenge(status: number, header: string | string[] | undefined): Challenge {
  const parameters: Record<string, string> = {};
  const text = [header ?? []].flat().join(", ");
  for (const [, name, quoted, plain] of text.matchAll(/([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g))
    parameters[name!.toLowerCase()] ??= quoted?.replace(/\\(.)/g, "$1") ?? plain!;
  return { status, metadataUrl: parameters.resource_metadata, scope: parameters.scope };
}

export const notUsable = (message: string) => new NotConnected("server_error", message);

/** A list of scopes as far as they are valid (RFC 6749, 3.3). */
export function validScopes(scopes: unknown): string[] {
  if (!Array.isArray(scopes)) return [];
  const valid = scopes.filter(
    (scope): scope is string =>
      typeof scope === "string" && scope.length <= MAX_SCOPE_LENGTH && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope),
  );
  return [...new Set(valid)].slice(0, MAX_SCOPES);
}

/** An address from a server's metadata. Without encryption only if the MCP server itself has none: that is for tests. */
export function safeUrl(value: unknown, server: URL, what: string): URL {
  const url = typeof value === "string" ? URL.parse(value) : null;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && server.protocol === "http:");
  if (!url || !isSafe || url.username || url.password || url.hash)
    throw notUsable(`${server.host} cannot be used: the address of its ${what} is missing or unsafe.`);
  return url;
}

const wellKnown = ({ origin, pathname }: URL, name: string) =>
  `${origin}/.well-known/${name}${pathname.replace(/\/+$/, "")}`;

/** Where the metadata of an MCP server may be, in this order. */
export function resourceMetadataUrls(server: URL, { metadataUrl }: Challenge): string[] {
  if (metadataUrl !== undefined) return [safeUrl(metadataUrl, server, "metadata").href];
  return [
    ...new Set([
      wellKnown(server, "oauth-protected-resource"),
      `${server.origin}/.well-known/oauth-protected-resource`,
    ]),
  ];
}

/** Where the metadata of an authorization server may be, in this order. */
export function serverMetadataUrls(issuer: URL): string[] {
  return [
    wellKnown(issuer, "oauth-authorization-server"),
    wellKnown(issuer, "openid-configuration"),
    ...(issuer.pathname === "/" ? [] : [`${issuer.href.replace(/\/+$/, "")}/.well-known/openid-configuration`]),
  ];
}

export interface ResourceMetadata {
  resource: string;
  /** The issuer as the MCP server names it. */
  issuer: URL;
  scopes: string[];
}

/** The metadata of an MCP server (RFC 9728). What describes another one is refused. */
export function readResourceMetadata(body: Record<string, unknown>, server: URL, address: Address): ResourceMetadata {
  const { resource, authorization_servers, scopes_supported } = body;
  if (typeof resource !== "string" || !coversAddress(resource, address))
    throw notUsable(`${server.host} cannot be used: its metadata describes another server.`);
  const [issuer] = Array.isArray(authorization_servers) ? authorization_servers : [];
  if (issuer === undefined)
    throw notUsable(`${server.host} cannot be used: its metadata names no authorization server.`);
  return { resource, issuer: safeUrl(issuer, server, "authorization server"), scopes: validScopes(scopes_supported) };
}

export interface ServerMetadata {
  issuer: string;
  namesIssuer: boolean;
  authorizationEndpoint: URL;
  tokenEndpoint: URL;
  registrationEndpoint: URL | null;
  revocationEndpoint: URL | null;
  takesClientDocuments: boolean;
  /** How clients can authenticate, if it says so. */
  clientAuthMethods: unknown[] | undefined;
  scopes: string[];
}

/** The metadata of an authorization server (RFC 8414). What describes another one is refused. */
export function readServerMetadata(body: Record<string, unknown>, issuer: URL, server: URL): ServerMetadata {
  const given = body.issuer;
  // As URLs: some servers add a slash to their own address in one of the two documents.
  if (typeof given !== "string" || URL.parse(given)?.href !== issuer.href)
    throw notUsable(`${issuer.host} cannot be used: its metadata describes another authorization server.`);
  const { code_challenge_methods_supported: challenges, token_endpoint_auth_methods_supported: methods } = body;
  if (!Array.isArray(challenges) || !challenges.includes("S256"))
    throw notUsable(`${issuer.host} cannot be used: it does not support PKCE with S256.`);
  const optional = (name: string, what: string) =>
    body[name] === undefined ? null : safeUrl(body[name], server, what);
  return {
    issuer: given,
    namesIssuer: body.authorization_response_iss_parameter_supported === true,
    authorizationEndpoint: safeUrl(body.authorization_endpoint, server, "sign-in page"),
    tokenEndpoint: safeUrl(body.token_endpoint, server, "token endpoint"),
    registrationEndpoint: optional("registration_endpoint", "registration endpoint"),
    revocationEndpoint: optional("revocation_endpoint", "revocation endpoint"),
    takesClientDocuments: body.client_id_metadata_document_supported === true,
    clientAuthMethods: Array.isArray(methods) ? methods : undefined,
    scopes: validScopes(body.scopes_supported),
  };
}

/** A client that was registered (RFC 7591). */
export function readRegistration(body: Record<string, unknown>, callbackUrl: string, host: string) {
  const { client_id, client_secret, redirect_uris, token_endpoint_auth_method: method = "none" } = body;
  const isText = (value: unknown, max: number): value is string =>
    typeof value === "string" && value.length <= max && /^[\x20-\x7e]+$/.test(value);
  if (!isText(client_id, 2_000)) throw notUsable(`${host} cannot be used: it registered no client.`);
  // It would send users, with their codes, to somebody else.
  if (redirect_uris !== undefined && !(Array.isArray(redirect_uris) && redirect_uris.join() === callbackUrl))
    throw notUsable(`${host} cannot be used: it registered another address to return to.`);
  if (method === "none") return { id: client_id, secret: null, auth: "body" } as const;
  const isBasic = method === "client_secret_basic";
  if ((!isBasic && method !== "client_secret_post") || !isText(client_secret, 10_000))
    throw notUsable(`${host} cannot be used: it wants the client to authenticate in another way.`);
  return { id: client_id, secret: client_secret, auth: isBasic ? "basic" : "body" } as const;
}
