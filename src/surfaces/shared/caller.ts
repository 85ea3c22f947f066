import type { Access } from "../../contracts/access.ts";
import type { Caller } from "../../contracts/caller.ts";
import { Fault } from "../../contracts/fault.ts";
import type { CredentialPlaces } from "../../contracts/manifest.ts";
import { isMcpToken } from "../../contracts/mcp-grants.ts";
import { isSessionToken } from "../../contracts/session-token.ts";
import { assertAllowed, type Engine, readBasicAuth } from "../../engine/index.ts";
import { whenHere } from "../../runtime/when-here.ts";
import { auditEntry } from "./audit.ts";
import { isInProcess } from "./in-process.ts";
import { splitUrl } from "./split-url.ts";
import type { SurfaceRequest } from "./surface-types.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Whose API key it is, set by `authenticate`. */
    caller: Caller;
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

/**
 * Finds out whose API key it is, and whether that is enough for `access`. The token of a dashboard session is a key for the
 * dashboard's own calls only: outside of its cookie it is worth nothing.
 */
export function authenticate(
  engine: Pick<Engine, "authenticate" | "refused">,
  request: SurfaceRequest,
  key: string | undefined,
  access: Access,
): Caller | Promise<Caller> {
  if (isSessionToken(key) && !isInProcess(request)) throw new Fault("unauthorized", "the API key is unknown");
  return whenHere(engine.authenticate(key), (caller) => {
    request.caller = caller;
    request.trace.workspaceId = caller.workspace.id;
    return allow(engine, request, caller, access);
  });
}

type RefusableRequest = Pick<SurfaceRequest, "id" | "method" | "raw"> & {
  ip?: string;
  routeOptions?: RouteDescription;
};
/** What Fastify knows about a route. */
interface RouteDescription {
  url?: string | undefined;
  schema?: { action?: string } | undefined;
}

/** The caller, if they may do this; otherwise an error, after the attempt is in the audit log. */
export function allow(
  engine: Pick<Engine, "refused">,
  request: RefusableRequest,
  caller: Caller,
  access: Access,
): Caller | Promise<never> {
  try {
    assertAllowed(caller, access);
    return caller;
  } catch (error) {
    const { workspace, actor } = caller;
    const { url = splitUrl(request.raw.url!)[0], schema } = request.routeOptions ?? {};
    const area = typeof access === "string" ? "key" : "role" in access ? "dashboard" : access.scope.replace(":", ".");
    const action = schema?.action ?? (area.includes(".") ? area : `${area}.use`);
    const ip = request.ip ?? request.raw.socket.remoteAddress ?? null;
    const entry = auditEntry(workspace.id, actor, { action, id: `${request.method} ${url}` });
    return engine.refused({ ...entry, request_id: request.id, ip }).then(() => {
      throw error;
    });
  }
}

/** A key, or a key and a connection, within the credential that a provider's own client sends. */
const OWN_CREDENTIAL = /\bsk_[A-Za-z0-9]+(?:\.[\w-]+)?/;

interface FoundCredential {
  token: string | undefined;
  /** The header or query parameter of some provider that it was in, if it was not in `Authorization`. */
  place?: string;
}

/** The credential of a client that sends it without a known scheme, or where its provider expects it. */
function credentialElsewhere({ headers, raw }: SurfaceRequest, places: CredentialPlaces): FoundCredential {
  const { authorization } = headers;
  const basic = readBasicAuth(authorization);
  const query = new URLSearchParams(splitUrl(raw.url!)[1]);
  const sent: [place: string | undefined, value: unknown][] = [
    [undefined, basic ? `${basic.username} ${basic.password}` : authorization],
    ...places.headers.map((name): [string, unknown] => [name, headers[name]]),
    ...places.query.map((name): [string, unknown] => [name, query.get(name)]),
  ];
  for (const [place, value] of sent) {
    const token = OWN_CREDENTIAL.exec(String(value))?.[0];
    if (token !== undefined) return place === undefined ? { token } : { token, place };
  }
  return { token: undefined };
}

/**
 * The key and the connection of a forwarded request: in two headers, or as `Bearer <key>.<connection>` for clients that
 * can only be given a token. With `places`, that token may also be where the providers' own clients send theirs.
 */
function readForwardingCredential(request: SurfaceRequest, connectionHeader: string, places?: CredentialPlaces) {
  const bearer = bearerToken(request.headers.authorization, FORWARDING_SCHEMES);
  const found: FoundCredential =
    bearer === undefined && places ? credentialElsewhere(request, places) : { token: bearer };
  const { token, place } = found;
  // Neither keys nor ids contain a dot.
  const dot = token?.indexOf(".") ?? -1;
  const given = (request.headers[connectionHeader] as string | undefined) || undefined;
  if (dot < 0) return { key: token, connectionId: given, place };
  const named = token!.slice(dot + 1).split(".", 1)[0] || undefined;
  return { key: token!.slice(0, dot), connectionId: given ?? named, place };
}

export interface ForwardingCaller {
  user: Caller;
  /** As the client sent it, not verified yet. */
  connectionId: string | undefined;
  /** The header or query parameter of some provider that the credential was in, if it was not in `Authorization`. */
  place: string | undefined;
}

/**
 * The MCP client whose access token a request has; undefined if it has none. Only the address that a token was issued for
 * recognizes it: everywhere else it is an unknown key.
 */
export async function identifyMcpClient(
  engine: Pick<Engine, "authenticateMcpClient">,
  request: SurfaceRequest,
  connectionHeader: string,
  resource: string,
): Promise<ForwardingCaller | undefined> {
  const { key, connectionId, place } = readForwardingCredential(request, connectionHeader);
  if (key === undefined || !isMcpToken(key)) return undefined;
  const user = await engine.authenticateMcpClient(key, resource);
  request.caller = user;
  request.trace.workspaceId = user.workspace.id;
  request.trace.connectionId = connectionId ?? null;
  return { user, connectionId, place };
}

/** Identifies the caller of Proxy or MCP and the connection to use. */
export function identifyForwardingCaller(
  engine: Pick<Engine, "authenticate" | "refused">,
  request: SurfaceRequest,
  connectionHeader: string,
  access: Access,
  places?: CredentialPlaces,
): ForwardingCaller | Promise<ForwardingCaller> {
  const { key, connectionId, place } = readForwardingCredential(request, connectionHeader, places);
  return whenHere(authenticate(engine, request, key, access), (user) => {
    request.trace.connectionId = connectionId ?? null;
    return { user, connectionId, place };
  });
}
