import * as oauth from "oauth4webapi";
import type { Integration } from "../../contracts/entities.ts";
import { Fault } from "../../contracts/fault.ts";
import type { Manifest, OAuth2, TokenAnswer } from "../../contracts/manifest.ts";
import { asReceived, type CallWithRetries } from "../http/attempts.ts";
import type { Transport } from "../http/transport.ts";
import type { Address } from "./address.ts";
import { providerReason, showable } from "./safe-provider-message.ts";

/** The provider said no for good: the grant is void. Anything else may pass. */
export class GrantRefused extends Error {
  readonly code: string;
  constructor(code: string, description: string | undefined) {
    super(description && description !== code ? `${code}: ${description}` : code);
    this.name = "GrantRefused";
    this.code = code;
  }
}

/** Codes that say the grant itself is void, or that the user has to be asked; the rest say that this request failed. */
const VOID_GRANT = new Set([
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

/** Longer than any token lives; a larger number would not make a date. */
const MAX_LIFETIME_SECONDS = 10 * 365 * 86_400;

/** Goes into a header as it is. */
const isSendable = (token: unknown): token is string =>
  typeof token === "string" && /^[!-~]([ -~]*[!-~])?$/.test(token);

/** Takes from an answer what is sound. Absent, empty and zero all mean "none". */
function sound(token: TokenAnswer | undefined): TokenAnswer | undefined {
  if (!isSendable(token?.access_token)) return undefined;
  const seconds = Number(token.expires_in);
  return {
    access_token: token.access_token,
    ...(isSendable(token.refresh_token) ? { refresh_token: token.refresh_token } : {}),
    ...(seconds > 0 ? { expires_in: Math.min(seconds, MAX_LIFETIME_SECONDS) } : {}),
    ...(token.settings ? { settings: token.settings } : {}),
  };
}

const standardAnswer = ({ access_token, refresh_token, expires_in }: any): TokenAnswer => ({
  access_token,
  refresh_token,
  expires_in,
});

/** A failure's code, in the standard's place or in one of those that providers use instead. */
function failureCode(body: any, secrets: readonly (string | undefined)[]): string | undefined {
  const found =
    [body?.error, body?.error?.code, body?.code, body?.ECODE, body?.status, body?.id].find(
      (code) => typeof code === "string",
    ) ?? "";
  if (!/^[\w.-]{1,64}$/.test(found) || showable(found, secrets) !== found) return undefined;
  return found.toLowerCase();
}

/** How the client proves itself: as the manifest says, or by its id alone where it has no secret. */
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
 * Asks a provider's token endpoint. The request and its client authentication follow the standard; the manifest says
 * where a provider departs from it.
 */
export function createTokenRequests(transport: Transport, callWithRetries: CallWithRetries) {
  return async function requestToken({
    manifest,
    integration,
    endpoint,
    parameters,
  }: TokenRequest): Promise<TokenAnswer> {
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
      // A second request might find the code or the refresh token used up by the first.
      retries: 0,
      repeatable: false,
      send: transport.buffer,
      interpret: asReceived,
    });

    const body = parse(answer.bytes, String(answer.headers["content-type"] ?? ""));
    const status = answer.statusCode;
    const readable = status < 300 && typeof body === "object" && body !== null;
    const token = readable ? sound((quirks.readToken ?? standardAnswer)(body)) : undefined;
    if (token) return token;
    const secrets = [client_secret ?? undefined, parameters.refresh_token, parameters.code, parameters.code_verifier];
    const code = failureCode(body, secrets);
    const isVoid = code !== undefined && (quirks.voidGrantCodes?.includes(code) ?? VOID_GRANT.has(code));
    if (isVoid && status < 500) throw new GrantRefused(code, providerReason(body, secrets));
    throw new Fault(
      "refresh_unavailable",
      `the provider's token endpoint answered ${status}${code ? ` (${code})` : ""}`,
    );
  };
}

function parse(bytes: Buffer, contentType: string): any {
  const body = bytes.toString();
  if (contentType.includes("form-urlencoded")) return Object.fromEntries(new URLSearchParams(body));
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

export type TokenRequests = ReturnType<typeof createTokenRequests>;
