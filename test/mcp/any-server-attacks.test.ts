// What an MCP server, its authorization server, or somebody between them and the user could try.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Browser } from "../access/support/browser.ts";
import { createPlatform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";
import { startUpstream, type Upstream } from "../support/upstream.ts";
import { BACK, comeBack, connect, createApplication, problemOf, startConnecting } from "./any-server-support.ts";
import { type McpServer, startMcpServer } from "./mcp-server.ts";

let service: TestService;
let server: McpServer;
let other: Upstream;

beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT: "100000/60", ALLOW_PRIVATE_UPSTREAMS: "true" } });
});
afterAll(() => service?.close());
beforeEach(async () => {
  server = await startMcpServer();
  other = await startUpstream();
});
afterEach(async () => {
  await other.close();
  await server.close();
});

const newApplication = (integration = {}) => createApplication(service, { mcp_url: server.mcpUrl, ...integration });

/** Continues on the connect page, which must show a problem. */
async function refusal(integration = {}): Promise<string> {
  const { sent } = await startConnecting(service, await newApplication(integration));
  expect([sent.status, sent.location]).toEqual([502, undefined]);
  expect(other.seen).toEqual([]);
  return problemOf(sent);
}

/** Comes back from the authorization server with an error, which the application is told. */
async function refusedReturn(change: (url: URL) => void, { code = true } = {}): Promise<string> {
  const { browser, sent } = await startConnecting(service, await newApplication());
  const { location } = await browser.send(sent.location!);
  const url = new URL(location!);
  change(url);
  const back = await browser.send(url.href);
  expect(back.location).toContain(BACK);
  if (code) expect(server.requests("/token")).toEqual([]);
  return new URL(back.location!).searchParams.get("error_description")!;
}

describe("metadata of an MCP server that cannot be trusted is refused", () => {
  it.each([
    ["another host", () => "https://other.example/mcp"],
    ["another path", () => `${server.url}/other`],
    ["a path that only begins alike", () => `${server.url}/mc`],
    ["a path below", () => `${server.url}/mcp/more`],
    ["a query", () => `${server.mcpUrl}?x=1`],
    ["a user name", () => server.mcpUrl.replace("//", "//user@")],
    ["no address", () => "mcp"],
    ["no text", () => ({ resource: true })],
  ])("metadata whose resource is %s", async (_, resource) => {
    server.script.resource = { resource: resource(), authorization_servers: [server.url] };
    expect(await refusal()).toMatch(/its metadata describes another server/);
    expect(server.requests("/register")).toEqual([]);
  });

  it.each([
    ["is missing", undefined, /names no authorization server/],
    ["is empty", [], /names no authorization server/],
    ["is a script", ["javascript:alert(1)"], /authorization server is missing or unsafe/],
    ["is a file", ["file:///etc/passwd"], /authorization server is missing or unsafe/],
    ["has a password", ["https://a:b@auth.example"], /authorization server is missing or unsafe/],
  ])("metadata whose list of authorization servers %s", async (_, authorization_servers, problem) => {
    server.script.resource = { resource: server.mcpUrl, authorization_servers };
    expect(await refusal()).toMatch(problem);
  });

  it.each([
    ["javascript:alert(1)", /metadata is missing or unsafe/],
    ["/relative", /metadata is missing or unsafe/],
    ["gopher://127.0.0.1/", /metadata is missing or unsafe/],
  ])("a challenge that leads to %s", async (address, problem) => {
    server.script.challenge = `Bearer resource_metadata="${address}"`;
    expect(await refusal()).toMatch(problem);
  });

  it.each([
    ["a list", [1, 2]],
    ["null", null],
    ["text", "hello"],
    ["100 kB", { resource: "x".repeat(100_000) }],
    ["100,000 values", { resource: Array.from({ length: 30_000 }, () => 1) }],
  ])("a document that is %s", async (_, resource) => {
    server.script.resource = resource;
    expect(await refusal()).toMatch(/no OAuth metadata that can be read/);
  });

  it.each(["/metadata/resource", "/.well-known/oauth-authorization-server", "/register"])(
    "a redirect of %s to another host is not followed",
    async (path) => {
      server.script.instead[path] = (_, response) => response.writeHead(307, { location: `${other.url}/x` }).end();
      expect(await refusal()).toMatch(/no OAuth metadata that can be read|did not register a client: it answered 307/);
    },
  );
});

