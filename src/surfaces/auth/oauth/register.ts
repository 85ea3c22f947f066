import type { FastifyInstance } from "fastify";
import { newId } from "../../../runtime/ids.ts";
import { countAttempt } from "../attempt-limits.ts";
import { MAX_FORM_BYTES } from "../connect-page.ts";
import type { AuthParts } from "../parts.ts";
import { shownName } from "./clients.ts";
import { OAuthError, oauthEndpoint } from "./errors.ts";
import { clientRedirectProblem } from "./redirects.ts";

const MAX_REDIRECT_URIS = 10;
const MAX_URI_LENGTH = 2_000;

function readRedirectUris(given: unknown): string[] {
  const isList = Array.isArray(given) && given.length > 0 && given.length <= MAX_REDIRECT_URIS;
  if (!isList || !given.every((uri): uri is string => typeof uri === "string" && uri.length <= MAX_URI_LENGTH))
    throw new OAuthError("invalid_redirect_uri", `redirect_uris must be 1 to ${MAX_REDIRECT_URIS} addresses`);
  for (const uri of given) {
    const problem = clientRedirectProblem(uri);
    if (problem) throw new OAuthError("invalid_redirect_uri", `${uri}: ${problem}`);
  }
  return given;
}

/** Registration of clients that have no metadata document (RFC 7591). They get no secret: PKCE is what protects codes. */
export function registerRoute(app: FastifyInstance, { store, coordination }: AuthParts): void {
  app.post(
    "/oauth/register",
    { bodyLimit: MAX_FORM_BYTES },
    oauthEndpoint(async (request, reply) => {
      const { body } = request;
      if (typeof body !== "object" || body === null || Array.isArray(body) || body instanceof URLSearchParams)
        throw new OAuthError("invalid_client_metadata", "the body must be a JSON object");
      const { redirect_uris, client_name } = body as Record<string, unknown>;
      const client = {
        id: newId("mcp"),
        name: shownName(typeof client_name === "string" ? client_name : ""),
        redirect_uris: readRedirectUris(redirect_uris),
      };
      const waitSeconds = await countAttempt(coordination, "mcp-register", request);
      if (waitSeconds !== undefined) {
        reply.header("retry-after", waitSeconds);
        throw new OAuthError("temporarily_unavailable", "too many clients are being registered", 429);
      }
      if (!(await store.mcpGrants.registerClient(client)))
        throw new OAuthError("temporarily_unavailable", "too many clients are registered", 503);
      return reply.code(201).send({
        client_id: client.id,
        client_id_issued_at: Math.floor(Date.now() / 1_000),
        client_name: client.name,
        redirect_uris: client.redirect_uris,
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
      });
    }),
  );
}
