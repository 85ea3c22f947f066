import * as oauth from "oauth4webapi";
import type { Integration } from "../../contracts/entities.ts";
import { Fault } from "../../contracts/fault.ts";
import type { Manifest, OAuth2, TokenAnswer } from "../../contracts/manifest.ts";
import { asReceived, type CallWithRetries } from "../http/attempts.ts";
import type { Transport } from "../http/transport.ts";
import type { Address } from "./address.ts";
import { providerReason, showable } from "./safe-provider-message.ts";

/** The provider refused the grant permanently. Any other failure may be temporary. */
export class GrantRefused extends Error {
  readonly code: string;
  constructor(code: string, description: string | undefined) {
    super(description && description !== code ? `${code}: ${description}` : code);
    this.name = "GrantRefused";
    this.code = code;
  }
}

/** Codes that mean the grant is revoked, or needs the user; all others only mean that this request failed. */
const VOID_GRANT_CODES = new Set([
  "invalid_grant",
  "bad_refresh_token",
  "invalid_refresh_token",
  "invalid_code",
  "token_revoked",
  "token_expired",
  "access_denied",
  "consent_required",
  "interaction_required",
  "login_required",
]);

/** Longer than the lifetime of any token; a much larger number would not be a valid date. */
const MAX_LIFETIME_SECONDS = 10 * 365 * 86_400;

/** Whether it can be sent in a header unchanged. */
const isSendable = (token: unknown): token is string =>
  typeof token === "string" && /^[!-~]([ -~]*[!-~])?$/.test(token);

/** A token response before it is checked: a field may have any type. */
interface UncheckedToken {
  access_token?: unknown;
  refresh_token?: unknown;
  expires_in?: unknown;
  settings?: TokenAnswer["settings"];
}

/** The valid parts of a token response. Absent, empty and zero all mean "none". */
function validToken(token: UncheckedToken | undefined): TokenAnswer | undefined {
  if (!isSendable(token?.access_token)) return undefined;
  const seconds = Number(token.expires_in);
  return {
    access_token: token.access_token,
    ...(isSendable(token.refresh_token) ? { refresh_token: token.refresh_token } : {}),
    ...(seconds > 0 ? { expires_in: Math.min(seconds, MAX_LIFETIME_SECONDS) } : {}),
    ...(token.settings ? { settings: token.settings } : {}),
  };
}

const standardAnswer = ({ access_token, refresh_token, expires_in }: UncheckedToken): UncheckedToken => ({
  access_token,
  refresh_token,
  expires_in,
});

/** A response that the provider's own code cannot read has no token. */
function readToken(quirks: OAuth2, body: object): UncheckedToken | undefined {
  try {
    return (quirks.readToken ?? standardAnswer)(body);
  } catch {
    return undefined;
  }
}

/** An error's code, in the standard field or in one of those that providers use instead. */
function failureCode(body: unknown, secrets: readonly (string | undefined)[]): string | undefined {
  const { error, code, ECODE, status, id } = (body ?? {}) as Record<string, unknown>;
  const nested = (error as { code?: unknown } | null | undefined)?.code;
  const found = [error, nested, code, ECODE, status, id].find((value) => typeof value === "string") ?? "";
  if (!/^[\w.-]{1,64}$/.test(found) || showable(found, secrets) !== found) return undefined;
  return found.toLowerCase();
}

/** How the client authenticates: as the manifest says, or by its ID alone if it has no secret. */
export function clientAuthentication(quirks: OAuth2, secret: string | null): oauth.ClientAuth {
  if (!secret) return oauth.None();
  return quirks.tokenRequestAuth === "basic" ? oauth.ClientSecretBasic(secret) : oauth.ClientSecretPost(secret);
}

interface TokenRequest {
  manifest: Manifest;
  integration: Integration;
  endpoint: Address;
  parameters: Record<string, string>;
}

/**
 * Calls a provider's token endpoint. The request and its client authentication follow the standard; the manifest says
 * how a provider deviates from it.
 */
export function createTokenRequests(transport: Transport, callWithRetries: CallWithRetries) {
  return async function requestToken({
    manifest,
    integration,
    endpoint,
    parameters,
  }: TokenRequest): Promise<TokenAnswer> {
    if (integration.unreadable)
      throw new Fault(
        "credentials_unreadable",
        "the integration's client secret cannot be decrypted: set it again, or restore the encryption key",
      );
    const quirks = manifest.auth.oauth2 as OAuth2;
    const { client_secret } = integration;
    const client = { client_id: integration.client_id ?? "" };
    const fields = new URLSearchParams({ ...quirks.tokenParameters, ...parameters });
    const headers = new Headers({ accept: "application/json", "user-agent": "plugboard" });
    await clientAuthentication(quirks, client_secret)({ issuer: endpoint.origin }, client, fields, headers);
    const json = quirks.tokenRequestBody === "json";
    headers.set("content-type", json ? "application/json" : "application/x-www-form-urlencoded");

    const answer = await callWithRetries({
      provider: manifest.id,
      request: {
        origin: endpoint.origin,
        path: endpoint.path || "/",
        method: "POST",
        headers: Object.fromEntries(headers),
        body: json ? JSON.stringify(Object.fromEntries(fields)) : fields.toString(),
      },
      // The first request may have used up the code or the refresh token.
      retries: 0,
      repeatable: false,
      send: transport.buffer,
      interpret: asReceived,
    });

    const body = parse(answer.bytes, String(answer.headers["content-type"] ?? ""));
    const status = answer.statusCode;
    const readable = status < 300 && typeof body === "object" && body !== null;
    const token = readable ? validToken(readToken(quirks, body)) : undefined;
    if (token) return token;
    const secrets = [client_secret ?? undefined, parameters.refresh_token, parameters.code, parameters.code_verifier];
    const code = failureCode(body, secrets);
    const isVoid = code !== undefined && (quirks.voidGrantCodes?.includes(code) ?? VOID_GRANT_CODES.has(code));
    if (isVoid && status < 500) throw new GrantRefused(code, providerReason(body, secrets));
    throw new Fault(
      "refresh_unavailable",
      `the provider's token endpoint answered ${status}${code ? ` (${code})` : ""}`,
    );
  };
}

function parse(bytes: Buffer, contentType: string): unknown {
  const body = bytes.toString();
  if (contentType.includes("form-urlencoded")) return Object.fromEntries(new URLSearchParams(body));
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

export type TokenRequests = ReturnType<typeof createTokenRequests>;
