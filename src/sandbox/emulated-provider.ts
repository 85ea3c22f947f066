import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { EmulatedReply, EmulatedRequest, EmulatedTokens, Emulator } from "../contracts/emulator.ts";
import type { AuthType, Credentials } from "../contracts/manifest.ts";
import type { Provider } from "../contracts/provider.ts";
import { readBasicAuth } from "../runtime/basic-auth.ts";
import { createInjectedFaults } from "./injected-faults.ts";
import type { Mcp } from "./mcp.ts";
import { createOAuth } from "./oauth.ts";
import { createRequestRecorder } from "./request-recorder.ts";
import { addressPath, compileRoutes, type Match, type Route, selfHostedPaths } from "./routes.ts";
import { createTokens, type ReadToken } from "./tokens.ts";

const ACCOUNT = "sandbox";

/** Credentials and settings of a ready-made connection. */
export interface ReadyCredentials {
  credentials: Credentials;
  settings: Record<string, string>;
  /** In seconds; absent if the token does not expire. */
  expires_in?: number;
}

interface EmulatedProviderOptions {
  provider: Provider;
  emulator: Emulator;
  secret: Buffer;
  tokenLifetime: number | undefined;
}

/** One emulated provider: its routes, tokens, data, injected faults and recorded requests. */
export function createEmulatedProvider({
  provider: { manifest },
  emulator,
  secret,
  tokenLifetime,
}: EmulatedProviderOptions) {
  const { oauth2, api_key, basic } = manifest.auth;
  const settings = emulator.settings ?? {};
  const acceptMadeUpKeys = Boolean(api_key ?? basic);
  const tokens = createTokens({ secret, provider: manifest.id, account: ACCOUNT, acceptMadeUpKeys });
  let lifetimeOverride = tokenLifetime;
  const lifetime = () => lifetimeOverride ?? oauth2?.lifetime;

  const open = new Set(emulator.open);
  const ownRoutes = Object.entries(emulator.routes).map(
    ([key, handle]) => [key, { handle, open: open.has(key) }] as const,
  );
  for (const key of open)
    if (!emulator.routes[key]) throw new Error(`${manifest.id}: "${key}" is listed in "open" but is not a route`);
  const oauthRoutes = oauth2 ? createOAuth({ manifest, oauth2, emulator, account: ACCOUNT, tokens, lifetime }) : {};
  const match = compileRoutes({ ...oauthRoutes, ...Object.fromEntries<Route>(ownRoutes) });
  const selfHosted = selfHostedPaths(manifest, settings);

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
  };

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
    if (emulator.credential) return tokens.read(emulator.credential(request));
    const { authorization } = request.headers;
    const sent = readBasicAuth(authorization);
    if (!sent) return tokens.read(authorization?.trim().split(/\s+/).at(-1));
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
    const unreadable = request.body === undefined && request.text !== "";
    if (unreadable) return emulator.failure(400, request);
    return route.handle(request, getState(), tokensForRoutes);
  }

  const mcpTools = emulator.mcp;
  const mcpPath = mcpTools && manifest.addresses.mcp !== undefined ? addressPath(manifest.addresses.mcp) : undefined;
  if (mcpTools && mcpPath === undefined) throw new Error(`${manifest.id} has MCP tools but no address "mcp"`);
  let mcp: Promise<Mcp> | undefined;
  const loadMcp = async () => {
    const { createMcp } = await import("./mcp.ts");
    return createMcp({ name: manifest.name, tools: mcpTools!, answer });
  };

  return {
    isMcp: (path: string) => path === mcpPath,
    async serveMcp(request: EmulatedRequest, response: ServerResponse): Promise<void> {
      // Like every MCP server, whatever the provider's API replies to an invalid token.
      const { token } = readCredential(request);
      if (!token || token.kind === "refresh")
        return void response
          .writeHead(401, { "www-authenticate": 'Bearer error="invalid_token"', "content-type": "application/json" })
          .end('{"error":"invalid_token"}');
      mcp ??= loadMcp();
      await (await mcp).serve(request, response);
    },
    closeMcp: async () => (await mcp)?.close(),
    injectedFaults: createInjectedFaults(),
    requestRecorder: createRequestRecorder(),
    answer,
    failure: (status: number, request: EmulatedRequest) => emulator.failure(status, request),
    headers: (request: EmulatedRequest) => emulator.headers?.(request),
    expireTokens: tokens.expireAccessTokens,
    setTokenLifetime(seconds: number | undefined): void {
      lifetimeOverride = seconds ?? tokenLifetime;
    },

    credentials(type: AuthType): ReadyCredentials {
      if (!manifest.auth[type]) throw new Error(`${manifest.id} has no auth type "${type}"`);
      if (type === "api_key") return { credentials: { token: tokens.issue("key") }, settings };
      if (type === "basic")
        return { credentials: { username: "sandbox@example.com", password: tokens.issue("key") }, settings };
      const seconds = lifetime();
      const grant = randomUUID();
      return {
        credentials: {
          token: tokens.issue("access", { grant, lifetime: seconds }),
          refresh_token: tokens.issue("refresh", { grant }),
        },
        settings,
        ...(seconds === undefined ? {} : { expires_in: seconds }),
      };
    },
  };
}

export type EmulatedProvider = ReturnType<typeof createEmulatedProvider>;

/** Parses a body by its content type; undefined if it is invalid JSON. */
export function readBody(contentType: string | undefined, text: string): unknown {
  if (text === "") return undefined;
  if (contentType?.includes("json")) {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  }
  if (contentType?.startsWith("application/x-www-form-urlencoded"))
    return Object.fromEntries(new URLSearchParams(text));
  return text;
}

function decodeValues(values: Record<string, string>): Record<string, string> | undefined {
  try {
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    return undefined;
  }
}
