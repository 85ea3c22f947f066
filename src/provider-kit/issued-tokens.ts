import type { IssuedTokens, IssueRequest, TokenAnswer } from "../contracts/authentication.ts";
import { valueAt, withValues } from "../contracts/json-pointer.ts";
import { fillDeep, fillText, fillTexts, type Texts } from "./fill-text.ts";
import { type JwtOptions, signJwt } from "./jwt.ts";
import { defined } from "./optional.ts";

const encoded = (fields: Texts, encoding: "form" | "json" = "form"): NonNullable<IssueRequest["body"]> =>
  encoding === "json" ? { json: fields } : { form: fields };

/** As OAuth wants it: each part form-encoded before they are joined (RFC 6749, 2.3.1). */
const clientBasicAuth = (id: string, secret: string) =>
  `Basic ${Buffer.from([id, secret].map((part) => new URLSearchParams({ "": part }).toString().slice(1)).join(":")).toString("base64")}`;

export interface ClientCredentialsOptions {
  /** Name of the token address. Default: `token`. */
  to?: string;
  scopes?: readonly string[] | undefined;
  scopeDelimiter?: string | undefined;
  audience?: string | undefined;
  tokenRequestAuth?: "basic" | "body" | undefined;
  tokenRequestBody?: "form" | "json" | undefined;
  parameters?: Texts | undefined;
  lifetime?: number | undefined;
  /** Name of the address where tokens are revoked (RFC 7009). */
  revoke?: string | undefined;
  username?: string | undefined;
  password?: string | undefined;
  help: string;
}

/** The client credentials of OAuth 2: those of the integration, or the user's own. */
export const clientCredentials = (options: ClientCredentialsOptions): IssuedTokens => ({
  asks: { username: options.username ?? "Client ID", password: options.password ?? "Client secret" },
  help: options.help,
  asClient: true,
  ...defined({ lifetime: options.lifetime, tokenRequestAuth: options.tokenRequestAuth }),
  ...(options.revoke === undefined ? {} : { revoke: { address: options.revoke } }),
  issue({ credentials, settings, client_id, client_secret, scopes }) {
    // Never one of each: a user's secret does not belong to the integration's client.
    const isOwn = client_id !== null && client_secret !== null;
    const { username = "", password = "" } = credentials;
    const [id, secret] = isOwn ? [client_id, client_secret] : [username, password];
    const scope = (scopes ?? options.scopes ?? []).join(options.scopeDelimiter ?? " ");
    const isBasic = options.tokenRequestAuth === "basic";
    const fields = {
      grant_type: "client_credentials",
      ...(scope ? { scope } : {}),
      ...(options.audience ? { audience: options.audience } : {}),
      ...fillTexts(options.parameters ?? {}, settings),
      ...(isBasic ? {} : { client_id: id, client_secret: secret }),
    };
    const request: IssueRequest = {
      method: "POST",
      to: options.to ?? "token",
      path: "",
      ...(isBasic ? { headers: { authorization: clientBasicAuth(id, secret) } } : {}),
      body: encoded(fields, options.tokenRequestBody),
    };
    return { request };
  },
});

export interface TwoStepOptions {
  asks: IssuedTokens["asks"];
  help: string;
  /** In texts of the body, `{username}`, `{password}`, `{token}` and settings are filled in. */
  request: { method: "GET" | "POST" | "PUT"; to: string; path: string; body?: object; encoding?: "form" | "json" };
  /** JSON Pointers into the response. */
  token: string;
  expiresIn?: string | undefined;
  lifetime?: number | undefined;
}

/** One request of the provider's own for a token. */
export const twoStep = ({ asks, help, request, token, expiresIn, lifetime }: TwoStepOptions): IssuedTokens => ({
  asks,
  help,
  ...defined({ lifetime }),
  issue({ credentials: { username, password, secret }, settings }) {
    const { method, to, body, encoding } = request;
    const inPath = Object.entries(settings).map(([name, value]) => [name, encodeURIComponent(value)]);
    const path = fillText(request.path, Object.fromEntries(inPath)) ?? "";
    const values = { ...settings, username, password, token: secret };
    const filled = body && (fillDeep(body, values) as Texts);
    return { request: { method, to, path, ...(filled ? { body: encoded(filled, encoding ?? "json") } : {}) } };
  },
  readToken(body): TokenAnswer | undefined {
    const found = valueAt(body, token);
    if (typeof found !== "string" || found === "") return undefined;
    const seconds = expiresIn === undefined ? Number.NaN : Number(valueAt(body, expiresIn));
    return { access_token: found, ...(seconds > 0 ? { expires_in: seconds } : {}) };
  },
  answer: ({ access_token, expires_in }) =>
    withValues({ [token]: access_token, ...(expiresIn && expires_in ? { [expiresIn]: expires_in } : {}) }),
});

const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";

export interface SignedJwtOptions extends JwtOptions {
  label: string;
  help: string;
  /** Parameters of the request that exchanges it for a token (RFC 7523). Without, the JWT itself is the token. */
  exchange?: Texts | undefined;
}

/** A JWT that we sign with the user's key. */
export const signedJwt = ({ label, help, exchange, ...jwt }: SignedJwtOptions): IssuedTokens => ({
  asks: { secret: label },
  help,
  isLong: jwt.algorithm !== "HS256",
  issue({ credentials, settings, now }) {
    const claims = fillTexts(jwt.claims, settings);
    const header = fillTexts(jwt.header ?? {}, settings);
    const signed = signJwt({ ...jwt, header, claims }, credentials.secret ?? "", now);
    if (!exchange) return { token: { access_token: signed.jwt, expires_in: signed.validFor } };
    const form = { grant_type: JWT_BEARER, ...fillTexts(exchange, settings), assertion: signed.jwt };
    return { request: { method: "POST", to: "token", path: "", body: { form } } };
  },
});
