// Any MCP server by its address: a server of the official SDK behind a strict authorization server, real pages, and the
// official client.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startService, type TestService } from "../support/service.ts";
import {
  type Application,
  connect,
  createApplication,
  problemOf,
  redeem,
  startConnecting,
} from "./any-server-support.ts";
import { type McpServer, startMcpServer } from "./mcp-server.ts";
import { connectClient, keyAndHeader, textOf } from "./support.ts";

let service: TestService;
let server: McpServer;
const opened: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT: "100000/60", ALLOW_PRIVATE_UPSTREAMS: "true" } });
});
afterAll(() => service?.close());
beforeEach(async () => {
  server = await startMcpServer();
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  await server.close();
});

const headersOf = ({ key }: Application, connection: string) => ({ authorization: `Bearer ${key}.${connection}` });

async function openClient(application: Application, connection: string) {
  const opening = await connectClient(`${service.url}/mcp`, headersOf(application, connection));
  opened.push(opening);
  return opening.client;
}

async function whoami(application: Application, connection: string): Promise<string> {
  const client = await openClient(application, connection);
  return textOf(await client.callTool({ name: "whoami", arguments: {} }));
}

const credentialsOf = async (connection: string) =>
  (await service.store.connections.load(connection))!.connection.credentials;

describe("connecting to an MCP server", () => {
  it("a server that registers clients is connected by its address alone, and its tools work through /mcp", async () => {
    const application = await createApplication(service, { mcp_url: server.mcpUrl });
    const connection = await connect(service, application);
    expect(await whoami(application, connection)).toMatch(/^registered-/);
    const [registration] = server.requests("/register");
    expect(registration!.body).toMatchObject({
      redirect_uris: [`${service.config.urls.auth}/callback`],
      grant_types: ["authorization_code", "refresh_token"],
      token_endpoint_auth_method: "none",
      application_type: "native",
    });
    // Scopes of a resource need not be the authorization server's own, which alone a registration may name.
    expect(registration!.body).not.toHaveProperty("scope");
    const [exchange] = server.requests("/token");
    expect(exchange!.body).toMatchObject({ resource: server.mcpUrl, client_id: expect.stringMatching(/^registered-/) });
    expect(server.requests("/metadata/resource")).toHaveLength(1);
  });

  it.each(["/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"])(
    "a server without a challenge is connected by its metadata at %s",
    async (path) => {
      server.script.challenge = null;
      server.script.resourcePaths = [path];
      server.script.resource = { resource: server.url, authorization_servers: [server.url] };
      const application = await createApplication(service, { mcp_url: server.mcpUrl });
      // The metadata is that of the whole host, which the tokens of this server are not for.
      const { sent } = await startConnecting(service, application);
      expect(new URL(sent.location!).searchParams.get("resource")).toBe(server.url);
      server.script.resource = { resource: server.mcpUrl, authorization_servers: [server.url] };
      expect(await whoami(application, await connect(service, application))).toMatch(/^registered-/);
    },
  );

  it.each([
    "/.well-known/oauth-authorization-server/tenants/one",
    "/.well-known/openid-configuration/tenants/one",
    "/tenants/one/.well-known/openid-configuration",
  ])("the metadata of an authorization server with a path is found at %s", async (path) => {
    const issuer = `${server.url}/tenants/one`;
    server.script.resource = { resource: server.mcpUrl, authorization_servers: [issuer] };
    server.script.metadata.issuer = issuer;
    server.script.metadataPaths = [path];
    server.script.iss = issuer;
    const application = await createApplication(service, { mcp_url: server.mcpUrl });
    expect(await whoami(application, await connect(service, application))).toMatch(/^registered-/);
  });

  it.each([
    ["client_secret_basic", /^Basic /],
    ["client_secret_post", undefined],
  ])("a registration with %s authenticates with its secret, which is stored encrypted", async (method, header) => {
    server.script.metadata.token_endpoint_auth_methods_supported = [method];
    const application = await createApplication(service, { mcp_url: server.mcpUrl });
    const connection = await connect(service, application);
    const [exchange] = server.requests("/token");
    if (header) expect(exchange!.authorization).toMatch(header);
    else expect(exchange!.body.client_secret).toMatch(/^secret-/);
    expect((await credentialsOf(connection)).sign_in?.client).toMatchObject({
      secret: expect.stringMatching(/^secret-/),
    });
    const shown = JSON.stringify(await application.platform("GET", `/connections/${connection}`));
    expect(shown).not.toMatch(/secret-|registered-|access-|refresh-/);
    expect(service.logs()).not.toMatch(/secret-[0-9a-f]{8}-|access-[0-9a-f]{8}-|refresh-[0-9a-f]{8}-/);
  });

  it("a client of the integration is used instead of registering one", async () => {
    server.clients.set("by-hand", { secret: "made up: +/", redirectUris: [`${service.config.urls.auth}/callback`] });
    const application = await createApplication(service, {
      mcp_url: server.mcpUrl,
      client_id: "by-hand",
      client_secret: "made up: +/",
    });
    const connection = await connect(service, application);
    expect(await whoami(application, connection)).toBe("by-hand");
    expect(server.requests("/register")).toEqual([]);
    expect((await credentialsOf(connection)).sign_in?.client).toBeNull();
  });

  it("a public client of the integration needs no secret", async () => {
    server.clients.set("public", { redirectUris: [`${service.config.urls.auth}/callback`] });
    const application = await createApplication(service, { mcp_url: server.mcpUrl, client_id: "public" });
    expect(await whoami(application, await connect(service, application))).toBe("public");
  });

  it("the scopes are the integration's, or those of the challenge, or those of the metadata, each without invalid ones", async () => {
    const requested = async (integration = {}) => {
      const application = await createApplication(service, { mcp_url: server.mcpUrl, ...integration });
      const { sent } = await startConnecting(service, application);
      return new URL(sent.location!).searchParams;
    };
    server.script.metadata.scopes_supported = ["notes", "offline_access"];
    server.script.resource = {
      resource: server.mcpUrl,
      authorization_servers: [server.url],
      scopes_supported: ["a", "b", "b", 'c"', "d e", 7, "x".repeat(300), "é", "\r\nLocation: x"],
    };
    expect((await requested()).get("scope")).toBe("a b offline_access");
    expect((await requested()).get("prompt")).toBe("consent");
    server.script.challenge += ', error_description="scope=all", scope="needed <x>&state=1"';
    const challenged = await requested();
    expect(challenged.get("scope")).toBe("needed <x>&state=1 offline_access");
    expect(challenged.getAll("state")).toHaveLength(1);
    expect((await requested({ scopes: ["own"] })).get("scope")).toBe("own");
    expect((await requested({ scopes: [] })).get("scope")).toBeNull();
  });

  it("a server that needs no sign-in, or a key, is connected without a browser being sent away", async () => {
    server.fixedTokens.add("a-key");
    const keyed = await createApplication(service, { mcp_url: server.mcpUrl, type: "api_key" });
    const { id } = await keyed.platform("POST", "/connections", {
      integration_id: keyed.integration,
      auth_token: "a-key",
    });
    expect(await whoami(keyed, id)).toBe("somebody");
    server.script.needsToken = false;
    const open = await createApplication(service, { mcp_url: server.mcpUrl, type: "none" });
    const connection = await connect(service, open);
    expect(await whoami(open, connection)).toBe("somebody");
    expect(server.seen.at(-1)!.authorization).toBeUndefined();
    const created = await open.platform("POST", "/connections", { integration_id: open.integration });
    expect(await whoami(open, created.id)).toBe("somebody");
  });

  it("a key that the server refuses is refused on the connect page", async () => {
    const application = await createApplication(service, { mcp_url: server.mcpUrl, type: "none" });
    const { sent } = await startConnecting(service, application);
    expect([sent.status, problemOf(sent)]).toEqual([400, expect.stringContaining("refused with status 401")]);
  });

  it("the address is called exactly as it is given, with a slash at its end", async () => {
    server.script.needsToken = false;
    const application = await createApplication(service, { mcp_url: `${server.mcpUrl}/`, type: "none" });
    const { sent } = await startConnecting(service, application);
    expect(problemOf(sent)).toContain("no MCP server at this address");
    expect(server.seen.map(({ path }) => path)).toEqual(["/mcp/"]);
  });

  it("the connect page names the integration", async () => {
    const application = await createApplication(service, { mcp_url: server.mcpUrl, name: "Notes <b>" });
    const { page } = await startConnecting(service, application);
    expect(page.html).toContain("Continue to Notes &lt;b&gt;");
  });
});

