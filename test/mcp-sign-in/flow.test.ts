// The sign-in of MCP clients, message by message, and what comes of it.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { Browser } from "../access/support/browser.ts";
import { hiddenValue } from "../dashboard/support/visitor.ts";
import { createPlatform, type Platform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";
import {
  answerOf,
  decide,
  listTools,
  newClient,
  newCode,
  newTokens,
  offered,
  REDIRECT_URI,
  reachConsent,
  reachUserConsent,
  register,
} from "./support.ts";

let service: TestService;
let platform: Platform;
let address: string;
beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT: "1000000/60" } });
  platform = createPlatform(service, service.apiKey);
  address = `${service.url}/unified/v1/mcp`;
});
afterAll(() => service?.close());
afterEach(() => void vi.useRealTimers());

const HOUR = 3_600_000;
const later = (ms: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });

it("a client learns from a 401 where the metadata is", async () => {
  const answer = await listTools(address, "pbm_wrong", "conn_1");
  const metadata = `${service.url}/.well-known/oauth-protected-resource/unified/v1/mcp`;
  expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([
    401,
    `Bearer error="invalid_token", resource_metadata="${metadata}", scope="mcp"`,
  ]);
  const resource = (await (await fetch(metadata)).json()) as any;
  expect(resource).toMatchObject({ resource: address, authorization_servers: [`${service.url}/auth/oauth`] });
  for (const path of [
    "/.well-known/oauth-authorization-server/auth/oauth",
    "/auth/oauth/.well-known/oauth-authorization-server",
  ]) {
    const server = (await (await fetch(`${service.url}${path}`)).json()) as any;
    expect(server.issuer).toBe(resource.authorization_servers[0]);
    expect(server.code_challenge_methods_supported).toEqual(["S256"]);
  }
});