describe("metadata of an authorization server that cannot be trusted is refused", () => {
  it.each([
    ["another issuer", () => "https://other.example"],
    ["an issuer on another port", () => other.url],
    ["an issuer with a path", () => `${server.url}/tenant`],
    ["no issuer", () => undefined],
  ])("metadata of %s", async (_, issuer) => {
    server.script.metadata.issuer = issuer();
    expect(await refusal()).toMatch(/its metadata describes another authorization server/);
  });

  it.each([undefined, [], ["plain"], "S256"])("metadata with %j as methods of PKCE", async (methods) => {
    server.script.metadata.code_challenge_methods_supported = methods;
    expect(await refusal()).toMatch(/does not support PKCE with S256/);
  });

  const unsafe = [
    "javascript:alert(1)",
    "data:text/html,x",
    "ftp://auth.example/x",
    "https://a:b@auth.example/x",
    "/x",
    7,
  ];
  it.each(
    ["authorization_endpoint", "token_endpoint", "registration_endpoint", "revocation_endpoint"].flatMap((name) =>
      unsafe.map((address) => [name, address] as const),
    ),
  )("metadata whose %s is %j", async (name, address) => {
    server.script.metadata[name] = address;
    expect(await refusal()).toMatch(/is missing or unsafe/);
  });

  it("parameters of the authorization endpoint's own cannot replace ours", async () => {
    server.script.metadata.authorization_endpoint = `${server.url}/authorize?redirect_uri=https://other.example&state=x&client_id=y&code_challenge=z&resource=r`;
    const { sent } = await startConnecting(service, await newApplication());
    const { searchParams } = new URL(sent.location!);
    expect([...new Set(searchParams.keys())]).toHaveLength([...searchParams.keys()].length);
    expect(searchParams.get("redirect_uri")).toBe(`${service.config.urls.auth}/callback`);
    expect(searchParams.get("resource")).toBe(server.mcpUrl);
  });
});

describe("a registration that cannot be trusted is refused", () => {
  it.each([
    ["another redirect URI", { redirect_uris: ["https://other.example/callback"] }, /another address to return to/],
    ["no redirect URI", { redirect_uris: [] }, /another address to return to/],
    ["text as redirect URIs", { redirect_uris: "x" }, /another address to return to/],
    ["no client ID", { client_id: undefined }, /registered no client/],
    ["a client ID with line breaks", { client_id: "a\r\nb: c" }, /registered no client/],
    ["a client ID without end", { client_id: "x".repeat(3_000) }, /registered no client/],
    [
      "another way to authenticate",
      { token_endpoint_auth_method: "private_key_jwt", client_secret: "made up" },
      /in another way/,
    ],
    ["a missing secret", { token_endpoint_auth_method: "client_secret_basic" }, /in another way/],
    [
      "the name of a prototype's field",
      { token_endpoint_auth_method: "constructor", client_secret: "made up" },
      /in another way/,
    ],
  ])("a registration with %s", async (_, registration, problem) => {
    server.script.registration = registration;
    expect(await refusal()).toMatch(problem);
  });

  it("one more redirect URI than ours is refused", async () => {
    server.script.registration = { redirect_uris: [`${service.config.urls.auth}/callback`, "https://other.example"] };
    expect(await refusal()).toMatch(/another address to return to/);
  });

  it("a server that neither registers clients nor has one of ours says what is missing", async () => {
    delete server.script.metadata.registration_endpoint;
    expect(await refusal()).toMatch(/registers no clients by itself: the integration needs a client ID/);
  });

  it("a server that takes no client secret does not get that of the integration", async () => {
    server.script.metadata.token_endpoint_auth_methods_supported = ["private_key_jwt"];
    expect(await refusal({ client_id: "by-hand", client_secret: "made up" })).toMatch(/does not take a client secret/);
  });
});

