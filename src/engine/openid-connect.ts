import * as oauth from "oauth4webapi";
import { Fault } from "../contracts/fault.ts";
import type { AllowedPrivate, ProxySettings } from "../contracts/network.ts";
import type { OidcSettings, Person } from "../contracts/people.ts";
import { Cancellation } from "./http/cancellation.ts";
import { createTransport } from "./http/transport.ts";
import { type Claims, isIncomplete, toPerson } from "./person-claims.ts";

/**
 * Why nobody was signed in: `unavailable` if the issuer could not be reached, `denied` if it refused to sign them in,
 * `invalid` if its answer cannot be trusted.
 */
export class SignInFailure extends Error {
  readonly reason: "unavailable" | "denied" | "invalid";

  /** `message` is shown to whoever wants to sign in, and has no secrets. */
  constructor(reason: SignInFailure["reason"], message: string) {
    super(message);
    this.name = "SignInFailure";
    this.reason = reason;
  }
}

/** What binds an answer of the issuer to the browser that asked for it. */
export interface SignInSecrets {
  state: string;
  nonce: string;
  /** Of PKCE. */
  verifier: string;
}

export interface OpenIdConnectOptions {
  settings: OidcSettings;
  /** Where the issuer sends people back to. */
  redirectUri: string;
  allowPrivateUpstreams: AllowedPrivate;
  proxy?: ProxySettings | undefined;
  timeoutMs: number;
}

const DISCOVERY_TTL_MS = 60 * 60_000;
/** How far the issuer's clock may be off. */
const CLOCK_TOLERANCE_SECONDS = 60;
const MAX_ANSWER_BYTES = 1024 * 1024;
const MAX_ANSWER_VALUES = 50_000;
const MAX_SUBJECT_LENGTH = 255;
/** Responses with these have no body. */
const WITHOUT_BODY = [204, 205, 304];
const ENDPOINTS = ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const;
const OPTIONAL_ENDPOINTS = ["userinfo_endpoint", "end_session_endpoint"] as const;

/** Without encryption only to the issuer's own host, if it has none itself: that is for this machine. */
export function assertSafe(issuer: URL, server: oauth.AuthorizationServer): void {
  for (const name of [...ENDPOINTS, ...OPTIONAL_ENDPOINTS]) {
    const value = server[name];
    if (value === undefined && OPTIONAL_ENDPOINTS.some((optional) => optional === name)) continue;
    const url = typeof value === "string" ? URL.parse(value) : null;
    const isLocal = issuer.protocol === "http:" && url?.protocol === "http:" && url.hostname === issuer.hostname;
    if (url?.protocol !== "https:" && !isLocal)
      throw new SignInFailure("invalid", `the issuer's discovery document has no safe ${name}`);
  }
}