describe("a grant", () => {
  it("allows the chosen accounts on Unified MCP, and nothing else", async () => {
    const [first, second] = [service.connections.github!, service.connections.linear!];
    const { access_token } = await newTokens(await newClient(service), { connections: [first] });
    expect((await listTools(address, access_token, first)).status).toBe(200);
    expect((await listTools(address, access_token, second)).status).toBe(404);
    for (const path of [
      "/mcp",
      "/platform/v1/connections",
      "/unified/v1/me",
      "/proxy/user",
      "/platform/v1/api-keys",
      `/unified/v1/mcp/w/${service.clientId}`,
    ])
      expect([path, (await listTools(`${service.url}${path}`, access_token, first)).status]).toEqual([path, 401]);
  });

  it("that only reads has no tool that writes, and cannot call one", async () => {
    const connection = service.connections.github!;
    const toolsOf = async (access: "read" | "write") => {
      const { access_token } = await newTokens(await newClient(service), { connections: [connection], access });
      const { result } = (await (await listTools(address, access_token, connection)).json()) as any;
      return { access_token, names: result.tools.map(({ name }: any) => name) };
    };
    const [reading, writing] = [await toolsOf("read"), await toolsOf("write")];
    expect(writing.names).toContain("git_create_issue");
    expect(reading.names).not.toContain("git_create_issue");
    expect(reading.names).toContain("git_list_repositories");
    const params = { name: "git_create_issue", arguments: { repo: "octo-org/api", title: "x" } };
    const answer = await listTools(address, reading.access_token, connection, { method: "tools/call", params });
    expect(await answer.text()).toContain("git_create_issue");
    expect(await (await fetch(`${service.url}/sandbox/_requests?provider=github`)).json()).not.toContainEqual(
      expect.objectContaining({ method: "POST" }),
    );
  });

  it("is read without a query of the database once it is cached", async () => {
    const connection = service.connections.github!;
    const { access_token } = await newTokens(await newClient(service), { connections: [connection] });
    await listTools(address, access_token, connection);
    const before = service.store.statements;
    expect((await listTools(address, access_token, connection)).status).toBe(200);
    expect(service.store.statements).toBe(before);
  });

  it("is listed with its client and its use, and ends immediately when it is revoked", async () => {
    const connection = service.connections.github!;
    const client = await newClient(service, { name: "Listed client" });
    const { access_token, refresh_token } = await newTokens(client, { connections: [connection], access: "write" });
    expect((await listTools(address, access_token, connection)).status).toBe(200);
    const [grant] = (await platform("GET", "/v1/mcp-grants?order=newest&limit=1")).body;
    expect(grant).toMatchObject({
      client_id: client.id,
      client_name: "Listed client",
      redirect_host: "client.example",
      external_id: null,
      actor: { kind: "key" },
      connection_ids: [connection],
      access: "write",
      tool_pack_id: null,
      resource: address,
    });
    expect((await platform("DELETE", `/v1/mcp-grants/${grant.id}`)).status).toBe(200);
    expect((await listTools(address, access_token, connection)).status).toBe(401);
    expect((await client.refresh(refresh_token)).body.error).toBe("invalid_grant");
    expect((await platform("DELETE", `/v1/mcp-grants/${grant.id}`)).status).toBe(404);
    const audit = (await platform("GET", `/v1/audit?target=${grant.id}`)).body;
    expect(audit.map(({ action }: any) => action)).toEqual(["mcp_grant.delete", "mcp_grant.create"]);
  });

  it("is refreshed with a new token each time; the old access token works until it expires", async () => {
    const connection = service.connections.github!;
    const client = await newClient(service);
    const first = await newTokens(client, { connections: [connection] });
    const { status, body } = await client.refresh(first.refresh_token);
    expect([status, body.token_type, body.expires_in, body.scope]).toEqual([200, "Bearer", 3600, "mcp"]);
    expect((await listTools(address, body.access_token, connection)).status).toBe(200);
    expect((await listTools(address, first.access_token, connection)).status).toBe(200);
    later(HOUR + 1000);
    expect((await listTools(address, body.access_token, connection)).status).toBe(401);
    expect((await client.refresh(body.refresh_token)).status).toBe(200);
  });

  it("ends as a whole when an old refresh token is used again", async () => {
    const connection = service.connections.github!;
    const client = await newClient(service);
    const first = await newTokens(client, { connections: [connection] });
    const second = (await client.refresh(first.refresh_token)).body;
    expect((await client.refresh(first.refresh_token)).body.error).toBe("invalid_grant");
    expect((await client.refresh(second.refresh_token)).body.error).toBe("invalid_grant");
    expect((await listTools(address, second.access_token, connection)).status).toBe(401);
    const [entry] = (await platform("GET", "/v1/audit?action=mcp_grant.misuse&limit=1")).body;
    expect(entry).toMatchObject({ actor: { kind: "system", id: client.id }, target: { kind: "mcp_grant" } });
  });

  it("ends when its client revokes the refresh token", async () => {
    const connection = service.connections.github!;
    const client = await newClient(service);
    const { access_token, refresh_token } = await newTokens(client, { connections: [connection] });
    expect((await client.revoke(refresh_token)).status).toBe(200);
    expect((await listTools(address, access_token, connection)).status).toBe(401);
    expect((await client.refresh(refresh_token)).body.error).toBe("invalid_grant");
  });

  it("ends with the API key that it was given with", async () => {
    const connection = service.connections.github!;
    const { id, api_key } = (await platform("POST", "/v1/api-keys", { scopes: ["mcp"] })).body;
    const client = await newClient(service);
    const tokens = await newTokens(client, { connections: [connection] }, api_key);
    expect((await listTools(address, tokens.access_token, connection)).status).toBe(200);
    await platform("DELETE", `/v1/api-keys/${id}`);
    expect((await listTools(address, tokens.access_token, connection)).status).toBe(401);
    expect((await client.refresh(tokens.refresh_token)).body.error).toBe("invalid_grant");
  });

  it("of somebody with a bound key has only that key's accounts, and only such keys see it", async () => {
    const [own, other] = [service.connections.github!, service.connections.linear!];
    const bound = { scopes: ["mcp", "connections:write"], connection_ids: [own] };
    const { api_key } = (await platform("POST", "/v1/api-keys", bound)).body;
    const { page, browser } = await reachConsent(await newClient(service), { key: api_key });
    expect(offered(page)).toEqual([own]);
    expect(page.html).not.toContain("Connect another account");
    expect((await decide(browser, page, { connections: [other] })).status).toBe(400);
    expect((await decide(browser, page)).status).toBe(303);
    await newCode(await newClient(service), { connections: [other] });
    const mine = (await createPlatform(service, api_key)("GET", "/v1/mcp-grants")).body;
    expect(mine.every(({ connection_ids }: any) => connection_ids.join() === own)).toBe(true);
    const all = (await platform("GET", "/v1/mcp-grants?order=newest&limit=1")).body;
    expect((await createPlatform(service, api_key)("DELETE", `/v1/mcp-grants/${all[0].id}`)).status).toBe(404);
  });
});

