import * as oauth from "oauth4webapi";
import type { OAuth2, TokenAnswer } from "../../contracts/authentication.ts";
import type { Integration } from "../../contracts/entities.ts";
import { Fault } from "../../contracts/fault.ts";
import type { Manifest } from "../../contracts/manifest.ts";
import { asReceived, type CallWithRetries } from "../http/attempts.ts";
import type { Transport } from "../http/transport.ts";
import { type Address, fillAll } from "./address.ts";
import { providerReason } from "./safe-provider-message.ts";
import { failureCode, GrantRefused, parseTokenBody, readToken } from "./token-answer.ts";

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

/** How the client authenticates: as the manifest says, or by its ID alone if it has no secret. */
export function clientAuthentication(
  { tokenRequestAuth }: Pick<OAuth2, "tokenRequestAuth">,
  secret: string | null,
): oauth.ClientAuth {
  if (!secret) return oauth.None();
  return tokenRequestAuth === "basic" ? oauth.ClientSecretBasic(secret) : oauth.ClientSecretPost(secret);
}

/** A secret of the integration that cannot be decrypted says nothing about the connection. */
export function assertReadable({ unreadable }: Integration): void {
  if (unreadable)
    throw new Fault(
      "credentials_unreadable",
      "the integration's client secret cannot be decrypted: set it again, or restore the encryption key",
    );
}

/** The token endpoint gave no token, and did not refuse the credentials permanently. */
export class NoToken extends Fault {
  readonly status: number;
  constructor(status: number, code: string | undefined) {
    const what = `${status}${status < 300 ? " without a token" : ""}${code ? ` (${code})` : ""}`;
    super("refresh_unavailable", `the provider's token endpoint answered ${what}`);
    this.status = status;
  }
}

interface TokenRequest {
  manifest: Manifest;
  integration: Integration;
  /** With those of the integration. */
  settings: Record<string, string>;
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
    settings,
    endpoint,
    parameters,
  }: TokenRequest): Promise<TokenAnswer> {
    assertReadable(integration);
    const quirks = manifest.auth.oauth2 as OAuth2;
    const { client_secret } = integration;
    const client = { client_id: integration.client_id ?? "" };
    const fields = new URLSearchParams({ ...fillAll(quirks.tokenParameters, settings), ...parameters });
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

    const body = parseTokenBody(answer);
    const status = answer.statusCode;
    const token = status < 300 ? readToken(body, quirks.readToken) : undefined;
    if (token) return token;
    const secrets = [client_secret ?? undefined, parameters.refresh_token, parameters.code, parameters.code_verifier];
    const code = failureCode(body, secrets);
    const isVoid = code !== undefined && (quirks.voidGrantCodes?.includes(code) ?? VOID_GRANT_CODES.has(code));
    if (isVoid && status < 500) throw new GrantRefused(code, providerReason(body, secrets));
    throw new NoToken(status, code);
  };
}

export type TokenRequests = ReturnType<typeof createTokenRequests>;
