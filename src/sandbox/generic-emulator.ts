import type { Authorization, AuthType } from "../contracts/authentication.ts";
import type { EmulatedRequest, Emulator } from "../contracts/emulator.ts";
import { addressTemplate, authTypes, type Manifest, requestAddresses } from "../contracts/manifest.ts";
import { emulate, reply } from "../emulator-kit/emulator.ts";
import { basicAuth, readBasicAuth } from "../runtime/basic-auth.ts";
import { addressPath, addressRoute } from "./routes.ts";

/** Stands for the credential in the manifest's authorization. It stays as it is in an address. */
const TOKEN = "~token~";
const USERNAME = "~username~";
const PASSWORD = "~password~";

function authorizationOf(manifest: Manifest, type: AuthType): Authorization {
  const basic = { username: USERNAME, password: manifest.auth.basic?.password === undefined ? "" : PASSWORD };
  const credentials = type === "basic" ? basic : { token: TOKEN };
  if (manifest.authorization) return manifest.authorization(credentials, type);
  const value = type === "basic" ? basicAuth(basic.username, basic.password) : `Bearer ${TOKEN}`;
  return { headers: { authorization: value } };
}

/** What was sent in place of the mark in `expected`; undefined if the rest is different. */
function between(expected: string, sent: string | undefined): string | undefined {
  const basic = readBasicAuth(expected);
  if (basic) {
    const given = readBasicAuth(sent);
    return basic.password === PASSWORD ? given?.password : given?.username;
  }
  const [before = "", after = ""] = expected.split(TOKEN);
  if (sent === undefined || !sent.startsWith(before) || !sent.endsWith(after)) return undefined;
  return sent.slice(before.length, sent.length - after.length) || undefined;
}

/** The segment that follows one of the API's addresses. */
function keySegment(manifest: Manifest, type: AuthType, path: string): string | undefined {
  for (const name of requestAddresses(manifest)) {
    const base = addressPath(addressTemplate(manifest, name, type) ?? "").replace(/\{\w+\}/g, "[^/]+");
    const found = new RegExp(`^${base}(/[^/]+)`).exec(path);
    if (found) return decodeURIComponent(found[1]!);
  }
  return undefined;
}

/** Finds the credential exactly where the manifest sends it. */
function findCredential(manifest: Manifest, { headers, query, path }: EmulatedRequest): string | undefined {
  for (const type of authTypes(manifest)) {
    if (type === "none") continue;
    const authorization = authorizationOf(manifest, type);
    for (const [name, value] of Object.entries(authorization.headers ?? {})) {
      const found = between(value, headers[name.toLowerCase()]);
      if (found) return found;
    }
    for (const [name, value] of Object.entries(authorization.query ?? {})) {
      const found = between(value, query.get(name) ?? undefined);
      if (found) return found;
    }
    const inPath = authorization.path && between(authorization.path, keySegment(manifest, type, path));
    if (inPath) return inPath;
  }
  return undefined;
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Every path below the addresses, with what the manifest says that it answers; others say what arrived. */
function routesOf(manifest: Manifest): Emulator["routes"] {
  const { bodies = [] } = manifest.sandbox?.() ?? {};
  const routes: Emulator["routes"] = {};
  const baseOf = (name: string) => addressRoute(manifest.addresses[name] ?? "").replace(/^\/$/, "");
  const hasPathKey = authTypes(manifest).some((type) => type !== "none" && authorizationOf(manifest, type).path);
  const key = hasPathKey ? "/:key" : "";
  for (const { to, path, body } of bodies) routes[`GET ${baseOf(to)}${key}${path}`] = () => reply(200, body);
  const echo = ({ method, params, headers }: EmulatedRequest) =>
    reply(200, { method, path: `/${params.rest ?? ""}`, headers: Object.keys(headers).sort() });
  for (const name of requestAddresses(manifest))
    for (const method of METHODS) {
      routes[`${method} ${baseOf(name) + key || "/"}`] = echo;
      routes[`${method} ${baseOf(name)}${key}/:rest*`] = echo;
    }
  return routes;
}

/**
 * An emulator for a provider that has none: it answers every call whose credential is in the place that the manifest
 * declares with what it received, without values of headers.
 */
export function genericEmulator(manifest: Manifest): Emulator {
  const { settings, redirect, token } = manifest.sandbox?.() ?? {};
  const routes = routesOf(manifest);
  return emulate<unknown>({
    state: () => null,
    routes,
    ...(manifest.auth.none ? { open: Object.keys(routes) } : {}),
    failure: (status) => reply(status, { error: { status, message: `The sandbox answers ${status}.` } }),
    unauthorized: (_, reason) => reply(401, { error: { status: 401, message: `The credential is ${reason}.` } }),
    credential: (request) => findCredential(manifest, request),
    ...(settings ? { settings } : {}),
    ...(redirect ? { redirectParameters: redirect } : {}),
    ...(token ? { tokenAnswer: (standard) => reply(200, { ...standard, ...token }) } : {}),
  });
}