describe("somebody who decides", () => {
  it("sees who asks and where the access goes, and can refuse", async () => {
    const client = await newClient(service, { name: "Curious client" });
    const { browser, page } = await reachConsent(client);
    expect(page.html).toContain("<h1>Allow Curious client to use your accounts?</h1>");
    expect(page.html).toContain("<strong>client.example</strong>");
    const answer = answerOf(await decide(browser, page, { decision: "deny" }));
    expect(Object.fromEntries(answer)).toEqual({
      error: "access_denied",
      error_description: "The person refused",
      state: "client-state",
      iss: `${service.url}/auth/oauth`,
    });
    expect((await decide(browser, page)).status).toBe(400);
  });

  it("is asked to choose an account if they chose none", async () => {
    const { browser, page } = await reachConsent(await newClient(service));
    const again = await decide(browser, page, { connections: [] });
    expect([again.status, again.html.includes("Choose at least one account")]).toEqual([400, true]);
  });

  it("has ten minutes", async () => {
    const { browser, page } = await reachConsent(await newClient(service));
    later(11 * 60_000);
    const late = await decide(browser, page);
    expect([late.status, late.html.includes("This sign-in has expired")]).toEqual([400, true]);
  });

  it("can use several clients, each with a grant of its own", async () => {
    const connection = service.connections.github!;
    const [first, second] = [await newClient(service), await newClient(service)];
    const [one, two] = [await newTokens(first), await newTokens(second, { connections: [connection] })];
    expect((await first.revoke(one.refresh_token)).status).toBe(200);
    expect((await listTools(address, two.access_token, connection)).status).toBe(200);
  });
});

describe("registration", () => {
  it("gives a client an ID and no secret, whatever it asks for", async () => {
    const asked = { redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: "client_secret_basic" };
    const { status, body } = await register(service, asked);
    expect([status, body.token_endpoint_auth_method, "client_secret" in body]).toEqual([201, "none", false]);
    expect(body.client_name).toBe("A program without a name");
  });

  it("a program on the person's own machine may use any port", async () => {
    const client = await newClient(service, { redirectUri: "http://127.0.0.1/callback" });
    const { browser, page } = await reachConsent(client, {
      changes: { redirect_uri: "http://127.0.0.1:49152/callback" },
    });
    expect(page.html).toContain("a program on your own machine");
    expect((await decide(browser, page)).location).toContain("http://127.0.0.1:49152/callback?code=");
  });
});

