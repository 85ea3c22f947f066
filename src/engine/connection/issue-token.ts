import type { Credentials, IssuedTokens, IssueRequest, TokenAnswer } from "../../contracts/authentication.ts";
import type { Integration } from "../../contracts/entities.ts";
import { Fault, UnusableKey } from "../../contracts/fault.ts";
import { issuedTokens, type Manifest, requestAddresses } from "../../contracts/manifest.ts";
import { pathProblem } from "../../contracts/path-problem.ts";
import { asReceived, type CallWithRetries } from "../http/attempts.ts";
import type { BufferedResponse } from "../http/buffer-response.ts";
import { retryAfter } from "../http/retry.ts";
import type { Transport, TransportRequest } from "../http/transport.ts";
import type { Address } from "./address.ts";
import { manifestHeaders } from "./manifest-headers.ts";
import { providerReason } from "./safe-provider-message.ts";
import { failureCode, GrantRefused, parseTokenBody, readToken, validToken } from "./token-answer.ts";
import { assertReadable, NoToken } from "./token-request.ts";

/** The code of a refusal that is ours: nothing was sent. */
export const UNUSABLE_KEY = "unusable_key";
const REFUSED_BY = [401, 403];
const REFUSED_CODES = new Set(["invalid_client", "invalid_grant", "unauthorized_client", "access_denied"]);

/** What a token is issued for. */
export interface TokenOrder {
  manifest: Manifest;
  integration: Integration;
  credentials: Credentials;
  /** With those of the integration. */
  settings: Record<string, string>;
  address(name: string): Address;
}

/** Whether the integration authenticates itself, so that no user is asked for credentials. */
export const hasOwnClient = (issued: IssuedTokens, { client_id, client_secret }: Integration): boolean =>
  issued.asClient === true && client_id !== null && client_secret !== null;

/** What a connection's credentials change with a new token. */
export function issuedGrant(token: TokenAnswer, issued: IssuedTokens, credentials: Credentials, now = Date.now()) {
  const seconds = token.expires_in ?? issued.lifetime;
  return {
    credentials: { ...credentials, token: token.access_token },
    expires_at: seconds === undefined ? null : new Date(now + seconds * 1000).toISOString(),
  };
}

/** The request for a token, or the token. Throws `UnusableKey`. */
export function prepareIssue({ manifest, integration, credentials, settings }: Omit<TokenOrder, "address">) {
  const { client_id, client_secret, private_key, scopes } = integration;
  const given = { credentials, settings, client_id, client_secret, private_key, scopes: scopes ?? undefined };
  return issuedTokens(manifest, integration.type)!.issue({ ...given, now: Date.now() });
}

/** Everything that an error of the token endpoint could quote. */
function secretsIn({ credentials, integration }: TokenOrder, { headers = {}, body }: IssueRequest): string[] {
  const sent = Object.values((body && ("form" in body ? body.form : body.json)) ?? {});
  const signed = sent.filter((value) => typeof value === "string" && value.startsWith("eyJ")) as string[];
  return [
    ...Object.values(credentials),
    integration.client_secret,
    integration.private_key,
    ...Object.values(headers).map((value) => value.split(" ").at(-1)!),
    ...signed,
  ].filter((secret) => typeof secret === "string");
}

/** Requests or makes tokens that are issued without the user. One request each: nothing is repeated here. */
export function createTokenIssuer(transport: Pick<Transport, "buffer">, callWithRetries: CallWithRetries) {
  function make(order: TokenOrder, issued: IssuedTokens) {
    try {
      return prepareIssue(order);
    } catch (error) {
      const problem = error instanceof UnusableKey ? error.message : "it cannot be used to request a token";
      // With another key of the integration, the connection is valid again.
      if (issued.needs?.includes("private_key"))
        throw new Fault("refresh_unavailable", `the integration's private key: ${problem}`);
      throw new GrantRefused(UNUSABLE_KEY, problem);
    }
  }

  function toRequest({ manifest, settings, address }: TokenOrder, request: IssueRequest): TransportRequest {
    const problem = pathProblem(request.path);
    if (problem) throw new Fault("upstream_forbidden", `the path of the token request ${problem}`);
    const { origin, path } = address(request.to);
    const { body } = request;
    const isApi = requestAddresses(manifest).includes(request.to);
    const content = body && ("form" in body ? new URLSearchParams(body.form).toString() : JSON.stringify(body.json));
    return {
      origin,
      path: path + request.path || "/",
      method: request.method,
      headers: {
        ...(isApi ? manifestHeaders(manifest, settings) : { "user-agent": "plugboard", accept: "application/json" }),
        ...(body ? { "content-type": `application/${"form" in body ? "x-www-form-urlencoded" : "json"}` } : {}),
        ...request.headers,
      },
      ...(content === undefined ? {} : { body: content }),
    };
  }

  /** Why a response has no token. */
  function failureOf(
    order: TokenOrder,
    issued: IssuedTokens,
    answer: BufferedResponse,
    body: unknown,
    secrets: string[],
  ) {
    const { manifest, integration } = order;
    const { statusCode: status, headers } = answer;
    const code = failureCode(body, secrets);
    const isLimit = (retryAfter(answer) ?? manifest.retryAfter?.({ status, headers, body })) !== undefined;
    const isRefused =
      ((issued.refusedBy ?? REFUSED_BY).includes(status) && !isLimit) ||
      (status === 400 && REFUSED_CODES.has(code ?? ""));
    const reason = providerReason(body, secrets);
    // Users cannot do anything about the integration's own credentials: once these are right, connections work again.
    if (isRefused && hasOwnClient(issued, integration))
      return new Fault(
        "refresh_unavailable",
        `the provider refused the integration's client${code ? ` (${code})` : ""}`,
      );
    return isRefused ? new GrantRefused(code ?? `status ${status}`, reason) : new NoToken(status, code);
  }

  return async function issueToken(order: TokenOrder): Promise<TokenAnswer> {
    const { manifest, integration } = order;
    const issued = issuedTokens(manifest, integration.type)!;
    assertReadable(integration);
    const made = make(order, issued);
    if ("token" in made) {
      const token = validToken(made.token);
      if (!token) throw new GrantRefused(UNUSABLE_KEY, "the token that was made with it cannot be sent");
      return token;
    }
    const answer = await callWithRetries({
      provider: manifest.id,
      request: toRequest(order, made.request),
      retries: 0,
      repeatable: false,
      send: transport.buffer,
      interpret: asReceived,
    });
    const body = parseTokenBody(answer);
    const token = answer.statusCode < 300 ? readToken(body, issued.readToken) : undefined;
    if (token) return token;
    throw failureOf(order, issued, answer, body, secretsIn(order, made.request));
  };
}

export type TokenIssuer = ReturnType<typeof createTokenIssuer>;
