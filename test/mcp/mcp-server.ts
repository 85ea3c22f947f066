// An MCP server of the official SDK, with an authorization server that is strict about the specification. What both say
// about themselves can be changed, as an attacker would.
import { hash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { readText } from "../support/upstream.ts";

interface Client {
  secret?: string;
  redirectUris: string[];
}

interface Grant {
  client: string;
  resource: string;
  scope: string;
  challenge?: string;
  redirectUri?: string;
}

export interface Seen {
  method: string;
  path: string;
  authorization: string | undefined;
  /** Of a form or of JSON, by name. */
  body: Record<string, any>;
}

/** Answers with the tool `whoami`, without sessions. */
async function serveMcp(request: IncomingMessage, response: ServerResponse, user: string): Promise<void> {
  const server = new Server({ name: "notes", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [{ name: "whoami", description: "Whose account it is", inputSchema: { type: "object" as const } }],
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    if (params.name !== "whoami") throw new Error(`no tool ${params.name}`);
    return { content: [{ type: "text", text: user }] };
  });
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined } as object);
  response.on("close", () => void transport.close());
  await server.connect(transport as never);
  await transport.handleRequest(request, response);
}

const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) =>
  void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));

export async function startMcpServer() {
  const seen: Seen[] = [];
  const clients = new Map<string, Client>();
  const codes = new Map<string, Grant>();
  const tokens = new Map<string, Grant>();
  const refreshTokens = new Map<string, Grant>();
  const fixedTokens = new Set<string>();
  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  /** Everything that a test may change. */
  const script = {
    /** Null: the answer to a request without a token has no such header. */
    challenge: `Bearer resource_metadata="${url}/metadata/resource"` as string | null,
    resource: {
      resource: `${url}/mcp`,
      authorization_servers: [url],
      scopes_supported: ["notes"],
    } as unknown,
    /** Where the resource's metadata is. */
    resourcePaths: ["/metadata/resource"],
    metadata: {
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      registration_endpoint: `${url}/register`,
      revocation_endpoint: `${url}/revoke`,
      response_types_supported: ["code"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none", "client_secret_basic", "client_secret_post"],
      authorization_response_iss_parameter_supported: true,
    } as Record<string, unknown>,
    metadataPaths: ["/.well-known/oauth-authorization-server"],
    /** `iss` of authorization responses; null: none. */
    iss: url as string | null,
    /** What a registration changes in its answer. */
    registration: {} as Record<string, unknown>,
    lifetime: 3_600,
    /** Requests to these paths are served like this instead. */
    instead: {} as Record<string, (request: IncomingMessage, response: ServerResponse) => void>,
    /** Reads a client metadata document; undefined: they are not supported. */
    readClient: undefined as ((id: string) => Promise<any>) | undefined,
    needsToken: true,
    /** Whose token it is, according to another authorization server. */
    userOf: async (_token: string): Promise<string | undefined> => undefined,
  };

  async function readBody(request: IncomingMessage): Promise<Record<string, any>> {
    const text = await readText(request);
    if (request.headers["content-type"]?.includes("json")) return JSON.parse(text);
    return Object.fromEntries(new URLSearchParams(text));
  }

  function authenticate(request: IncomingMessage, body: Record<string, any>): string | undefined {
    const [, basic] = /^Basic (.+)$/.exec(request.headers.authorization ?? "") ?? [];
    const [id = "", secret] = basic
      ? Buffer.from(basic, "base64")
          .toString()
          .split(":")
          .map((part) => decodeURIComponent(part.replaceAll("+", " ")))
      : [body.client_id, body.client_secret];
    const client = clients.get(id);
    return client && client.secret === secret ? id : undefined;
  }

  function issue(grant: Grant) {
    const access_token = `access-${randomUUID()}`;
    const refresh_token = `refresh-${randomUUID()}`;
    tokens.set(access_token, grant);
    refreshTokens.set(refresh_token, grant);
    return { access_token, refresh_token, token_type: "Bearer", expires_in: script.lifetime, scope: grant.scope };
  }

  function answerToken(request: IncomingMessage, body: Record<string, any>): [number, object] {
    const client = authenticate(request, body);
    if (!client) return [401, { error: "invalid_client", error_description: "no such client" }];
    const isCode = body.grant_type === "authorization_code";
    const from = isCode ? codes : refreshTokens;
    const key = isCode ? body.code : body.refresh_token;
    const grant = from.get(key);
    from.delete(key);
    if (grant?.client !== client) return [400, { error: "invalid_grant" }];
    if (body.resource !== grant.resource) return [400, { error: "invalid_target" }];
    if (!isCode) return [200, issue(grant)];
    if (body.redirect_uri !== grant.redirectUri || hash("sha256", body.code_verifier, "base64url") !== grant.challenge)
      return [400, { error: "invalid_grant" }];
    return [200, issue(grant)];
  }

  async function authorize(query: URLSearchParams, response: ServerResponse) {
    const id = query.get("client_id") ?? "";
    if (script.readClient && id.startsWith("https:")) {
      const document = await script.readClient(id);
      if (document.client_id === id) clients.set(id, { redirectUris: document.redirect_uris });
    }
    const redirectUri = query.get("redirect_uri") ?? "";
    if (!clients.get(id)?.redirectUris.includes(redirectUri)) return json(response, 400, { error: "invalid_client" });
    const challenge = query.get("code_challenge") ?? "";
    const resource = query.get("resource") ?? "";
    if (query.get("code_challenge_method") !== "S256" || !challenge || !resource)
      return json(response, 400, { error: "invalid_request" });
    const code = randomUUID();
    codes.set(code, { client: id, resource, scope: query.get("scope") ?? "", challenge, redirectUri });
    const target = new URL(redirectUri);
    target.searchParams.set("code", code);
    target.searchParams.set("state", query.get("state") ?? "");
    if (script.iss !== null) target.searchParams.set("iss", script.iss);
    response.writeHead(302, { location: target.href }).end();
  }

  function register(body: Record<string, any>, response: ServerResponse) {
    const id = `registered-${randomUUID()}`;
    const method = body.token_endpoint_auth_method;
    const secret = method === "none" ? {} : { client_secret: `secret-${randomUUID()}` };
    clients.set(id, {
      redirectUris: body.redirect_uris,
      ...(secret.client_secret ? { secret: secret.client_secret } : {}),
    });
    json(response, 201, { ...body, client_id: id, ...secret, ...script.registration });
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams } = new URL(request.url!, url);
    const method = request.method!;
    const { authorization } = request.headers;
    const isMcp = path === "/mcp";
    const body = isMcp || method !== "POST" ? {} : await readBody(request);
    seen.push({ method, path, authorization, body });
    const instead = script.instead[path];
    if (instead) return instead(request, response);
    if (script.resourcePaths.includes(path)) return json(response, 200, script.resource);
    if (script.metadataPaths.includes(path)) return json(response, 200, script.metadata);
    if (path === "/authorize") return authorize(searchParams, response);
    if (path === "/register") return register(body, response);
    if (path === "/token") return json(response, ...answerToken(request, body));
    if (path === "/revoke") {
      refreshTokens.delete(body.token);
      return json(response, authenticate(request, body) ? 200 : 401, {});
    }
    if (!isMcp) return json(response, 404, {});
    const token = authorization?.replace("Bearer ", "") ?? "";
    const grant = tokens.get(token);
    const isOwn = grant?.resource === `${url}/mcp` || fixedTokens.has(token);
    const user = isOwn ? (grant?.client ?? "somebody") : await script.userOf(token);
    if (script.needsToken && user === undefined)
      return json(response, 401, {}, script.challenge === null ? {} : { "www-authenticate": script.challenge });
    return serveMcp(request, response, user ?? "somebody");
  }

  return {
    url,
    mcpUrl: `${url}/mcp`,
    script,
    seen,
    clients,
    refreshTokens,
    fixedTokens,
    /** Requests to a path so far. */
    requests: (path: string) => seen.filter((one) => one.path === path),
    expireTokens: () => tokens.clear(),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

export type McpServer = Awaited<ReturnType<typeof startMcpServer>>;