describe("an application that signs its own users in", () => {
  const signInUrl = "https://app.example/mcp?lang=en";
  let key: string;
  let clientId: string;
  let resource: string;
  beforeAll(async () => {
    key = await service.createWorkspace("application");
    const own = createPlatform(service, key);
    const { status, body } = await own("PATCH", "/v1/workspace", { mcp_sign_in_url: signInUrl });
    expect([status, body.mcp_sign_in_url]).toEqual([200, signInUrl]);
    clientId = body.client_id;
    resource = `${address}/w/${clientId}`;
  });

  const connect = async (external_id: string) => {
    const own = createPlatform(service, key);
    const integration = { identifier: "linear", type: "api_key", base_url: "sandbox" };
    const { id } = (await own("POST", "/v1/integrations", integration)).body;
    const { credentials } = service.sandbox.credentials("linear", "api_key");
    const body = { integration_id: id, auth_token: credentials.token, external_id };
    return (await own("POST", "/v1/connections", body)).body.id as string;
  };

  it("sends them on with its answer, and they choose among their own accounts", async () => {
    const [mine, others] = [await connect("user-7"), await connect("user-8")];
    const client = await newClient(service, { resource });
    const browser = new Browser();
    const first = await browser.send(client.authorizeUrl());
    const sent = new URL(first.location!);
    expect([sent.origin + sent.pathname, sent.searchParams.get("lang")]).toEqual(["https://app.example/mcp", "en"]);
    const request = sent.searchParams.get("request")!;
    const proof = await createPlatform(service, key)("POST", `/v1/mcp-sign-ins/${request}`, { external_id: "user-7" });
    expect([proof.status, proof.body.client_name]).toEqual([200, "Test client"]);
    const page = await browser.open(proof.body.url);
    expect(offered(page)).toEqual([mine]);
    expect(page.html).toContain("<strong>user-7</strong>");
    const code = answerOf(await decide(browser, page, { access: "write" })).get("code")!;
    const { access_token } = (await client.redeem(code)).body;
    expect((await listTools(resource, access_token, mine)).status).toBe(200);
    expect((await listTools(resource, access_token, others)).status).toBe(404);
    const bound = { scopes: ["connections:read"], external_id: "user-8" };
    const other = (await createPlatform(service, key)("POST", "/v1/api-keys", bound)).body.api_key;
    expect((await createPlatform(service, other)("GET", "/v1/mcp-grants")).body).toEqual([]);
  });

  it("lets them connect an account that is missing, and brings them back", async () => {
    const client = await newClient(service, { resource });
    const browser = new Browser();
    const request = answerOf(await browser.send(client.authorizeUrl())).get("request")!;
    const proof = await createPlatform(service, key)("POST", `/v1/mcp-sign-ins/${request}`, { external_id: "user-9" });
    const page = await browser.open(proof.body.url);
    expect(page.html).toContain("There are no accounts yet");
    let connecting = await browser.open(page.url, {
      form: { ticket: hiddenValue(page.html, "ticket"), decision: "connect" },
    });
    const choice = /href="([^"]*integration=[^"]*)"/.exec(connecting.html)?.[1];
    if (choice) connecting = await browser.open(new URL(choice.replaceAll("&amp;", "&"), connecting.url).href);
    const { credentials } = service.sandbox.credentials("linear", "api_key");
    const back = await browser.open(connecting.url, {
      form: { ticket: hiddenValue(connecting.html, "ticket"), decision: "continue", key: credentials.token! },
    });
    expect(back.url).toBe(proof.body.url);
    expect(offered(back)).toHaveLength(1);
    expect((await decide(browser, back)).location).toContain("code=");
  });

  it.each([
    ["stays when the application deletes its key", {}, false],
    ["ends with a key that is bound", { external_id: "user-10" }, true],
    ["ends with a key that expires", { expires_at: "2099-01-31T00:00:00.000Z" }, true],
  ])("what they allow %s", async (_, limits, ends) => {
    const own = createPlatform(service, key);
    const connection = await connect("user-10");
    const { id, api_key } = (await own("POST", "/v1/api-keys", { scopes: ["connections:write"], ...limits })).body;
    const client = await newClient(service, { resource });
    const application = { platform: createPlatform(service, api_key) };
    const { browser, page } = await reachUserConsent(client, application, { external_id: "user-10" });
    const code = answerOf(await decide(browser, page, { connections: [connection] })).get("code")!;
    const { access_token } = (await client.redeem(code)).body;
    expect((await listTools(resource, access_token, connection)).status).toBe(200);
    const [grant] = (await own("GET", "/v1/mcp-grants?order=newest&limit=1")).body;
    expect(grant.expires_at).toBe("expires_at" in limits ? limits.expires_at : null);
    await own("DELETE", `/v1/api-keys/${id}`);
    expect((await own("GET", `/v1/mcp-grants/${grant.id}`)).status).toBe(ends ? 404 : 200);
    await expect.poll(async () => (await listTools(resource, access_token, connection)).status).toBe(ends ? 401 : 200);
  });

  it("says so itself if the address of its page is not safe", async () => {
    for (const mcp_sign_in_url of ["http://app.example/mcp", "javascript:alert(1)", "https://a:b@app.example/", "x"])
      expect((await createPlatform(service, key)("PATCH", "/v1/workspace", { mcp_sign_in_url })).status).toBe(400);
  });
});
