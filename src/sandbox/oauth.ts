import { hash, randomBytes } from "node:crypto";
import type { OAuth2 } from "../contracts/authentication.ts";
import type { EmulatedReply, EmulatedRequest, Emulator } from "../contracts/emulator.ts";
import { authTypes, issuedTokens, type Manifest } from "../contracts/manifest.ts";
import { reply } from "../emulator-kit/emulator.ts";
import { readBasicAuth } from "../runtime/basic-auth.ts";
import { consentPage, refusalPage } from "./consent-page.ts";
import { bodyType, decodeForm, isWrongSecret, Refusal, tokenRefusal, withRefusal } from "./refusal.ts";
import { addressRoute, type Route } from "./routes.ts";
import type { Tokens } from "./tokens.ts";

const CODE_TTL_MS = 10 * 60_000;

interface OAuthOptions {
  manifest: Manifest;
  oauth2: OAuth2;
  emulator: Emulator;
  account: string;
  tokens: Tokens;
  /** Lifetime in seconds of an access token issued now; undefined: it never expires. */
  lifetime(): number | undefined;
  /** Where a page redirects to whose request does not say so: the application registered it. */
  callbackUrl: string | undefined;
}

/** What a code was issued for. */
interface CodeGrant {
  /** Undefined if any client may redeem it: the page does not know it. */
  client: string | undefined;
  redirectUri: string;
  scope: string;
  challenge: string | null;
  method: string;
  expires: number;
}

