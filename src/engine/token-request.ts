import * as oauth from "oauth4webapi";
import { Fault } from "../contracts/fault.ts";
import type { Manifest, OAuth2, TokenAnswer } from "../contracts/manifest.ts";
import type { Integration } from "../contracts/records.ts";
import type { Address } from "./address.ts";
import { type Exchanger, responseWait } from "./exchange.ts";
import { readBody } from "./read-body.ts";

/** The provider said no for good: the grant is void. Anything else may pass. */
export class GrantRefused extends Error {
  readonly code: string;
  constructor(code: string, description: string | undefined) {
    super(description ? `${code}: ${description}` : code);
    this.name = "GrantRefused";
    this.code = code;
  }
}

/** Codes that say the grant itself is void; the rest say that this request failed. */
const VOID_GRANT = new Set([
  "invalid_grant",
  "bad_refresh_token",
  "invalid_refresh_token",
  "token_revoked",
  "token_expired",
]);

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

function standardAnswer(body: any): TokenAnswer | undefined {
  if (typeof body?.access_token !== "string" || body.access_token === "") return undefined;
  const seconds = Number(body.expires_in);
  return {
    access_token: body.access_token,
    ...(text(body.refresh_token) ? { refresh_token: body.refresh_token } : {}),
    ...(body.expires_in != null && Number.isFinite(seconds) ? { expires_in: seconds } : {}),
  };
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
export function createTokenRequests(exchange: Exchanger) {
  return async function requestToken({
    manifest,
    integration,
    endpoint,
    parameters,
  }: TokenRequest): Promise<TokenAnswer> {
    const quirks = manifest.auth.oauth2 as OAuth2;
    const client = { client_id: integration.client_id ?? "" };
    const fields = new URLSearchParams({ ...quirks.tokenParameters, ...parameters });
    const headers = new Headers({ accept: "application/json", "user-agent": "plugboard" });
    const authenticate = (quirks.tokenRequestAuth === "basic" ? oauth.ClientSecretBasic : oauth.ClientSecretPost)(
      integration.client_secret ?? "",
    );
    await authenticate({ issuer: endpoint.origin }, client, fields, headers);
    if (quirks.tokenRequestAuth !== "basic") fields.set("client_id", client.client_id);
    const json = quirks.tokenRequestBody === "json";
    headers.set("content-type", json ? "application/json" : "application/x-www-form-urlencoded");

    const answer = await exchange({
      provider: manifest.id,
      request: {
        origin: endpoint.origin,
        path: endpoint.path || "/",
        method: "POST",
        headers: Object.fromEntries(headers),
        body: json ? JSON.stringify(Object.fromEntries(fields)) : fields.toString(),
      },
      retries: 0,
      repeatable: false,
      consume: async (response) => ({ response, bytes: await readBody(response) }),
      statusOf: ({ response }) => response.statusCode,
      waitOf: ({ response }) => responseWait(response),
    });

    const body = parse(answer.bytes, String(answer.response.headers["content-type"] ?? ""));
    const status = answer.response.statusCode;
    const token = status < 300 ? (quirks.readToken ?? standardAnswer)(body) : undefined;
    if (token) return token;
    const code = text(body?.error) ?? text(body?.code);
    if (code && (VOID_GRANT.has(code) || (status >= 400 && status < 500 && code === "access_denied")))
      throw new GrantRefused(code, text(body?.error_description));
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
