import type { ServerResponse } from "node:http";
import type {
  ChangeableList,
  ChangeRequest,
  EmulatedReply,
  EmulatedRequest,
  EmulatedTokens,
  Emulator,
} from "../contracts/emulator.ts";
import type { Manifest } from "../contracts/manifest.ts";
import { Refused } from "../emulator-kit/emulator.ts";
import { readBasicAuth } from "../runtime/basic-auth.ts";
import { createIssuedTokens } from "./issued-tokens.ts";
import type { Mcp } from "./mcp.ts";
import { createOAuth } from "./oauth.ts";
import { isJson } from "./request-body.ts";
import { addressPath, compileRoutes, type Match, type Route, selfHostedPaths } from "./routes.ts";
import type { ReadToken, Tokens } from "./tokens.ts";

/** The account that every connection of the sandbox belongs to. */
export const ACCOUNT = "sandbox";

interface EmulatedApiOptions {
  manifest: Manifest;
  emulator: Emulator;
  tokens: Tokens;
  /** Of an access token, in seconds; undefined for the manifest's. */
  lifetime(): number | undefined;
  callbackUrl: string | undefined;
}

/** The API of an emulated provider: its routes over its data, its OAuth pages and its MCP server. */
export function createEmulatedApi({ manifest, emulator, tokens, lifetime, callbackUrl }: EmulatedApiOptions) {
  const { oauth2 } = manifest.auth;
  const open = new Set(emulator.open);
  const uploads = new Set(emulator.uploads);
  const ownRoutes = Object.entries(emulator.routes).map(
    ([key, handle]) => [key, { handle, open: open.has(key), takesFile: uploads.has(key) }] as const,
  );
  for (const key of [...open, ...uploads])
    if (!emulator.routes[key]) throw new Error(`${manifest.id}: "${key}" is listed but is not a route`);
  const ofOAuth = () => lifetime() ?? oauth2?.lifetime;
  const oauthRoutes = oauth2
    ? createOAuth({ manifest, oauth2, emulator, account: ACCOUNT, tokens, lifetime: ofOAuth, callbackUrl })
    : {};
  const issued = createIssuedTokens({ manifest, emulator, tokens, others: oauthRoutes, lifetime });
  const match = compileRoutes({ ...oauthRoutes, ...issued.routes, ...Object.fromEntries<Route>(ownRoutes) });
  const selfHosted = selfHostedPaths(manifest, emulator.settings ?? {});

  let state: unknown;
  let hasState = false;
  function getState(): unknown {
    if (!hasState) {
      state = emulator.state();
      hasState = true;
    }
    return state;
  }

  const tokensForRoutes: EmulatedTokens = {
    inspect(text) {
      const { token } = tokens.read(text);
      if (!token) return undefined;
      const { kind, account, expires } = token;
      return {
        kind,
        account,
        ...(expires === undefined ? {} : { expires_in: Math.ceil((expires - Date.now()) / 1000) }),
      };
    },
    revoke: tokens.revoke,
    issue: (account, seconds) => tokens.issue("access", { account, lifetime: lifetime() ?? seconds }),
  };

  /** A token of ours, or one that the client has made itself. */
  function readToken(text: string | undefined): ReadToken {
    const isMade = text !== undefined && issued.problemOf(text) === undefined;
    return isMade ? tokens.readMade(text) : tokens.read(text);
  }

  function findRoute(method: string, path: string): Match | undefined {
    const found = match(method, path);
    if (found) return found;
    for (const { alias, path: real } of selfHosted) {
      if (path !== alias && !path.startsWith(`${alias}/`)) continue;
      const aliased = match(method, real + path.slice(alias.length));
      if (aliased) return aliased;
    }
    return undefined;
  }

  /** Reads the token from a request, in the place where this provider expects it. */
  function readCredential(request: EmulatedRequest): ReadToken {
    if (emulator.credential) return readToken(emulator.credential(request));
    const { authorization } = request.headers;
    const sent = readBasicAuth(authorization);
    if (!sent) return readToken(authorization?.trim().split(/\s+/).at(-1));
    // Some providers take the key as the user name and ignore the password.
    const byPassword = tokens.read(sent.password);
    return byPassword.token ? byPassword : tokens.read(sent.username);
  }

  /** The provider's reply, without injected faults. Sets `params` and `account` of the request. */
  function answer(request: EmulatedRequest): EmulatedReply {
    const route = findRoute(request.method, request.path);
    if (!route) return emulator.failure(404, request);
    const params = decodeValues(route.values);
    if (!params) return emulator.failure(400, request);
    request.params = params;
    if (!route.open) {
      const { token, refused } = readCredential(request);
      if (!token || token.kind === "refresh") {
        const reason = refused ?? "unknown";
        return emulator.unauthorized?.(request, reason) ?? emulator.failure(401, request);
      }
      request.account = token.account;
    }
    const unreadable =
      !route.takesFile &&
      request.bytes.length > 0 &&
      isJson(request.headers["content-type"]) &&
      request.body === undefined;
    if (unreadable) return emulator.failure(400, request);
    try {
      return route.handle(request, getState(), tokensForRoutes);
    } catch (error) {
      if (error instanceof Refused) return error.reply;
      throw error;
    }
  }

  const mcpTools = emulator.mcp;
  const mcpPath =
    mcpTools && manifest.addresses.mcp !== undefined ? addressPath(manifest.addresses.mcp) || "/" : undefined;
  if (mcpTools && mcpPath === undefined) throw new Error(`${manifest.id} has MCP tools but no address "mcp"`);
  let mcp: Promise<Mcp> | undefined;
  const loadMcp = async () => {
    const { createMcp } = await import("./mcp.ts");
    const apiHeaders = Object.fromEntries(
      Object.entries(manifest.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
    );
    return createMcp({ name: manifest.name, tools: mcpTools!, apiHeaders, answer });
  };

  /** RFC 9728 */
  const challenge = ({ origin }: EmulatedRequest) =>
    `Bearer error="invalid_token"${oauth2?.discovered ? `, resource_metadata="${origin}/.well-known/oauth-protected-resource"` : ""}`;

  const counter = { made: 0 };

  return {
    answer,
    state: getState,
    changeableLists: emulator.changes ?? {},
    hooks: emulator.hooks,
    /** Makes changes in one of the lists. */
    change: (list: ChangeableList<unknown>, request: Omit<ChangeRequest, "counter" | "now">) =>
      list.change(getState(), { ...request, counter, now: new Date() }),
    failure: (status: number, request: EmulatedRequest) => emulator.failure(status, request),
    headers: (request: EmulatedRequest) => emulator.headers?.(request),
    isMcp: (path: string) => path === mcpPath,
    async serveMcp(request: EmulatedRequest, response: ServerResponse): Promise<void> {
      // Like every MCP server, whatever the provider's API replies to an invalid token.
      const { token } = readCredential(request);
      if (!token || token.kind === "refresh")
        return void response
          .writeHead(401, { "www-authenticate": challenge(request), "content-type": "application/json" })
          .end('{"error":"invalid_token"}');
      mcp ??= loadMcp();
      await (await mcp).serve(request, response);
    },
    closeMcp: async () => (await mcp)?.close(),
  };
}

export type EmulatedApi = ReturnType<typeof createEmulatedApi>;

function decodeValues(values: Record<string, string>): Record<string, string> | undefined {
  try {
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    return undefined;
  }
}
