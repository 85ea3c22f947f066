import type { Workspace } from "../../contracts/entities.ts";
import { Fault } from "../../contracts/fault.ts";
import { isSessionToken } from "../../contracts/session-token.ts";
import { type Engine, readBasicAuth } from "../../engine/index.ts";
import type { SurfaceRequest } from "./exchange.ts";
import { isInProcess } from "./in-process.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The workspace of the API key, set by `authenticate`. */
    workspace: Workspace;
  }
}

/** Some providers' own clients send `token` or `Bot` instead of `Bearer`. */
export const FORWARDING_SCHEMES = ["bearer", "token", "bot"];
const BEARER = ["bearer"];

/** The token of an `Authorization: Bearer …` header. The scheme's name is case-insensitive. */
export function bearerToken(
  authorization: string | undefined,
  schemes: readonly string[] = BEARER,
): string | undefined {
  if (!authorization) return undefined;
  const space = authorization.indexOf(" ");
  if (space < 0 || !schemes.includes(authorization.slice(0, space).toLowerCase())) return undefined;
  return authorization.slice(space + 1).trim() || undefined;
}

/** The API key as the user name of Basic authentication, with an empty password. */
export function basicAuthKey(authorization: string | undefined): string | undefined {
  const pair = readBasicAuth(authorization);
  return pair?.password === "" ? pair.username : undefined;
}

function setWorkspace(request: SurfaceRequest, workspace: Workspace): Workspace {
  request.workspace = workspace;
  request.trace.workspaceId = workspace.id;
  return workspace;
}

/**
 * Finds the workspace of an API key and sets it on the request. Returns no promise if the key is cached. The token of a
 * dashboard session is a key for the dashboard's own calls only: outside of its cookie it is worth nothing.
 */
export function authenticate(
  engine: Pick<Engine, "authenticate">,
  request: SurfaceRequest,
  key: string | undefined,
): Workspace | Promise<Workspace> {
  if (isSessionToken(key) && !isInProcess(request)) throw new Fault("unauthorized", "the API key is unknown");
  const workspace = engine.authenticate(key);
  return workspace instanceof Promise
    ? workspace.then((found) => setWorkspace(request, found))
    : setWorkspace(request, workspace);
}

/**
 * The key and the connection of a forwarded request: in two headers, or as `Bearer <key>.<connection>` for clients that
 * can only be given a token.
 */
export function readForwardingCredential(request: SurfaceRequest, connectionHeader: string) {
  // Neither keys nor ids contain a dot.
  const token = bearerToken(request.headers.authorization, FORWARDING_SCHEMES);
  const dot = token?.indexOf(".") ?? -1;
  const given = (request.headers[connectionHeader] as string | undefined) || undefined;
  if (dot < 0) return { key: token, connectionId: given };
  return { key: token!.slice(0, dot), connectionId: given ?? (token!.slice(dot + 1).split(".", 1)[0] || undefined) };
}

export interface ForwardingCaller {
  workspace: Workspace;
  /** As the client sent it, not verified yet. */
  connectionId: string | undefined;
}

/** Identifies the caller of Proxy or MCP and the connection to use. */
export function identifyForwardingCaller(
  engine: Pick<Engine, "authenticate">,
  request: SurfaceRequest,
  connectionHeader: string,
): ForwardingCaller | Promise<ForwardingCaller> {
  const { key, connectionId } = readForwardingCredential(request, connectionHeader);
  const found = (workspace: Workspace): ForwardingCaller => {
    request.trace.connectionId = connectionId ?? null;
    return { workspace, connectionId };
  };
  const workspace = authenticate(engine, request, key);
  return workspace instanceof Promise ? workspace.then(found) : found(workspace);
}
