import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { MCP_SCOPE, type McpAddresses } from "./mcp-addresses.ts";

const RESOURCE = "/.well-known/oauth-protected-resource";
const SERVER = "/.well-known/oauth-authorization-server";

const send = (reply: FastifyReply, body: object) =>
  reply.headers({ "cache-control": "public, max-age=300", "access-control-allow-origin": "*" }).send(body);

const sendNothing = (reply: FastifyReply) =>
  reply.code(404).send({ error: "not_found", error_description: "nobody can sign in at this address" });

/** What follows the well-known part of a path. */
const rest = ({ params }: FastifyRequest): string => {
  const { "*": path = "" } = params as { "*"?: string };
  return path === "" ? "" : `/${path}`;
};

/** What the authorization server can do (RFC 8414). */
const serverMetadata = ({ issuer }: McpAddresses) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  registration_endpoint: `${issuer}/register`,
  revocation_endpoint: `${issuer}/revoke`,
  scopes_supported: [MCP_SCOPE],
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  token_endpoint_auth_methods_supported: ["none"],
  revocation_endpoint_auth_methods_supported: ["none"],
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
});

/** The metadata of the addresses at which people can sign in (RFC 9728). */
export function resourceMetadataRoutes(app: FastifyInstance, addresses: McpAddresses): void {
  const { origin } = new URL(addresses.of());
  for (const path of [RESOURCE, `${RESOURCE}/*`])
    app.get(path, { config: { access: "public" } }, async (request, reply) => {
      const resource = addresses.read(rest(request) === "" ? addresses.of() : origin + rest(request));
      if (!resource || !(await addresses.workspace(resource))) return sendNothing(reply);
      return send(reply, addresses.metadata(resource, request.headers.host));
    });
}

/** The metadata of the authorization server, where RFC 8414 has it, and under the issuer's own path. */
export function serverMetadataRoutes(app: FastifyInstance, addresses: McpAddresses, ownPath?: string): void {
  const { pathname } = new URL(addresses.issuer);
  if (ownPath !== undefined)
    app.get(ownPath + SERVER, { config: { access: "public" } }, (_, reply) => send(reply, serverMetadata(addresses)));
  app.get(`${SERVER}/*`, { config: { access: "public" } }, (request, reply) =>
    rest(request) === pathname ? send(reply, serverMetadata(addresses)) : sendNothing(reply),
  );
}
