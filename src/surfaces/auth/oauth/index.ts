import type { FastifyInstance } from "fastify";
import { serverMetadataRoutes } from "../../shared/mcp-metadata.ts";
import type { AuthParts } from "../parts.ts";
import { authorizeRoute } from "./authorize.ts";
import { consentRoutes } from "./consent.ts";
import { registerRoute } from "./register.ts";
import { signInRoutes } from "./sign-in.ts";
import { tokenRoutes } from "./token.ts";

/**
 * The authorization server for MCP clients: OAuth 2.1 with PKCE, for clients without a secret. People decide about each
 * client what it may do: https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 */
export function oauthRoutes(app: FastifyInstance, parts: AuthParts): void {
  serverMetadataRoutes(app, parts.addresses, "/oauth");
  authorizeRoute(app, parts);
  signInRoutes(app, parts);
  consentRoutes(app, parts);
  tokenRoutes(app, parts);
  registerRoute(app, parts);
}