/** Asks the issuer who somebody is: the authorization code flow with PKCE, state and nonce. */
export function createOpenIdConnect(options: OpenIdConnectOptions) {
  const { settings, redirectUri, timeoutMs } = options;
  const issuer = new URL(settings.issuer);
  const isInsecure = issuer.protocol === "http:";
  const transport = createTransport({
    // The operator configured the issuer's address. Others are in its discovery document.
    trustedOrigin: issuer.origin,
    allowPrivateUpstreams: options.allowPrivateUpstreams,
    proxy: options.proxy,
    maxBodyBytes: MAX_ANSWER_BYTES,
    maxValues: MAX_ANSWER_VALUES,
  });
  const client: oauth.Client = { client_id: settings.clientId, [oauth.clockTolerance]: CLOCK_TOLERANCE_SECONDS };

  async function call(
    url: string,
    { method, headers, body }: { method: string; headers: Record<string, string>; body?: unknown },
  ) {
    const { origin, host, pathname, search } = new URL(url);
    const cancellation = new Cancellation();
    const timer = setTimeout(() => cancellation.cancel(), timeoutMs);
    try {
      const answer = await transport.buffer(
        {
          origin,
          path: pathname + search,
          method: method as "GET",
          headers: { ...headers, "user-agent": "plugboard" },
          ...(body ? { body: String(body) } : {}),
        },
        cancellation,
      );
      const status = answer.statusCode;
      if (status >= 500 || status === 429)
        throw new SignInFailure("unavailable", `the identity provider answered ${status}`);
      const sent = ["content-type", "www-authenticate"].map((name) => [name, String(answer.headers[name] ?? "")]);
      return new Response(WITHOUT_BODY.includes(status) ? null : Uint8Array.from(answer.bytes), {
        status,
        headers: Object.fromEntries(sent.filter(([, value]) => value)),
      });
    } catch (error) {
      if (error instanceof SignInFailure) throw error;
      if (error instanceof Fault) throw new SignInFailure("invalid", error.message);
      throw new SignInFailure("unavailable", `${host} did not answer`);
    } finally {
      clearTimeout(timer);
    }
  }

  const requestOptions = { [oauth.customFetch]: call, [oauth.allowInsecureRequests]: isInsecure };

  let known: { server: oauth.AuthorizationServer; at: number } | undefined;
  let running: Promise<oauth.AuthorizationServer> | undefined;

  async function load(): Promise<oauth.AuthorizationServer> {
    const response = await oauth.discoveryRequest(issuer, requestOptions);
    const server = await oauth.processDiscoveryResponse(issuer, response);
    assertSafe(issuer, server);
    known = { server, at: Date.now() };
    return server;
  }

  /** What the issuer says about itself. Its keys are cached with it. */
  function discover({ fresh = false } = {}): Promise<oauth.AuthorizationServer> {
    if (!fresh && known && Date.now() - known.at < DISCOVERY_TTL_MS) return Promise.resolve(known.server);
    running ??= load().finally(() => {
      running = undefined;
    });
    return running;
  }

  function authentication({ token_endpoint_auth_methods_supported: methods }: oauth.AuthorizationServer) {
    // If an issuer does not list any, it has the standard's default.
    const isBasic = !Array.isArray(methods) || methods.includes("client_secret_basic");
    return isBasic ? oauth.ClientSecretBasic(settings.clientSecret) : oauth.ClientSecretPost(settings.clientSecret);
  }

  /** Keys may have been replaced since they were loaded, so they are loaded again before a signature is refused. */
  async function verifySignature(server: oauth.AuthorizationServer, response: Response): Promise<void> {
    try {
      await oauth.validateApplicationLevelSignature(server, response, requestOptions);
    } catch {
      await oauth.validateApplicationLevelSignature(await discover({ fresh: true }), response, requestOptions);
    }
  }

  async function readUserinfo(server: oauth.AuthorizationServer, token: string, subject: string): Promise<Claims> {
    if (!server.userinfo_endpoint) return {};
    const response = await oauth.userInfoRequest(server, client, token, requestOptions);
    const claims = await oauth.processUserInfoResponse(server, client, subject, response);
    if (response.headers.get("content-type")?.startsWith("application/jwt")) await verifySignature(server, response);
    return claims;
  }

  async function readPerson(parameters: URLSearchParams, secrets: SignInSecrets): Promise<Person> {
    const server = await discover();
    const granted = oauth.validateAuthResponse(server, client, parameters, secrets.state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication(server),
      granted,
      redirectUri,
      secrets.verifier,
      requestOptions,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: secrets.nonce,
      requireIdToken: true,
    });
    // The library trusts the connection to the token endpoint, as the standard allows.
    await verifySignature(server, response);
    const claims = oauth.getValidatedIdTokenClaims(tokens)!;
    const { sub, azp } = claims;
    if (azp !== undefined && azp !== settings.clientId)
      throw new SignInFailure("invalid", "the ID token was issued to another client");
    if (sub === "" || sub.length > MAX_SUBJECT_LENGTH)
      throw new SignInFailure("invalid", "the ID token has no valid subject");
    const userinfo = isIncomplete(claims, settings) ? await readUserinfo(server, tokens.access_token, sub) : {};
    return toPerson(settings, sub, claims, userinfo);
  }

  const explained = <Result>(work: Promise<Result>): Promise<Result> =>
    work.catch((error: unknown) => {
      throw toFailure(error);
    });

  async function authorizationUrl({ state, nonce, verifier }: SignInSecrets, prompt?: "login"): Promise<string> {
    const server = await discover();
    const url = new URL(server.authorization_endpoint!);
    // Some issuers add the groups only if they are asked for them; others refuse what they do not know.
    const groups = server.scopes_supported?.includes("groups") ? " groups" : "";
    const parameters = {
      response_type: "code",
      client_id: settings.clientId,
      redirect_uri: redirectUri,
      scope: `openid profile email${groups}`,
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      ...(prompt ? { prompt } : {}),
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url.href;
  }

  async function endSessionUrl(returnTo: string): Promise<string | undefined> {
    const { end_session_endpoint } = await discover();
    if (!end_session_endpoint) return undefined;
    const url = new URL(end_session_endpoint);
    url.searchParams.set("client_id", settings.clientId);
    url.searchParams.set("post_logout_redirect_uri", returnTo);
    return url.href;
  }

  // Every failure is a `SignInFailure`.
  return {
    settings,
    /** Where a browser goes to sign in. With `login`, people prove again who they are. */
    authorizationUrl: (secrets: SignInSecrets, prompt?: "login") => explained(authorizationUrl(secrets, prompt)),
    /** Who signed in, by what the issuer sent the browser back with. */
    person: (parameters: URLSearchParams, secrets: SignInSecrets) => explained(readPerson(parameters, secrets)),
    /** Where a browser goes to sign out at the issuer too; undefined if it has no such page. */
    endSessionUrl: (returnTo: string) => explained(endSessionUrl(returnTo)),
    close: () => transport.close(),
  };
}

export type OpenIdConnect = ReturnType<typeof createOpenIdConnect>;

/** Words of the issuer, as far as they are short and plain. */
const quote = (text: unknown): string | undefined =>
  typeof text === "string" && /^[\w .,:;'()/-]{1,200}$/.test(text) ? text : undefined;

function toFailure(error: unknown): SignInFailure {
  if (error instanceof SignInFailure) return error;
  if (error instanceof oauth.AuthorizationResponseError) {
    const words = [quote(error.error), quote(error.error_description)].filter(Boolean);
    return new SignInFailure("denied", words.join(": ") || "it gave no reason");
  }
  if (error instanceof oauth.ResponseBodyError)
    return new SignInFailure("invalid", `the issuer refused the code: ${quote(error.error) ?? "no reason given"}`);
  const isExplained =
    error instanceof oauth.OperationProcessingError ||
    error instanceof oauth.UnsupportedOperationError ||
    error instanceof oauth.WWWAuthenticateChallengeError;
  // Those messages are constants of the library. Anything else may quote the answer.
  return new SignInFailure("invalid", isExplained ? error.message : "the issuer's answer cannot be read");
}
