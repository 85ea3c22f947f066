import type { FastifyReply, FastifyRequest } from "fastify";
import { Fault } from "../../../contracts/fault.ts";
import { type ForwardingCaller, identifyForwardingCaller, identifyMcpClient } from "../../shared/caller.ts";
import { type McpOptions, UNIFIED_MCP_ACCESS } from "../../shared/forwarding.ts";
import { MCP_SCOPE, type McpAddresses } from "../../shared/mcp-addresses.ts";
import { assertOriginAllowed } from "../../shared/origin.ts";

interface AuthenticationOptions extends Pick<McpOptions, "engine" | "headerPrefix" | "allowsOrigin"> {
  /** Where people can sign in. */
  addresses: McpAddresses;
}

/** Finds out who calls Unified MCP: an API key, or a client that a person has signed in. */
export function createAuthentication({ engine, headerPrefix, allowsOrigin, addresses }: AuthenticationOptions) {
  const connectionHeader = `${headerPrefix}Connection-ID`.toLowerCase();

  /** Says where people can sign in (RFC 9728, 5.1), if they can. */
  async function challenge({ headers }: FastifyRequest, reply: FastifyReply, resource: string): Promise<void> {
    if (!(await addresses.workspace(resource))) return;
    const refused = headers.authorization === undefined ? "" : 'error="invalid_token", ';
    const metadata = `resource_metadata="${addresses.metadataUrl(resource)}"`;
    reply.header("www-authenticate", `Bearer ${refused}${metadata}, scope="${MCP_SCOPE}"`);
  }

  return async function authenticate(request: FastifyRequest, reply: FastifyReply): Promise<ForwardingCaller> {
    assertOriginAllowed(request, allowsOrigin);
    const { clientId } = request.params as { clientId?: string };
    const resource = addresses.of(clientId);
    try {
      const caller =
        (await identifyMcpClient(engine, request, connectionHeader, resource)) ??
        (await identifyForwardingCaller(engine, request, connectionHeader, UNIFIED_MCP_ACCESS));
      if (clientId !== undefined && caller.user.workspace.client_id !== clientId)
        throw new Fault("unauthorized", "the API key is of another workspace than this address");
      return caller;
    } catch (error) {
      if (error instanceof Fault && error.kind === "unauthorized") await challenge(request, reply, resource);
      throw error;
    }
  };
}
