import type { IssuedTokens, OAuth2, RevocableGrant, RevocationRequest } from "../../contracts/authentication.ts";
import type { Connection, Integration } from "../../contracts/entities.ts";
import { Fault } from "../../contracts/fault.ts";
import { issuedTokens, type Manifest } from "../../contracts/manifest.ts";
import type { Telemetry } from "../../contracts/telemetry.ts";
import { basicAuth } from "../../runtime/basic-auth.ts";
import { asReceived, createCallWithRetries } from "../http/attempts.ts";
import type { BufferedResponse } from "../http/buffer-response.ts";
import { queryString } from "../http/query-string.ts";
import type { Transport, TransportRequest } from "../http/transport.ts";
import { type ConnectionContext, createConnectionContext } from "./connection-context.ts";
import { hasOwnClient } from "./issue-token.ts";
import { manifestHeaders } from "./manifest-headers.ts";
import type { Providers } from "./providers.ts";
import { clientAuthentication } from "./token-request.ts";

export type Revocation = "revoked" | "unsupported" | "failed" | "timed_out";

const MAX_MS = 5_000;

/** What the manifest says about the tokens of an integration. */
const tokensOf = ({ auth }: Manifest, { type }: Integration): OAuth2 | IssuedTokens | undefined =>
  type === "oauth2" ? auth.oauth2 : issuedTokens({ auth }, type);

/** Revokes a connection's tokens at the provider: best effort, in bounded time. It never throws. */
export function createRevoker(
  transport: Transport,
  providers: Pick<Providers, "of">,
  sandboxUrl: string | undefined,
  telemetry: Telemetry,
) {
  const callWithRetries = createCallWithRetries({ firstMs: MAX_MS, retryMs: MAX_MS }, telemetry);

  return async function revoke(connection: Connection, integration: Integration): Promise<Revocation> {
    const provider = await providers.of(integration.workspace_id, integration.identifier);
    const revoke = provider && tokensOf(provider.manifest, integration)?.revoke;
    if (!revoke) return "unsupported";
    if (connection.unreadable || integration.unreadable) return "failed";
    const context = createConnectionContext(provider, connection, integration, { sandboxUrl });
    if (typeof revoke !== "function" && !context.hasAddress(revoke.address)) return "unsupported";
    try {
      const response = await callWithRetries({
        provider: provider.manifest.id,
        request: await prepare(context),
        retries: 0,
        repeatable: false,
        send: transport.buffer,
        interpret: asReceived,
      });
      return succeeded(provider.manifest, response) ? "revoked" : "failed";
    } catch (error) {
      return error instanceof Fault && error.kind === "upstream_timeout" ? "timed_out" : "failed";
    }
  };
}

async function prepare(connection: ConnectionContext): Promise<TransportRequest> {
  const tokens = tokensOf(connection.provider.manifest, connection.integration)!;
  const { revoke } = tokens;
  return typeof revoke === "function"
    ? specificRequest(connection, revoke)
    : standardRequest(connection, revoke!.address, tokens);
}

/** A provider-specific request. */
function specificRequest(
  connection: ConnectionContext,
  revoke: (grant: RevocableGrant) => RevocationRequest,
): TransportRequest {
  const { record, integration, authorization, provider } = connection;
  const client_id = integration.client_id ?? "";
  const client_secret = integration.client_secret ?? "";
  const request = revoke({ credentials: record.credentials, client_id, client_secret });
  const client = { authorization: basicAuth(client_id, client_secret) };
  const asClient = request.as === "client";
  const { origin, path } = connection.address(request.to);
  const query = queryString({ ...request.query, ...request.locked }, asClient ? undefined : authorization.query);
  return {
    origin,
    path: `${path}${request.path}${query}` || "/",
    method: request.method,
    headers: {
      ...manifestHeaders(provider.manifest, connection.settings),
      ...(request.body ? { "content-type": "application/json; charset=utf-8" } : {}),
      ...request.headers,
      ...(asClient ? client : authorization.headers),
    },
    ...(request.body ? { body: JSON.stringify(request.body) } : {}),
  };
}

/** RFC 7009. Revoking the refresh token, if there is one, also revokes the access tokens issued from it. */
async function standardRequest(
  connection: ConnectionContext,
  address: string,
  tokens: OAuth2 | IssuedTokens,
): Promise<TransportRequest> {
  const { record, integration } = connection;
  const { token = "", refresh_token, username = "", password = null } = record.credentials;
  const { origin, path } = connection.address(address);
  const fields = new URLSearchParams({
    token: refresh_token ?? token,
    token_type_hint: refresh_token ? "refresh_token" : "access_token",
  });
  const headers = new Headers({
    "user-agent": "plugboard",
    accept: "application/json",
    "content-type": "application/x-www-form-urlencoded",
  });
  // A user's own client, if the integration has none.
  const isOwn = integration.type === "oauth2" || hasOwnClient(tokens as IssuedTokens, integration);
  const client = { client_id: isOwn ? (integration.client_id ?? "") : username };
  const authenticate = clientAuthentication(tokens, isOwn ? integration.client_secret : password);
  await authenticate({ issuer: origin }, client, fields, headers);
  return {
    origin,
    path: path || "/",
    method: "POST",
    headers: Object.fromEntries(headers),
    body: fields.toString(),
  };
}

/** Some providers report an error with status 200. */
function succeeded(manifest: Manifest, { statusCode: status, headers, bytes }: BufferedResponse): boolean {
  if (status >= 300 || !manifest.failed || !String(headers["content-type"]).includes("json")) return status < 300;
  return manifest.failed({ status, headers, body: JSON.parse(bytes.toString()) }) === undefined;
}

export type Revoker = ReturnType<typeof createRevoker>;
