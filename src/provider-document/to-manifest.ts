import type { Authorization, AuthType, Credentials, OAuth2, TokenAnswer } from "../contracts/authentication.ts";
import { valueAt } from "../contracts/json-pointer.ts";
import type { Manifest } from "../contracts/manifest.ts";
import type { Answer } from "../contracts/upstream.ts";
import type { Texts } from "../provider-kit/fill-text.ts";
import { clientCredentials, signedJwt, twoStep } from "../provider-kit/issued-tokens.ts";
import { get } from "../provider-kit/request.ts";
import { confinedSetting } from "./confined-settings.ts";
import { genericAnswers } from "./generic-answers.ts";
import type { ProviderDocument } from "./schema.ts";

type AuthDocument = ProviderDocument["auth"];

/** Removes what is undefined, for types whose fields are absent or have a value. */
const defined = <T extends object>(fields: T): { [Name in keyof T]: Exclude<T[Name], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;

/** What somebody reads who sends nothing but texts: the strings at these pointers. */
function take(body: unknown, pointers: Texts = {}): Texts {
  const found = Object.entries(pointers).map(([name, pointer]) => [name, valueAt(body, pointer)] as const);
  const isUsable = (value: unknown) => typeof value === "string" || typeof value === "number";
  return Object.fromEntries(found.filter(([, value]) => isUsable(value)).map(([name, value]) => [name, String(value)]));
}

function toOAuth2(document: ProviderDocument, oauth2: NonNullable<AuthDocument["oauth2"]>): OAuth2 {
  const { redirect_settings, token_settings, help } = oauth2;
  return defined({
    ...(help ? { app: { url: help, steps: [] } } : {}),
    authorize: "authorize",
    token: "token",
    refresh: document.addresses.refresh && "refresh",
    scopes: oauth2.scopes ?? [],
    scopeDelimiter: oauth2.scope_delimiter,
    tokenRequestAuth: oauth2.token_auth,
    tokenRequestBody: oauth2.token_body,
    pkce: oauth2.pkce,
    authorizeParameters: oauth2.authorize_params,
    tokenParameters: oauth2.token_params,
    lifetime: oauth2.lifetime,
    rotates: oauth2.rotates,
    revoke: document.addresses.revoke ? { address: "revoke" } : undefined,
    readRedirect:
      redirect_settings &&
      ((parameters: URLSearchParams) =>
        Object.fromEntries(
          Object.entries(redirect_settings).flatMap(([name, parameter]) => {
            const value = parameters.get(parameter);
            return value === null ? [] : [[name, value]];
          }),
        )),
    readToken:
      token_settings &&
      ((body: object) => {
        const { access_token, refresh_token, expires_in } = body as TokenAnswer;
        return { access_token, refresh_token, expires_in, settings: take(body, token_settings) };
      }),
  });
}

function toAuth(document: ProviderDocument): Manifest["auth"] {
  const { auth, docs_url, addresses } = document;
  const { oauth2, api_key, basic, client_credentials, two_step, jwt, none } = auth;
  return defined({
    oauth2: oauth2 && toOAuth2(document, oauth2),
    api_key: api_key && { label: api_key.label, help: api_key.help ?? docs_url },
    basic: basic && defined({ username: basic.username, password: basic.password, help: basic.help ?? docs_url }),
    client_credentials:
      client_credentials &&
      clientCredentials({
        scopes: client_credentials.scopes,
        scopeDelimiter: client_credentials.scope_delimiter,
        audience: client_credentials.audience,
        tokenRequestAuth: client_credentials.token_auth,
        tokenRequestBody: client_credentials.token_body,
        parameters: client_credentials.token_params,
        lifetime: client_credentials.lifetime,
        revoke: addresses.revoke && "revoke",
        username: client_credentials.username,
        password: client_credentials.password,
        help: client_credentials.help ?? docs_url,
      }),
    two_step:
      two_step &&
      twoStep({
        asks: defined({ username: two_step.username, password: two_step.password, secret: two_step.key }),
        help: two_step.help ?? docs_url,
        request: defined({ path: "", ...two_step.request, to: addresses.token ? "token" : "api" }),
        token: two_step.token,
        expiresIn: two_step.expires_in,
        lifetime: two_step.lifetime,
      }),
    jwt:
      jwt &&
      signedJwt({
        algorithm: jwt.algorithm,
        header: jwt.header,
        claims: jwt.claims,
        lifetime: jwt.lifetime,
        secretEncoding: jwt.secret_encoding,
        exchange: jwt.exchange && (jwt.exchange.params ?? {}),
        label: jwt.label,
        help: jwt.help ?? docs_url,
      }),
    none,
  });
}

/** How the credentials of a type are sent; undefined for the default. */
function authorizationOf(auth: AuthDocument, credentials: Credentials, type: AuthType): Authorization | undefined {
  const { token = "" } = credentials;
  if (type === "none") return {};
  if (type === "api_key" && auth.api_key) {
    const { in: place, name = "", prefix = "" } = auth.api_key;
    if (place === "path") return { path: `/${prefix}${encodeURIComponent(token)}` };
    return place === "query" ? { query: { [name]: prefix + token } } : { headers: { [name]: prefix + token } };
  }
  const entry = auth[type as keyof AuthDocument];
  const send = entry && "send" in entry ? entry.send : undefined;
  if (!send) return undefined;
  const value = (send.prefix ?? "") + token;
  return send.in === "query" ? { query: { [send.name]: value } } : { headers: { [send.name]: value } };
}

const basicAuth = (username: string, password: string) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;

/** Seconds until the time in a header, or the seconds that it names. */
function secondsIn(header: unknown, now = Date.now()): number | undefined {
  const number = Number(header);
  if (!header || Number.isNaN(number)) return undefined;
  // Larger numbers are times: seconds or milliseconds since 1970.
  if (number > 1e11) return Math.max(0, (number - now) / 1000);
  return number > 1e8 ? Math.max(0, number - now / 1000) : Math.max(0, number);
}

/** A GET of a path with its query. */
function getPath(text: string, to = "api") {
  const [path = "", query] = text.split(/\?(.*)/s);
  return get(path, Object.fromEntries(new URLSearchParams(query)), {}, { to });
}

/** The manifest of a provider by one JSON document, which was checked. */
export function toManifest(document: ProviderDocument): Manifest {
  const { addresses, discover, check, retry_header, auth } = document;
  const elsewhere = discover && !discover.get.startsWith("/") ? new URL(discover.get) : undefined;
  const discovery = elsewhere
    ? getPath(elsewhere.pathname + elsewhere.search, "discover")
    : discover && getPath(discover.get);
  const settings =
    document.settings &&
    Object.fromEntries(
      Object.keys(document.settings).map((name) => [
        name,
        { ...confinedSetting(document, name), askedWith: askedWith(document, name) },
      ]),
    );
  return defined({
    id: document.id,
    name: document.name,
    docs: document.docs_url,
    notes: document.notes,
    subjects: document.categories,
    addresses: { ...defined(addresses), api: addresses.api, ...(elsewhere ? { discover: elsewhere.origin } : {}) },
    settings,
    auth: toAuth(document),
    authorization: (credentials: Credentials, type: AuthType) => {
      const { token, username = "", password = "" } = credentials;
      const declared = authorizationOf(auth, credentials, type);
      if (declared) return declared;
      return { headers: { authorization: type === "basic" ? basicAuth(username, password) : `Bearer ${token ?? ""}` } };
    },
    headers: document.headers,
    check: check && getPath(check.get),
    discover:
      discovery &&
      ((async (upstream) => take((await upstream(discovery)).body, discover!.take)) satisfies
        | Manifest["discover"]
        | undefined),
    sandbox: () => genericAnswers(document, settings ?? {}),
    retryAfter: retry_header ? ({ headers }: Answer) => secondsIn(headers[retry_header.toLowerCase()]) : undefined,
  });
}

/** The kinds that use a setting, unless it is found without asking. One that nothing uses is for the application. */
function askedWith({ discover, auth, addresses, headers }: ProviderDocument, name: string): AuthType[] {
  const { oauth2 } = auth;
  const kinds = Object.keys(auth) as AuthType[];
  if (discover?.take[name]) return [];
  const isFound = oauth2?.redirect_settings?.[name] ?? oauth2?.token_settings?.[name];
  const asked = isFound ? kinds.filter((kind) => kind !== "oauth2") : kinds;
  const mentions = (part: unknown) => JSON.stringify(part ?? "").includes(`{${name}}`);
  if (mentions([addresses.api, addresses.mcp, headers])) return asked;
  const usedBy = kinds.filter(
    (kind) =>
      mentions(auth[kind as keyof typeof auth]) ||
      (kind === "oauth2" && mentions([addresses.authorize, addresses.refresh, addresses.revoke])) ||
      (kind !== "api_key" && kind !== "basic" && mentions(addresses.token)),
  );
  return usedBy.length > 0 ? usedBy.filter((kind) => asked.includes(kind)) : asked;
}