describe("an authorization response that is not from the server is refused", () => {
  const different = "The authorization response came from a different server than expected";

  it("a response that names another issuer is refused before its code is sent anywhere", async () => {
    expect(await refusedReturn((url) => url.searchParams.set("iss", "https://other.example"))).toBe(different);
  });

  it("a response that names the issuer with a slash more is refused", async () => {
    expect(await refusedReturn((url) => url.searchParams.set("iss", `${server.url}/`))).toBe(different);
  });

  it("a response that does not name the issuer, although that was announced, is refused", async () => {
    expect(await refusedReturn((url) => url.searchParams.delete("iss"))).toBe(different);
  });

  it("a response that names another issuer is refused even if nothing was announced", async () => {
    delete server.script.metadata.authorization_response_iss_parameter_supported;
    expect(await refusedReturn((url) => url.searchParams.set("iss", "https://other.example"))).toBe(different);
  });

  it("the error of another issuer is not shown", async () => {
    const description = await refusedReturn((url) => {
      url.searchParams.set("iss", "https://other.example");
      url.searchParams.set("error", "access_denied");
      url.searchParams.set("error_description", "call 0900");
    });
    expect(description).toBe(different);
  });

  it("two issuers in one response are refused", async () => {
    const description = await refusedReturn((url) => url.searchParams.append("iss", "https://other.example"));
    expect(description).toMatch(/malformed|different server/);
  });

  it("a response is accepted once, and only in the browser that began", async () => {
    const { browser, sent } = await startConnecting(service, await newApplication());
    const { location } = await browser.send(sent.location!);
    const stranger = await new Browser().send(location!);
    expect([stranger.status, stranger.html]).toEqual([400, expect.stringContaining("started in another browser")]);
    expect((await browser.send(location!)).location).toContain("code=");
    const again = await browser.send(location!);
    expect([again.status, again.html]).toEqual([400, expect.stringContaining("already used")]);
    expect(server.requests("/token")).toHaveLength(1);
  });

  it("a consent for one server is not completed for another that the integration got meanwhile", async () => {
    const another = await startMcpServer();
    const application = await newApplication();
    const { browser, sent } = await startConnecting(service, application);
    await application.platform("PATCH", `/integrations/${application.integration}`, { mcp_url: another.mcpUrl });
    const back = await comeBack(service, browser, sent);
    expect(new URL(back.location!).searchParams.get("error_description")).toMatch(/integration has changed/);
    expect([server.requests("/token"), another.seen]).toEqual([[], []]);
    await another.close();
  });

  it("a redirect of the token endpoint is not followed with the code", async () => {
    server.script.instead["/token"] = (_, response) => response.writeHead(307, { location: `${other.url}/x` }).end();
    expect(await refusedReturn(() => {}, { code: false })).toMatch(/token endpoint answered 307/);
    expect(other.seen).toEqual([]);
  });

  it("metadata that changes after consent does not move the token endpoint", async () => {
    const { browser, sent } = await startConnecting(service, await newApplication());
    server.script.metadata.token_endpoint = `${other.url}/token`;
    const back = await comeBack(service, browser, sent);
    expect(back.location).toContain("code=");
    expect(other.seen).toEqual([]);
  });
});

describe("a server that does not work", () => {
  it("a server that cannot be reached is named on the page", async () => {
    const gone = await startMcpServer();
    await gone.close();
    expect(await refusal({ mcp_url: gone.mcpUrl })).toMatch(/^127\.0\.0\.1:\d+ cannot be reached/);
  });

  it("a server that fails is named on the page", async () => {
    server.script.instead["/mcp"] = (_, response) => response.writeHead(503).end();
    expect(await refusal()).toMatch(/temporarily unavailable/);
  });

  it("a server that asks nobody to sign in says which type is right", async () => {
    server.script.needsToken = false;
    server.script.resourcePaths = [];
    expect(await refusal()).toMatch(/asks nobody to sign in/);
  });

  it("a server without metadata is named on the page, whatever its other pages are", async () => {
    server.script.challenge = null;
    for (const path of ["/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"])
      server.script.instead[path] = (_, response) =>
        response.writeHead(200, { "content-type": "text/html" }).end("<p>Not found</p>".repeat(10_000));
    expect(await refusal()).toMatch(/no OAuth metadata that can be read/);
  });

  it("an address without an MCP server is not connected with a key", async () => {
    const application = await newApplication({ mcp_url: `${server.url}/nothing`, type: "none" });
    const { sent } = await startConnecting(service, application);
    expect(problemOf(sent)).toMatch(/has no MCP server at this address: it answered 404/);
  });

  it("nobody can make a server register clients without end", async () => {
    const application = await newApplication();
    const statuses = [];
    for (let attempt = 0; attempt < 22; attempt++)
      statuses.push((await startConnecting(service, application)).sent.status);
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(302));
    expect(statuses.slice(20)).toEqual([429, 429]);
    expect(server.requests("/register")).toHaveLength(20);
  });
});