describe("a connection to an MCP server", () => {
  it("ten calls with an expired token refresh it once, and the refresh token rotates", async () => {
    server.script.lifetime = 1;
    const application = await createApplication(service, { mcp_url: server.mcpUrl });
    const connection = await connect(service, application);
    const before = await credentialsOf(connection);
    await service.store.connections.update(connection, { expires_at: new Date(0).toISOString() });
    await service.parts.coordination.invalidate("connection", connection);
    server.script.lifetime = 3_600;
    const users = await Promise.all(Array.from({ length: 10 }, () => whoami(application, connection)));
    expect(new Set(users).size).toBe(1);
    const refreshes = server.requests("/token").filter(({ body }) => body.grant_type === "refresh_token");
    expect(refreshes).toHaveLength(1);
    expect(refreshes[0]!.body).toMatchObject({ resource: server.mcpUrl, client_id: users[0] });
    const after = await credentialsOf(connection);
    expect(after.refresh_token).not.toBe(before.refresh_token);
    expect(after.sign_in).toEqual(before.sign_in);
  });

  it("a token that the server refuses is refreshed, and the call repeated", async () => {
    const application = await createApplication(service, { mcp_url: server.mcpUrl });
    const connection = await connect(service, application);
    server.expireTokens();
    expect(await whoami(application, connection)).toMatch(/^registered-/);
    expect(server.requests("/token")).toHaveLength(2);
  });

  it("a registration that has vanished makes the connection invalid, with the advice to connect again", async () => {
    const application = await createApplication(service, { mcp_url: server.mcpUrl });
    const connection = await connect(service, application);
    server.clients.clear();
    server.expireTokens();
    const response = await fetch(`${service.url}/mcp`, {
      method: "POST",
      headers: { ...headersOf(application, connection), "content-type": "application/json" },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(await application.platform("GET", `/connections/${connection}`)).toMatchObject({
      is_valid: false,
      invalid_reason: "invalid_client: no such client",
    });
  });

  it("a wrong secret of the integration's own client does not make connections invalid", async () => {
    server.clients.set("by-hand", { secret: "right", redirectUris: [`${service.config.urls.auth}/callback`] });
    const client = { client_id: "by-hand", client_secret: "right" };
    const application = await createApplication(service, { mcp_url: server.mcpUrl, ...client });
    const connection = await connect(service, application);
    await application.platform("PATCH", `/integrations/${application.integration}`, { client_secret: "wrong" });
    server.expireTokens();
    await expect(whoami(application, connection)).rejects.toThrow();
    await application.platform("PATCH", `/integrations/${application.integration}`, { client_secret: "right" });
    expect((await application.platform("GET", `/connections/${connection}`)).is_valid).toBe(true);
  });

  it("deleting a connection revokes its refresh token where it was issued", async () => {
    const application = await createApplication(service, { mcp_url: server.mcpUrl });
    const connection = await connect(service, application);
    const { refresh_token } = await credentialsOf(connection);
    expect(server.refreshTokens.has(refresh_token!)).toBe(true);
    await application.platform("DELETE", `/connections/${connection}`);
    expect(server.refreshTokens.has(refresh_token!)).toBe(false);
    expect(server.requests("/revoke")[0]!.body).toMatchObject({
      token: refresh_token,
      token_type_hint: "refresh_token",
    });
  });

  it("deleting a connection sends nothing if the server announces no revocation", async () => {
    delete server.script.metadata.revocation_endpoint;
    const application = await createApplication(service, { mcp_url: server.mcpUrl });
    const connection = await connect(service, application);
    const { length } = server.seen;
    await application.platform("DELETE", `/connections/${connection}`);
    expect(server.seen).toHaveLength(length);
    await expect
      .poll(async () => (await application.platform("GET", "/logs")).map(({ outcome }: any) => outcome))
      .toContain("revocation_unsupported");
  });

  it("a token is not sent to another server after the integration's address was changed", async () => {
    const other = await startMcpServer();
    opened.push(other);
    const application = await createApplication(service, { mcp_url: server.mcpUrl });
    const connection = await connect(service, application);
    await application.platform("PATCH", `/integrations/${application.integration}`, { mcp_url: other.mcpUrl });
    await expect(whoami(application, connection)).rejects.toThrow();
    expect(other.seen).toEqual([]);
    await application.platform("PATCH", `/integrations/${application.integration}`, { mcp_url: server.mcpUrl });
    expect(await whoami(application, connection)).toMatch(/^registered-/);
  });

  it("calls to an MCP server are in the request log with their tool, and Unified says that there are no operations", async () => {
    const application = await createApplication(service, { mcp_url: server.mcpUrl });
    const connection = await connect(service, application);
    await whoami(application, connection);
    await expect
      .poll(async () => (await application.platform("GET", "/logs")).map(({ operation }: any) => operation))
      .toContain("tools/call whoami");
    const response = await fetch(`${service.url}/unified/v1/tasks/tasks`, {
      headers: { authorization: `Bearer ${application.key}`, "svc-connection-id": connection },
    });
    expect([response.status, await response.text()]).toEqual([
      404,
      expect.stringContaining("no operations: its tools are at /mcp"),
    ]);
  });
});

describe("the client metadata document", () => {
  let published: TestService;
  beforeAll(async () => {
    const env = { ALLOW_PRIVATE_UPSTREAMS: "true", AUTH_URL: "https://plugboard.example/auth" };
    published = await startService({ env });
  });
  afterAll(() => published?.close());

  it("the client metadata document is public, names itself as the client, and has only the callback as redirect", async () => {
    const response = await fetch(`${published.url}/auth/clients/mcp.json`);
    expect([response.status, await response.json()]).toEqual([
      200,
      {
        client_id: "https://plugboard.example/auth/clients/mcp.json",
        client_name: "Plugboard",
        redirect_uris: ["https://plugboard.example/auth/callback"],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
        application_type: "web",
      },
    ]);
  });

  it("the client metadata document is the client at a server that reads it, and nothing is registered", async () => {
    server.script.metadata.client_id_metadata_document_supported = true;
    server.script.readClient = async (id) =>
      (await fetch(id.replace("https://plugboard.example", published.url))).json();
    const application = await createApplication(published, { mcp_url: server.mcpUrl });
    const connection = await connect(published, application);
    const { client, close } = await connectClient(`${published.url}/mcp`, headersOf(application, connection));
    expect(textOf(await client.callTool({ name: "whoami", arguments: {} }))).toBe(
      "https://plugboard.example/auth/clients/mcp.json",
    );
    await close();
    expect(server.requests("/register")).toEqual([]);
  });

  it("the client metadata document is not used while the public address is not https", async () => {
    server.script.metadata.client_id_metadata_document_supported = true;
    const application = await createApplication(service, { mcp_url: server.mcpUrl });
    expect(await whoami(application, await connect(service, application))).toMatch(/^registered-/);
  });
});

describe("the emulated MCP server", () => {
  it("the emulated MCP server has a ready-made connection whose token is refreshed", async () => {
    const { client, close } = await connectClient(`${service.url}/mcp`, keyAndHeader(service, "mcp"));
    opened.push({ close });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["list_notes", "add_note"]);
    const added = await client.callTool({ name: "add_note", arguments: { text: "Hello" } });
    expect(JSON.parse(textOf(added))).toMatchObject({ text: "Hello" });
    await fetch(`${service.url}/sandbox/_faults`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ provider: "mcp", expire_tokens: true }),
    });
    expect((await client.listTools()).tools).toHaveLength(2);
  });

  it("the emulated MCP server is connected through its own sign-in, with a client that registers itself", async () => {
    const application = await createApplication(service, { base_url: "sandbox" });
    const { browser, sent } = await startConnecting(service, application);
    const consent = new URL(sent.location!);
    expect(consent.searchParams.get("client_id")).toMatch(/^client-/);
    const denied = await browser.send(consent.href, { form: { decision: "deny" } });
    const told = new URL((await browser.send(denied.location!)).location!);
    expect(told.searchParams.get("error_description")).toBe("The user denied access");
    const again = await startConnecting(service, application, browser);
    const { location } = await browser.send(again.sent.location!, { form: { decision: "allow" } });
    const back = await browser.send(location!);
    const connection = await redeem(service, application, back);
    const client = await openClient(application, connection);
    expect(JSON.parse(textOf(await client.callTool({ name: "list_notes", arguments: {} }))).notes).not.toEqual([]);
    await fetch(`${service.url}/sandbox/_faults`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ provider: "mcp", expire_tokens: true }),
    });
    expect((await client.listTools()).tools).toHaveLength(2);
  });
});
