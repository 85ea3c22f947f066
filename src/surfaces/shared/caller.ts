import type { Workspace } from "../../contracts/entities.ts";
import { Fault } from "../../contracts/fault.ts";
import type { CredentialPlaces } from "../../contracts/manifest.ts";
import { isSessionToken } from "../../contracts/session-token.ts";
import { type Engine, readBasicAuth } from "../../engine/index.ts";
import { isInProcess } from "./in-process.ts";
import { splitUrl } from "./split-url.ts";
import type { SurfaceRequest } from "./surface-types.ts";

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

/**
 * Finds the workspace of an API key and sets it on the request. The token of a dashboard session is a key for the
 * dashboard's own calls only: outside of its cookie it is worth nothing.
 */
export async function authenticate(
  engine: Pick<Engine, "authenticate">,
  request: SurfaceRequest,
  key: string | undefined,
): Promise<Workspace> {
  if (isSessionToken(key) && !isInProcess(request)) throw new Fault("unauthorized", "the API key is unknown");
  const workspace = await engine.authenticate(key);
  request.workspace = workspace;
  request.trace.workspaceId = workspace.id;
  return workspace;
}

/** A key, or a key and a connection, within the credential that a provider's own client sends. */
const OWN_CREDENTIAL = /\bsk_[A-Za-z0-9]+(?:\.\w+)?/;

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
  workspace: Workspace;
  /** As the client sent it, not verified yet. */
  connectionId: string | undefined;
  /** The header or query parameter of some provider that the credential was in, if it was not in `Authorization`. */
  place: string | undefined;
}

/** Identifies the caller of Proxy or MCP and the connection to use. */
export async function identifyForwardingCaller(
  engine: Pick<Engine, "authenticate">,
  request: SurfaceRequest,
  connectionHeader: string,
  places?: CredentialPlaces,
): Promise<ForwardingCaller> {
  const { key, connectionId, place } = readForwardingCredential(request, connectionHeader, places);
  const workspace = await authenticate(engine, request, key);
  request.trace.connectionId = connectionId ?? null;
  return { workspace, connectionId, place };
}