describe("an integration of an MCP server", () => {
  it.each([
    ["mcp_url", {}, "Required: the address of the MCP server"],
    [
      "base_url",
      { mcp_url: "https://mcp.example", base_url: "https://x.example" },
      "Not used: give the server's address as mcp_url",
    ],
    ["mcp_url", { mcp_url: "https://mcp.example", base_url: "sandbox" }, "Not used with the sandbox"],
    ["mcp_url", { mcp_url: "javascript:alert(1)" }, "Must be an http or https address"],
    ["client_secret", { mcp_url: "https://mcp.example", client_secret: "made up" }, "Not used without a client_id"],
    ["type", { mcp_url: "https://mcp.example", type: "basic" }, "MCP server supports oauth2, api_key, none"],
  ])("a problem with %s is named: %j", async (field, integration, message) => {
    const platform = createPlatform(service, await service.createWorkspace(`problem-${crypto.randomUUID()}`));
    const { status, body } = await platform("POST", "/v1/integrations", {
      identifier: "mcp",
      type: "oauth2",
      ...integration,
    });
    expect([status, body.errors]).toEqual([400, { [field]: [message] }]);
  });

  it("its address must be public and encrypted, unless private upstreams are allowed", async () => {
    const strict = await startService();
    const platform = createPlatform(strict, strict.apiKey);
    for (const [mcp_url, message] of [
      ["http://mcp.example", /Must be an https address/],
      ["https://127.0.0.1/mcp", /Must not be a private address/],
      ["https://169.254.169.254/mcp", /Must not be a private address/],
      ["https://[::1]/mcp", /Must not be a private address/],
    ] as const) {
      const { status, body } = await platform("POST", "/v1/integrations", {
        identifier: "mcp",
        type: "oauth2",
        mcp_url,
      });
      expect([status, body.errors?.mcp_url?.[0]]).toEqual([400, expect.stringMatching(message)]);
    }
    await strict.close();
  });

  it("a token that was issued elsewhere cannot be refreshed, so a refresh token is not accepted", async () => {
    const { key, integration } = await newApplication();
    const platform = createPlatform(service, key);
    const given = { integration_id: integration, auth_token: "a", refresh_token: "b" };
    expect((await platform("POST", "/v1/connections", given)).body.errors).toEqual({
      refresh_token: [expect.stringContaining("Not used")],
    });
  });

  it("a registered client's secret is not shown in what the server says about it", async () => {
    server.script.metadata.token_endpoint_auth_methods_supported = ["client_secret_post"];
    const application = await newApplication();
    const connection = await connect(service, application);
    const { sign_in } = (await service.store.connections.load(connection))!.connection.credentials;
    server.script.instead["/mcp"] = (_, response) =>
      response.writeHead(500).end(`your secret is ${sign_in!.client!.secret}, from ${server.url}`);
    await fetch(`${service.url}/mcp`, {
      method: "POST",
      headers: { authorization: `Bearer ${application.key}.${connection}`, "content-type": "application/json" },
      body: "{}",
    });
    const logs = () => application.platform("GET", `/logs?connection_id=${connection}`);
    await expect.poll(async () => (await logs())[0]?.surface).toBe("mcp");
    const full = JSON.stringify(await application.platform("GET", `/logs/${(await logs())[0].id}`));
    expect(full).toContain(`from ${server.url}`);
    expect(full).not.toContain(sign_in!.client!.secret);
  });
});
