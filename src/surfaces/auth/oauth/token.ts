import { hash } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { McpGrant, PresentedToken, Redemption, TokenHashes } from "../../../contracts/mcp-grants.ts";
import { isDocumentAddress } from "../../../engine/index.ts";
import { newMcpRefreshToken, newMcpToken } from "../../../runtime/ids.ts";
import { auditEntry } from "../../shared/audit.ts";
import { MCP_SCOPE } from "../../shared/mcp-addresses.ts";
import { MAX_FORM_BYTES } from "../connect-page.ts";
import type { AuthParts } from "../parts.ts";
import { OAuthError, oauthEndpoint, readForm } from "./errors.ts";

const ACCESS_TTL_MS = 3_600_000;
/** A grant that is not used for so long ends. */
const REFRESH_TTL_MS = 30 * 86_400_000;

type Parameters = ReturnType<typeof readForm>;

const invalidGrant = () =>
  new OAuthError("invalid_grant", "it is unknown, was used before, has expired, or was issued for something else");

/** Everybody's codes and tokens are kept as hashes. */
const hashOf = (token: string) => hash("sha256", token);

/** Where clients exchange codes and refresh tokens, and where they revoke tokens. */
export function tokenRoutes(app: FastifyInstance, { store, coordination, addresses }: AuthParts): void {
  async function readClientId(parameter: Parameters): Promise<string> {
    const clientId = parameter("client_id");
    const isKnown =
      clientId !== undefined && (isDocumentAddress(clientId) || (await store.mcpGrants.client(clientId)) !== undefined);
    if (!isKnown) throw new OAuthError("invalid_client", "the client_id is missing or unknown", 401);
    return clientId;
  }

  /** Ends a grant with all of its tokens, in every process. */
  async function end({ id, workspace_id, client_id, client_name }: McpGrant, action: string, request: FastifyRequest) {
    const client = { kind: "system", id: client_id, name: client_name } as const;
    await store.change(
      workspace_id,
      ({ mcpGrants }) => mcpGrants.delete(workspace_id, id),
      auditEntry(workspace_id, client, { action, id }, request),
    );
    await coordination.invalidate("key", id);
  }

  function newTokens() {
    const [access, refresh] = [newMcpToken(), newMcpRefreshToken()];
    const until = (ttlMs: number) => new Date(Date.now() + ttlMs).toISOString();
    return {
      access: access.token,
      refresh: refresh.token,
      hashes: {
        access: { hash: access.hash, expires_at: until(ACCESS_TTL_MS) },
        refresh: { hash: refresh.hash, expires_at: until(REFRESH_TTL_MS) },
      },
    };
  }

  async function redeemCode(parameter: Parameters, by: PresentedToken, hashes: TokenHashes) {
    const [code, verifier] = [parameter("code"), parameter("code_verifier")];
    if (!code || !verifier) throw new OAuthError("invalid_request", "code and code_verifier are required");
    const code_challenge = /^[\w.~-]{43,128}$/.test(verifier) ? hash("sha256", verifier, "base64url") : "";
    const presented = { ...by, redirect_uri: parameter("redirect_uri"), code_challenge };
    return store.mcpGrants.redeemCode(hashOf(code), presented, hashes);
  }

  async function refresh(parameter: Parameters, by: PresentedToken, hashes: TokenHashes) {
    const token = parameter("refresh_token");
    if (!token) throw new OAuthError("invalid_request", "refresh_token is required");
    return store.mcpGrants.refresh(hashOf(token), by, hashes);
  }

  function readResource(parameter: Parameters): string | undefined {
    const given = parameter("resource");
    const resource = given === undefined ? undefined : addresses.read(given);
    if (given !== undefined && resource === undefined)
      throw new OAuthError("invalid_target", "resource is not an address of this service");
    return resource;
  }

  app.post(
    "/oauth/token",
    { bodyLimit: MAX_FORM_BYTES },
    oauthEndpoint(async (request) => {
      const parameter = readForm(request);
      const clientId = await readClientId(parameter);
      const grantType = parameter("grant_type");
      if (grantType === undefined) throw new OAuthError("invalid_request", "grant_type is required");
      if (grantType !== "authorization_code" && grantType !== "refresh_token")
        throw new OAuthError("unsupported_grant_type", "grant_type must be authorization_code or refresh_token");
      const redeem = grantType === "refresh_token" ? refresh : redeemCode;
      const tokens = newTokens();
      const by = { client_id: clientId, resource: readResource(parameter) };
      const result: Redemption = await redeem(parameter, by, tokens.hashes);
      if (result.outcome === "refused") throw invalidGrant();
      request.trace.workspaceId = result.grant.workspace_id;
      if (result.outcome === "misused") {
        await end(result.grant, "mcp_grant.misuse", request);
        throw invalidGrant();
      }
      const { expires_at } = result.grant;
      const leftMs = expires_at === null ? ACCESS_TTL_MS : Date.parse(expires_at) - Date.now();
      return {
        access_token: tokens.access,
        token_type: "Bearer",
        expires_in: Math.floor(Math.min(ACCESS_TTL_MS, leftMs) / 1_000),
        refresh_token: tokens.refresh,
        scope: MCP_SCOPE,
      };
    }),
  );

  // RFC 7009: whether there was such a token, nobody learns.
  app.post(
    "/oauth/revoke",
    { bodyLimit: MAX_FORM_BYTES },
    oauthEndpoint(async (request, reply) => {
      const parameter = readForm(request);
      const clientId = await readClientId(parameter);
      const token = parameter("token");
      if (!token) throw new OAuthError("invalid_request", "token is required");
      const tokenHash = hashOf(token);
      const grant = await store.mcpGrants.byRefreshToken(tokenHash);
      if (grant?.client_id === clientId) await end(grant, "mcp_grant.revoke", request);
      else if ((await store.mcpGrants.byToken(tokenHash))?.grant.client_id === clientId) {
        await store.mcpGrants.deleteToken(tokenHash);
        await coordination.invalidate("key", tokenHash);
      }
      return reply.code(200).send();
    }),
  );
}