/** The OAuth 2 server of one provider, with the addresses and conventions in its manifest. */
export function createOAuth({ manifest, oauth2, emulator, account, tokens, lifetime, callbackUrl }: OAuthOptions) {
  const codes = new Map<string, CodeGrant>();

  function readAuthorizationRequest(query: URLSearchParams): CodeGrant & { client: string } {
    const client = query.get("client_id");
    if (!client) throw new Refusal("invalid_request", "The parameter client_id is missing.");
    const redirectUri = query.get("redirect_uri");
    if (!redirectUri || !isHttpUrl(redirectUri))
      throw new Refusal(
        "invalid_request",
        "The parameter redirect_uri must be an http or https URL without a fragment.",
      );
    const type = query.get("response_type");
    if (type !== "code") throw new Refusal("unsupported_response_type", 'The parameter response_type must be "code".');
    const challenge = query.get("code_challenge");
    if (challenge !== null && oauth2.pkce === false)
      throw new Refusal("invalid_request", "This provider does not support code_challenge.");
    const method = query.get("code_challenge_method") ?? "plain";
    if (oauth2.discovered && (challenge === null || method !== "S256" || !query.get("resource")))
      throw new Refusal("invalid_request", "The parameters resource, code_challenge and S256 are required.");
    if (challenge !== null && method !== "S256" && method !== "plain")
      throw new Refusal("invalid_request", "The parameter code_challenge_method must be S256 or plain.");
    const scope = query.get(oauth2.scopeParameter ?? "scope") ?? "";
    return { client, redirectUri, scope, challenge, method, expires: Date.now() + CODE_TTL_MS };
  }

  function askConsent(request: EmulatedRequest): EmulatedReply {
    const { client, scope, redirectUri } = readAuthorizationRequest(request.query);
    const scopes = scope.split(oauth2.scopeDelimiter ?? " ").filter(Boolean);
    return consentPage({ provider: manifest.name, client, scopes, account, redirectUri });
  }

  const decide = (request: EmulatedRequest) =>
    redirect(request, readAuthorizationRequest(request.query), emulator.redirectParameters);

  /** The page on which an app is installed, which also asks for the user's consent. */
  function readInstallation({ params }: EmulatedRequest): CodeGrant & { app: string } {
    if (!callbackUrl) throw new Refusal("invalid_request", "The app has no callback URL.");
    const code = { client: undefined, redirectUri: callbackUrl, scope: "", challenge: null, method: "plain" };
    return { ...code, expires: Date.now() + CODE_TTL_MS, app: Object.values(params)[0] ?? "" };
  }

  function askInstallation(request: EmulatedRequest): EmulatedReply {
    const { app: client, redirectUri } = readInstallation(request);
    return consentPage({ provider: manifest.name, client, scopes: [], account, redirectUri });
  }

  const install = (request: EmulatedRequest) =>
    redirect(request, readInstallation(request), emulator.installationParameters);

  function redirect(
    request: EmulatedRequest,
    grant: CodeGrant,
    parameters: Record<string, string> = {},
  ): EmulatedReply {
    const target = new URL(grant.redirectUri);
    const state = request.query.get("state");
    if (request.body?.decision === "allow") {
      target.searchParams.set("code", issueCode(grant));
      for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value);
    } else {
      target.searchParams.set("error", "access_denied");
      target.searchParams.set("error_description", "The user denied access");
    }
    if (state !== null) target.searchParams.set("state", state);
    return reply(302, undefined, { location: target.href, "cache-control": "no-store" });
  }

  function issueCode(grant: CodeGrant): string {
    for (const [code, { expires }] of codes) if (expires <= Date.now()) codes.delete(code);
    const code = randomBytes(18).toString("base64url");
    codes.set(code, grant);
    return code;
  }

  /** The id of the client, which must authenticate exactly in the way the manifest says. */
  function authenticate({ headers, body }: EmulatedRequest): string {
    const sent = readBasicAuth(headers.authorization);
    if (oauth2.tokenRequestAuth === "basic") {
      if (!sent) throw new Refusal("invalid_client", "The client must authenticate with HTTP Basic authentication.");
      if (body.client_secret !== undefined)
        throw new Refusal("invalid_client", "The client_secret must not be in the body.");
      return checkClient(decodeForm(sent.username), decodeForm(sent.password));
    }
    if (sent) throw new Refusal("invalid_client", "The client must authenticate in the body.");
    return checkClient(body.client_id, body.client_secret);
  }

  function redeemCode(client: string, body: Record<string, unknown>): Record<string, unknown> {
    if (!body.code) throw new Refusal("invalid_request", "The parameter code is missing.");
    const grant = codes.get(String(body.code));
    // Deleted at the first attempt, valid or not, so that nobody can guess the other parameters.
    codes.delete(String(body.code));
    if (!grant || grant.expires <= Date.now() || (grant.client ?? client) !== client)
      throw new Refusal("invalid_grant", "The code is invalid, was already used, or has expired.");
    if (body.redirect_uri !== grant.redirectUri)
      throw new Refusal("invalid_grant", "The redirect_uri does not match the one that the code was issued for.");
    if (grant.challenge !== null && !matchesChallenge(grant, body.code_verifier))
      throw new Refusal("invalid_grant", "The code_verifier is missing or does not match the code_challenge.");
    // Otherwise an attacker could remove the challenge from the request: RFC 9700, 2.1.1.
    if (grant.challenge === null && body.code_verifier !== undefined)
      throw new Refusal(
        "invalid_grant",
        "There is a code_verifier, but the authorization request had no code_challenge.",
      );
    const consentId = randomBytes(9).toString("base64url");
    return {
      ...accessToken(consentId, client),
      refresh_token: tokens.issue("refresh", { grant: consentId, client }),
      scope: grant.scope,
    };
  }

  function refreshToken(client: string, body: Record<string, unknown>): Record<string, unknown> {
    if (!body.refresh_token) throw new Refusal("invalid_request", "The parameter refresh_token is missing.");
    if (oauth2.refreshWithRedirectUri && !body.redirect_uri)
      throw new Refusal("invalid_request", "The parameter redirect_uri is missing.");
    const { token } = tokens.read(String(body.refresh_token));
    if (token?.kind !== "refresh" || (token.client ?? client) !== client)
      throw new Refusal("invalid_grant", "The refresh token is invalid, was already used, or was revoked.");
    const refreshed = accessToken(token.grant, token.client);
    if (!oauth2.rotates) return refreshed;
    tokens.markUsed(token);
    return { ...refreshed, refresh_token: tokens.issue("refresh", { grant: token.grant, client: token.client }) };
  }

  function accessToken(grant: string, client: string | undefined): Record<string, unknown> {
    const seconds = lifetime();
    return {
      access_token: tokens.issue("access", { grant, client, lifetime: seconds }),
      token_type: "Bearer",
      ...(seconds === undefined ? {} : { expires_in: seconds }),
      ...emulator.settings,
    };
  }

  const handlers = { authorization_code: redeemCode, refresh_token: refreshToken };

  const issueToken =
    (...grantTypes: (keyof typeof handlers)[]) =>
    (request: EmulatedRequest): EmulatedReply => {
      const expected = oauth2.tokenRequestBody ?? "form";
      if (bodyType(request) !== expected) throw new Refusal("invalid_request", `The body must be sent as ${expected}.`);
      const client = authenticate(request);
      const grantType = request.body.grant_type;
      if (!grantTypes.includes(grantType))
        throw new Refusal("unsupported_grant_type", "The grant_type is not supported.");
      const standard = handlers[grantType as keyof typeof handlers](client, request.body);
      return emulator.tokenAnswer?.(standard, request) ?? reply(200, standard, { "cache-control": "no-store" });
    };

  /** RFC 7009: an invalid token is not an error. The client is not checked, except for a secret marked as wrong. */
  function revoke(request: EmulatedRequest): EmulatedReply {
    const sent = readBasicAuth(request.headers.authorization);
    if (isWrongSecret(sent ? decodeForm(sent.password) : request.body?.client_secret))
      throw new Refusal("invalid_client", "The client is unknown, or its secret is wrong.");
    const token = request.body?.token ?? request.query.get("token");
    if (!token) throw new Refusal("invalid_request", "The parameter token is missing.");
    tokens.revoke(String(token));
    return reply(200);
  }

  const refuse = tokenRefusal(emulator);

  const withErrorPage = (handle: (request: EmulatedRequest) => EmulatedReply) =>
    withRefusal(handle, (_, refusal) => refusalPage(manifest.name, refusal.error, refusal.message));

  const routes: Record<string, Route> = {};
  const add = (method: string, address: string, handle: Route["handle"]) => {
    routes[`${method} ${addressRoute(manifest.addresses[address] ?? "")}`] = { handle, open: true };
  };
  add("GET", oauth2.authorize, withErrorPage(askConsent));
  add("POST", oauth2.authorize, withErrorPage(decide));
  if (oauth2.refresh === undefined)
    add("POST", oauth2.token, withRefusal(issueToken("authorization_code", "refresh_token"), refuse));
  else {
    add("POST", oauth2.token, withRefusal(issueToken("authorization_code"), refuse));
    add("POST", oauth2.refresh, withRefusal(issueToken("refresh_token"), refuse));
  }
  for (const type of authTypes(manifest)) {
    const page = issuedTokens(manifest, type)?.installation?.page;
    if (page === undefined) continue;
    add("GET", page, withErrorPage(askInstallation));
    add("POST", page, withErrorPage(install));
  }
  if (oauth2.revoke && typeof oauth2.revoke !== "function")
    add("POST", oauth2.revoke.address, withRefusal(revoke, refuse));
  return routes;
}

function checkClient(id: unknown, secret: unknown): string {
  if (!id || !secret || isWrongSecret(secret))
    throw new Refusal("invalid_client", "The client is unknown, or its secret is wrong.");
  return String(id);
}

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  return (url?.protocol === "http:" || url?.protocol === "https:") && !text.includes("#");
}

function matchesChallenge({ challenge, method }: CodeGrant, verifier: unknown): boolean {
  if (typeof verifier !== "string") return false;
  return (method === "S256" ? hash("sha256", verifier, "base64url") : verifier) === challenge;
}
