import type { FastifyRequest } from "fastify";
import type { Workspace } from "../../contracts/entities.ts";
import { type Engine, readBasicAuth } from "../../engine/index.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The workspace of the API key, once `authenticate` has run. */
    workspace: Workspace;
  }
}

/** Some providers' own clients write `token` in place of `Bearer`. */
export const FORWARDING_SCHEMES = ["bearer", "token"];
const BEARER = ["bearer"];

/** The token of an `Authorization: Bearer …` header. The scheme's name is case-insensitive. */
export function bearer(authorization: string | undefined, schemes: readonly string[] = BEARER): string | undefined {
  if (!authorization) return undefined;
  const space = authorization.indexOf(" ");
  if (space < 0 || !schemes.includes(authorization.slice(0, space).toLowerCase())) return undefined;
  return authorization.slice(space + 1).trim() || undefined;
}

/** The API key as the user name of Basic authentication, with an empty password. */
export function basicKey(authorization: string | undefined): string | undefined {
  const pair = readBasicAuth(authorization);
  return pair?.password === "" ? pair.username : undefined;
}

function admit(request: FastifyRequest, workspace: Workspace): Workspace {
  request.workspace = workspace;
  request.trace.workspaceId = workspace.id;
  return workspace;
}

/** Finds out whose key it is, and notes it on the request. Without a promise if the key is cached. */
export function authenticate(
  engine: Pick<Engine, "authenticate">,
  request: FastifyRequest,
  key: string | undefined,
): Workspace | Promise<Workspace> {
  const workspace = engine.authenticate(key);
  return workspace instanceof Promise ? workspace.then((found) => admit(request, found)) : admit(request, workspace);
}

/**
 * The key and the connection of a forwarded request: by two headers, or by `Bearer <key>.<connection>` for clients that
 * can be given only a token.
 */
export function readForwardingCredential(request: FastifyRequest, connectionHeader: string) {
  // Neither keys nor ids contain a dot.
  const [key, combined] = bearer(request.headers.authorization, FORWARDING_SCHEMES)?.split(".", 2) ?? [];
  const connectionId = (request.headers[connectionHeader] as string | undefined) || combined || undefined;
  return { key, connectionId };
}

export interface ForwardingCaller {
  workspace: Workspace;
  /** As the client gave it. */
  connectionId: string | undefined;
}

/** Who is calling Proxy or MCP, and over which connection. */
export async function forwardingCaller(
  engine: Pick<Engine, "authenticate">,
  request: FastifyRequest,
  connectionHeader: string,
): Promise<ForwardingCaller> {
  const { key, connectionId } = readForwardingCredential(request, connectionHeader);
  const workspace = await authenticate(engine, request, key);
  request.trace.connectionId = connectionId ?? null;
  return { workspace, connectionId };
}
