import { hash, randomBytes } from "node:crypto";
import type { EmulatedReply, EmulatedRequest, Emulator } from "../contracts/emulator.ts";
import type { Manifest, OAuth2 } from "../contracts/manifest.ts";
import { reply } from "../provider-kit/emulator.ts";
import { consentPage, refusalPage } from "./consent-page.ts";
import { addressRoute, type Route } from "./routes.ts";
import type { Tokens } from "./tokens.ts";

const CODE_LIFE_MS = 10 * 60_000;

interface OAuthOptions {
  manifest: Manifest;
  oauth2: OAuth2;
  emulator: Emulator;
  account: string;
  tokens: Tokens;
  /** Seconds that an access token issued now lives; undefined: for ever. */
  lifetime(): number | undefined;
}

interface Grant {
  client: string;
  redirectUri: string;
  scope: string;
  challenge: string | null;
  method: string;
  expires: number;
}

/** A refused request, in the standard's words (RFC 6749, 5.2). */
class Refusal extends Error {
  readonly error: string;
  constructor(error: string, description: string) {
    super(description);
    this.error = error;
  }
}

/** The OAuth 2 server of one provider, at the addresses and with the habits that its manifest names. */
export function createOAuth({ manifest, oauth2, emulator, account, tokens, lifetime }: OAuthOptions) {
  const codes = new Map<string, Grant>();

  function readConsent(query: URLSearchParams): Grant {
    const client = query.get("client_id");
    if (!client) throw new Refusal("invalid_request", "The parameter client_id is missing.");
    const redirectUri = query.get("redirect_uri");
    if (!redirectUri || !isWebAddress(redirectUri))
      throw new Refusal("invalid_request", "The parameter redirect_uri must be a web address without a fragment.");
    const type = query.get("response_type");
    if (type !== "code") throw new Refusal("unsupported_response_type", 'The parameter response_type must be "code".');
    const challenge = query.get("code_challenge");
    if (challenge !== null && oauth2.pkce === false)
      throw new Refusal("invalid_request", "This provider does not take a code_challenge.");
    const method = query.get("code_challenge_method") ?? "plain";
    if (challenge !== null && method !== "S256" && method !== "plain")
      throw new Refusal("invalid_request", "The parameter code_challenge_method must be S256 or plain.");
    const scope = query.get(oauth2.scopeParameter ?? "scope") ?? "";
    return { client, redirectUri, scope, challenge, method, expires: Date.now() + CODE_LIFE_MS };
  }

  function askConsent(request: EmulatedRequest): EmulatedReply {
    const { client, scope, redirectUri } = readConsent(request.query);
    const scopes = scope.split(oauth2.scopeDelimiter ?? " ").filter(Boolean);
    return consentPage({ provider: manifest.name, client, scopes, account, redirectUri });
  }

  function decide(request: EmulatedRequest): EmulatedReply {
    const grant = readConsent(request.query);
    const target = new URL(grant.redirectUri);
    const state = request.query.get("state");
    if (request.body?.decision === "allow") {
      target.searchParams.set("code", issueCode(grant));
      for (const [name, value] of Object.entries(emulator.redirectParameters ?? {}))
        target.searchParams.set(name, value);
    } else {
      target.searchParams.set("error", "access_denied");
      target.searchParams.set("error_description", "The user denied access");
    }
    if (state !== null) target.searchParams.set("state", state);
    return reply(302, undefined, { location: target.href, "cache-control": "no-store" });
  }

  function issueCode(grant: Grant): string {
    for (const [code, { expires }] of codes) if (expires <= Date.now()) codes.delete(code);
    const code = randomBytes(18).toString("base64url");
    codes.set(code, grant);
    return code;
  }

  /** The client that proved itself in the way of the manifest, and in no other. */
  function authenticate({ headers, body }: EmulatedRequest): string {
    const sent = basicCredentials(headers.authorization);
    if (oauth2.tokenRequestAuth === "basic") {
      if (!sent) throw new Refusal("invalid_client", "The client must authenticate by HTTP Basic.");
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
    // Gone at the first try, good or bad: nobody gets to guess what belongs to it.
    codes.delete(String(body.code));
    if (!grant || grant.expires <= Date.now() || grant.client !== client)
      throw new Refusal("invalid_grant", "The code is not valid, was used or has expired.");
    if (body.redirect_uri !== grant.redirectUri)
      throw new Refusal("invalid_grant", "The redirect_uri is not the one of the code.");
    if (grant.challenge !== null && !provesChallenge(grant, body.code_verifier))
      throw new Refusal("invalid_grant", "The code_verifier is missing or does not fit the code_challenge.");
    // Else a challenge could be taken out of the request on its way: RFC 9700, 2.1.1.
    if (grant.challenge === null && body.code_verifier !== undefined)
      throw new Refusal("invalid_grant", "There is a code_verifier, but there was no code_challenge.");
    const consent = randomBytes(9).toString("base64url");
    return {
      ...accessToken(consent, client),
      refresh_token: tokens.issue("refresh", { grant: consent, client }),
      scope: grant.scope,
    };
  }

  function renew(client: string, body: Record<string, unknown>): Record<string, unknown> {
    if (!body.refresh_token) throw new Refusal("invalid_request", "The parameter refresh_token is missing.");
    if (oauth2.refreshWithRedirectUri && !body.redirect_uri)
      throw new Refusal("invalid_request", "The parameter redirect_uri is missing.");
    const { token } = tokens.read(String(body.refresh_token));
    if (token?.kind !== "refresh" || (token.client ?? client) !== client)
      throw new Refusal("invalid_grant", "The refresh token is not valid, was used or has been revoked.");
    const renewed = accessToken(token.grant, token.client);
    if (!oauth2.rotates) return renewed;
    tokens.useUp(token);
    return { ...renewed, refresh_token: tokens.issue("refresh", { grant: token.grant, client: token.client }) };
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

  function giveToken(request: EmulatedRequest): EmulatedReply {
    const wanted = oauth2.tokenRequestBody ?? "form";
    if (bodyType(request) !== wanted) throw new Refusal("invalid_request", `The body must be sent as ${wanted}.`);
    const client = authenticate(request);
    const grants: Record<string, typeof renew> = { authorization_code: redeemCode, refresh_token: renew };
    const grant = Object.hasOwn(grants, request.body.grant_type) ? grants[request.body.grant_type] : undefined;
    if (!grant) throw new Refusal("unsupported_grant_type", "The grant_type is not supported.");
    const standard = grant(client, request.body);
    return emulator.tokenAnswer?.(standard, request) ?? reply(200, standard, { "cache-control": "no-store" });
  }

  /** RFC 7009: a token that is not good is no error. Who asks is not checked beyond a secret known to be wrong. */
  function revoke(request: EmulatedRequest): EmulatedReply {
    const sent = basicCredentials(request.headers.authorization);
    if (isWrong(sent ? decodeForm(sent.password) : request.body?.client_secret))
      throw new Refusal("invalid_client", "The client is not known, or its secret is wrong.");
    const token = request.body?.token ?? request.query.get("token");
    if (!token) throw new Refusal("invalid_request", "The parameter token is missing.");
    tokens.revoke(String(token));
    return reply(200);
  }

  function refuse(request: EmulatedRequest, { error, message }: Refusal): EmulatedReply {
    const status = error === "invalid_client" ? 401 : 400;
    const standard = () => reply(status, { error, error_description: message }, { "cache-control": "no-store" });
    return emulator.tokenFailure?.(error, message, request) ?? standard();
  }

  const page = (handle: (request: EmulatedRequest) => EmulatedReply) =>
    guarded(handle, (_, refusal) => refusalPage(manifest.name, refusal.error, refusal.message));

  const routes: Record<string, Route> = {};
  const add = (method: string, address: string, handle: Route["handle"]) => {
    routes[`${method} ${addressRoute(manifest.addresses[address] ?? "")}`] = { handle, open: true };
  };
  add("GET", oauth2.authorize, page(askConsent));
  add("POST", oauth2.authorize, page(decide));
  add("POST", oauth2.token, guarded(giveToken, refuse));
  if (oauth2.revoke && typeof oauth2.revoke !== "function") add("POST", oauth2.revoke.address, guarded(revoke, refuse));
  return routes;
}

const guarded =
  (
    handle: (request: EmulatedRequest) => EmulatedReply,
    refuse: (request: EmulatedRequest, refusal: Refusal) => EmulatedReply,
  ) =>
  (request: EmulatedRequest): EmulatedReply => {
    try {
      return handle(request);
    } catch (error) {
      if (error instanceof Refusal) return refuse(request, error);
      throw error;
    }
  };

/** Every client is welcome; a secret with "wrong" in it is there to try what a refusal does. */
const isWrong = (secret: unknown) => String(secret ?? "").includes("wrong");

function checkClient(id: unknown, secret: unknown): string {
  if (!id || !secret || isWrong(secret))
    throw new Refusal("invalid_client", "The client is not known, or its secret is wrong.");
  return String(id);
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return (url?.protocol === "http:" || url?.protocol === "https:") && !text.includes("#");
}

function bodyType({ headers, body }: EmulatedRequest): "form" | "json" | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  return headers["content-type"]?.includes("json") ? "json" : "form";
}

function provesChallenge({ challenge, method }: Grant, verifier: unknown): boolean {
  if (typeof verifier !== "string") return false;
  return (method === "S256" ? hash("sha256", verifier, "base64url") : verifier) === challenge;
}

export function basicCredentials(
  authorization: string | undefined,
): { username: string; password: string } | undefined {
  const [, encoded] = /^basic +(\S+)$/i.exec(authorization ?? "") ?? [];
  if (!encoded) return undefined;
  const text = Buffer.from(encoded, "base64").toString();
  const colon = text.indexOf(":");
  return colon < 0 ? undefined : { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** Client credentials are form-encoded before they go into the header (RFC 6749, 2.3.1). */
function decodeForm(text: string): string {
  return new URLSearchParams(`value=${text.replaceAll("&", "%26")}`).get("value") ?? "";
}
