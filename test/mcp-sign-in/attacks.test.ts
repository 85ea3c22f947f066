// Attacks on the authorization server and on the pages where people decide: by clients that lie, by whoever sees or
// guesses what others have, and by pages that somebody is lured to. Each is tried, and nothing may be gained by it.
import { hash } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { Browser, type Page } from "../access/support/browser.ts";
import { hiddenValue, newLink } from "../dashboard/support/visitor.ts";
import { createPlatform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";
import {
  answerOf,
  type Changes,
  challengeOf,
  decide,
  listTools,
  newClient,
  newCode,
  newTokens,
  offered,
  post,
  REDIRECT_URI,
  reachConsent,
  register,
  type TestClient,
} from "./support.ts";

const LOOPBACK_URI = "http://127.0.0.1:5000/callback";

let service: TestService;
let client: TestClient;
let otherClient: TestClient;
let loopbackClient: TestClient;
/** Of another workspace, whose application signs its own users in. */
let foreignKey: string;
let foreignClientId: string;
let foreignResource: string;
let connection: string;
let plain: string;

beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT: "1000000/60" } });
  // The sandbox's workspace has an address of its own, since it is not the only one.
  foreignKey = await service.createWorkspace("foreign");
  await service.createWorkspace("third");
  const change = { mcp_sign_in_url: "https://app.example/sign-in" };
  const foreign = (await createPlatform(service, foreignKey)("PATCH", "/v1/workspace", change)).body;
  foreignClientId = foreign.client_id;
  plain = `${service.url}/unified/v1/mcp`;
  foreignResource = `${plain}/w/${foreignClientId}`;
  const resource = `${plain}/w/${service.clientId}`;
  client = await newClient(service, { name: "Client", resource });
  otherClient = await newClient(service, { name: "Other client", resource });
  loopbackClient = await newClient(service, { resource, redirectUri: LOOPBACK_URI });
  connection = service.connections.github!;
});
afterAll(() => service?.close());
afterEach(() => void vi.useRealTimers());

const later = (seconds: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + seconds * 1000 });
const headers = { "x-forwarded-for": "192.0.2.1" };
beforeEach(() => {
  headers["x-forwarded-for"] = `192.0.2.${Math.floor(Math.random() * 255)}, 10.0.${Date.now() % 255}.1`;
});

const open = (url: string, browser = new Browser()) => browser.send(url, { headers });

describe("an address to return to that is not the client's own gets nothing, not even an error", () => {
  it.each<[string, string | string[] | null]>([
    ["missing", null],
    ["empty", ""],
    ["given twice", [REDIRECT_URI, REDIRECT_URI]],
    ["given twice, with another one", [REDIRECT_URI, "https://evil.example/callback"]],
    ["on another host", "https://evil.example/callback"],
    ["on a subdomain", "https://evil.client.example/callback"],
    ["with the host as a prefix", "https://client.example.evil.example/callback"],
    ["with the host as a user name", "https://client.example@evil.example/callback"],
    ["with a backslash", "https://client.example\\@evil.example/callback"],
    ["with another path", "https://client.example/other"],
    ["with more path", "https://client.example/callback/more"],
    ["with a trailing slash", `${REDIRECT_URI}/`],
    ["with a query", `${REDIRECT_URI}?next=https://evil.example`],
    ["with a fragment", `${REDIRECT_URI}#fragment`],
    ["that climbs", "https://client.example/callback/../evil"],
    ["that climbs in code", "https://client.example/callback/%2e%2e/evil"],
    ["in other letters", "https://client.example/Callback"],
    ["on another port", "https://client.example:8443/callback"],
    ["without encryption", "http://client.example/callback"],
    ["with a line break", `${REDIRECT_URI}\n.evil.example`],
    ["with a space", ` ${REDIRECT_URI}`],
    ["that is a script", "javascript:alert(1)//https://client.example/callback"],
    ["that is data", "data:text/html,hello"],
    ["without a scheme", "//client.example/callback"],
    ["of a program on this machine", "http://127.0.0.1/callback"],
  ])("%s", async (_, redirect_uri) => {
    const page = await open(client.authorizeUrl({ redirect_uri }));
    expect([page.status, page.location]).toEqual([400, undefined]);
    expect(page.html).toContain("This link does not work");
  });

  it.each([
    ["with another path", "http://127.0.0.1:5000/other"],
    ["by another name of this machine", "http://localhost:5000/callback"],
    ["with the port as a password", "http://127.0.0.1:5000@evil.example/callback"],
    ["with the address as a prefix", "http://127.0.0.1.evil.example:5000/callback"],
    ["with encryption that was not registered", "https://127.0.0.1:5000/callback"],
  ])("of a program on this machine, %s", async (_, redirect_uri) => {
    const page = await open(loopbackClient.authorizeUrl({ redirect_uri }));
    expect([page.status, page.location]).toEqual([400, undefined]);
  });

  it.each<[string, Changes]>([
    ["unknown", { client_id: "mcp_unknown" }],
    ["missing", { client_id: null }],
    ["given twice", { client_id: ["a", "b"] }],
    ["a key", { client_id: "sk_0000" }],
    ["the workspace's", { client_id: "client_0000" }],
  ])("by a client whose ID is %s", async (_, changes) => {
    const page = await open(client.authorizeUrl(changes));
    expect([page.status, page.location]).toEqual([400, undefined]);
  });
});

describe("a request that is not safe is refused at the client, with our name and its state", () => {
  it.each<[string, Changes, string]>([
    ["without PKCE", { code_challenge: null, code_challenge_method: null }, "invalid_request"],
    ["with plain PKCE", { code_challenge_method: "plain" }, "invalid_request"],
    ["with PKCE that does not say how", { code_challenge_method: null }, "invalid_request"],
    ["with a short challenge", { code_challenge: "short" }, "invalid_request"],
    ["with two challenges", { code_challenge: ["a".repeat(43), "b".repeat(43)] }, "invalid_request"],
    ["for a token without a code", { response_type: "token" }, "unsupported_response_type"],
    ["for a code and a token", { response_type: "code token" }, "unsupported_response_type"],
    ["without a response type", { response_type: null }, "unsupported_response_type"],
    ["with the answer in a fragment", { response_mode: "fragment" }, "invalid_request"],
    ["with the answer in a form", { response_mode: "form_post" }, "invalid_request"],
    ["with a request object", { request: "e30." }, "request_not_supported"],
    ["with the address of a request object", { request_uri: "https://evil.example/r" }, "request_not_supported"],
    ["for another service", { resource: "https://evil.example/mcp" }, "invalid_target"],
    ["for an unknown workspace", { resource: "WORKSPACE/w/client_unknown" }, "invalid_target"],
    ["for no workspace, where there are several", { resource: null }, "invalid_target"],
    ["for a path above", { resource: "SERVICE/unified/v1" }, "invalid_target"],
    ["for another path", { resource: "SERVICE/platform/v1" }, "invalid_target"],
    ["for the provider's own MCP server", { resource: "SERVICE/mcp" }, "invalid_target"],
    ["for an address that only begins like ours", { resource: "SERVICE/unified/v1/mcp-evil" }, "invalid_target"],
    ["for an address with a user name", { resource: "http://a@127.0.0.1/unified/v1/mcp" }, "invalid_target"],
    ["for an address with a fragment", { resource: "WORKSPACE/w/OWN#x" }, "invalid_target"],
    ["for two addresses", { resource: ["WORKSPACE/w/OWN", "https://evil.example/mcp"] }, "invalid_request"],
  ])("%s", async (_, changes, error) => {
    const filled = Object.fromEntries(
      Object.entries(changes).map(([name, value]) => [
        name,
        typeof value === "string"
          ? value.replace("SERVICE", service.url).replace("WORKSPACE", plain).replace("OWN", service.clientId)
          : value,
      ]),
    );
    const page = await open(client.authorizeUrl(filled));
    const answer = answerOf(page);
    expect(page.location).toMatch(/^https:\/\/client\.example\/callback\?/);
    expect([answer.get("error"), answer.get("state"), answer.get("iss"), answer.get("code")]).toEqual([
      error,
      "client-state",
      `${service.url}/auth/oauth`,
      null,
    ]);
  });

  it("with a state that is too long", async () => {
    const answer = answerOf(await open(client.authorizeUrl({ state: "s".repeat(2_001) })));
    expect([answer.get("error"), answer.get("state")]).toEqual(["invalid_request", null]);
  });
});

describe("a code is of no use", () => {
  const decision = () => ({ connections: [connection] });

  it.each<[string, Changes | (() => Changes), string]>([
    ["without the verifier", { code_verifier: null }, "invalid_request"],
    ["with another verifier", { code_verifier: "x".repeat(43) }, "invalid_grant"],
    ["with a short verifier", { code_verifier: "x" }, "invalid_grant"],
    [
      "with the challenge instead of the verifier",
      () => ({ code_verifier: challengeOf(client.verifier) }),
      "invalid_grant",
    ],
    ["to another client", () => ({ client_id: otherClient.id }), "invalid_grant"],
    ["to an unknown client", { client_id: "mcp_unknown" }, "invalid_client"],
    ["without a client", { client_id: null }, "invalid_client"],
    ["with another address to return to", { redirect_uri: "https://evil.example/callback" }, "invalid_grant"],
    ["for another workspace", () => ({ resource: foreignResource }), "invalid_grant"],
    ["for another service", { resource: "https://evil.example/mcp" }, "invalid_target"],
    ["given twice", { code: ["a", "b"] }, "invalid_request"],
    ["as a password", { grant_type: "password" }, "unsupported_grant_type"],
    ["as something that every object has", { grant_type: "constructor" }, "unsupported_grant_type"],
    ["as a client's own", { grant_type: "client_credentials" }, "unsupported_grant_type"],
    ["as a refresh token", { grant_type: "refresh_token" }, "invalid_request"],
    ["without saying what it is", { grant_type: null }, "invalid_request"],
  ])("%s", async (_, changes, error) => {
    const code = await newCode(client, decision());
    const { status, body } = await client.redeem(code, typeof changes === "function" ? changes() : changes);
    expect([status >= 400, body.error, "access_token" in body]).toEqual([true, error, false]);
  });

  it("after somebody else has tried it", async () => {
    const code = await newCode(client, decision());
    await client.redeem(code, { code_verifier: "x".repeat(43) });
    expect((await client.redeem(code)).body.error).toBe("invalid_grant");
  });

  it("a second time, which also ends what the first time gave", async () => {
    const code = await newCode(client, decision());
    const { access_token, refresh_token } = (await client.redeem(code)).body;
    expect((await client.redeem(code)).body.error).toBe("invalid_grant");
    expect((await listTools(client.resource, access_token, connection)).status).toBe(401);
    expect((await client.refresh(refresh_token)).body.error).toBe("invalid_grant");
  });

  it("to more than one of several who redeem it at the same time", async () => {
    const code = await newCode(client, decision());
    const answers = await Promise.all(Array.from({ length: 5 }, () => client.redeem(code)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });

  it("after a minute", async () => {
    const code = await newCode(client, decision());
    later(61);
    expect((await client.redeem(code)).body.error).toBe("invalid_grant");
  });

  it("in a JSON body", async () => {
    const code = await newCode(client, decision());
    const response = await fetch(`${service.url}/auth/oauth/token`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ grant_type: "authorization_code", code, client_id: client.id }),
    });
    expect([response.status, ((await response.json()) as any).error]).toEqual([400, "invalid_request"]);
  });

  it("in the query", async () => {
    const code = await newCode(client, decision());
    const query = new URLSearchParams({ grant_type: "authorization_code", code, client_id: client.id });
    expect((await fetch(`${service.url}/auth/oauth/token?${query}`)).status).toBe(404);
    expect((await post(service, `token?${query}`, new URLSearchParams())).status).toBe(401);
  });

  it("to somebody with a copy of the database, which has only hashes", async () => {
    const code = await newCode(client, decision());
    expect((await client.redeem(hash("sha256", code))).body.error).toBe("invalid_grant");
  });
});

describe("a refresh token is of no use", () => {
  const tokens = () => newTokens(client, { connections: [connection] });

  it("to another client, and stays valid for its own", async () => {
    const { refresh_token } = await tokens();
    expect((await client.refresh(refresh_token, { client_id: otherClient.id })).body.error).toBe("invalid_grant");
    expect((await client.refresh(refresh_token)).status).toBe(200);
  });

  it("for another workspace, and stays valid for its own", async () => {
    const { refresh_token } = await tokens();
    expect((await client.refresh(refresh_token, { resource: foreignResource })).body.error).toBe("invalid_grant");
    expect((await client.refresh(refresh_token)).status).toBe(200);
  });

  it("to several at the same time: at most one gets a token, and it ends when the theft is noticed", async () => {
    const { refresh_token } = await tokens();
    const answers = await Promise.all(Array.from({ length: 5 }, () => client.refresh(refresh_token)));
    const issued = answers.filter(({ status }) => status === 200);
    expect(issued.length).toBeLessThanOrEqual(1);
    for (const { body } of issued) {
      expect((await client.refresh(body.refresh_token)).body.error).toBe("invalid_grant");
      expect((await listTools(client.resource, body.access_token, connection)).status).toBe(401);
    }
  });

  it("if it is an access token", async () => {
    const { access_token } = await tokens();
    expect((await client.refresh(access_token)).body.error).toBe("invalid_grant");
  });

  it("after it was not used for 30 days", async () => {
    const { refresh_token } = await tokens();
    later(30 * 86_400 + 1);
    expect((await client.refresh(refresh_token)).body.error).toBe("invalid_grant");
  });

  it("to another client that revokes it: it stays valid", async () => {
    const { refresh_token, access_token } = await tokens();
    for (const token of [refresh_token, access_token]) expect((await otherClient.revoke(token)).status).toBe(200);
    expect((await listTools(client.resource, access_token, connection)).status).toBe(200);
    expect((await client.refresh(refresh_token)).status).toBe(200);
  });
});

describe("an access token is of no use", () => {
  let token: string;
  let refreshToken: string;
  beforeAll(async () => {
    const tokens = await newTokens(client, { connections: [connection] });
    [token, refreshToken] = [tokens.access_token, tokens.refresh_token];
  });

  it.each<[string, () => string]>([
    ["at another workspace's address", () => foreignResource],
    ["at the plain address", () => plain],
    ["at the provider's own MCP server", () => `${service.url}/mcp`],
    ["on the Proxy", () => `${service.url}/proxy/user`],
    ["on the Platform API", () => `${service.url}/platform/v1/connect-sessions`],
    ["for exchanging connect codes", () => `${service.url}/auth/connection`],
  ])("%s", async (_, url) => {
    expect((await listTools(url(), token, connection)).status).toBe(401);
  });

  it("on the Unified API", async () => {
    const sent = { authorization: `Bearer ${token}`, "svc-connection-id": connection };
    expect((await fetch(`${service.url}/unified/v1/me`, { headers: sent })).status).toBe(401);
  });

  it("in the query", async () => {
    const response = await fetch(`${client.resource}?access_token=${token}`, { method: "POST" });
    expect(response.status).toBe(401);
  });

  it("as a dashboard session", async () => {
    const response = await fetch(`${service.url}/dashboard`, {
      headers: { cookie: `plugboard-session=${token}` },
      redirect: "manual",
    });
    expect(response.headers.get("location")).toContain("/dashboard/sign-in");
  });

  it("for an account that was not chosen", async () => {
    expect((await listTools(client.resource, token, service.connections.slack!)).status).toBe(404);
  });

  it("if it is changed, a refresh token, or a hash", async () => {
    for (const wrong of [`${token}x`, token.slice(0, -1), refreshToken, hash("sha256", token), `pbm_${"0".repeat(48)}`])
      expect((await listTools(client.resource, wrong, connection)).status).toBe(401);
  });

  it("to sign in for another client", async () => {
    const { page } = await reachConsent(otherClient, { key: token });
    expect([page.status, page.html.includes("This key is unknown")]).toEqual([400, true]);
  });
});

describe("somebody else's decision cannot be taken", () => {
  const nothingGranted = async (page: Page) => {
    expect(page.status).toBeGreaterThanOrEqual(400);
    expect(page.location).toBeUndefined();
  };

  it("in another browser", async () => {
    const { page } = await reachConsent(client);
    const stranger = new Browser();
    await nothingGranted(await stranger.send(page.url));
    await nothingGranted(await decide(stranger, page));
    // With a cookie of its own.
    await stranger.open(client.authorizeUrl(), { headers });
    await nothingGranted(await decide(stranger, page));
  });

  it.each<[string, (page: Page, other: Page) => [string, string]]>([
    ["without the form's ticket", (page) => [page.url, ""]],
    ["with a ticket of another sign-in", (page, other) => [page.url, hiddenValue(other.html, "ticket")]],
    ["at another sign-in's address", (page, other) => [other.url, hiddenValue(page.html, "ticket")]],
    ["without proof of who it is", (page) => [page.url.replace(/\.[^.]*$/, ""), hiddenValue(page.html, "ticket")]],
    [
      "with somebody else's proof",
      (page, other) => [
        page.url.replace(/\.[^.]*$/, `.${other.url.split(".").at(-1)}`),
        hiddenValue(page.html, "ticket"),
      ],
    ],
    ["with a changed proof", (page) => [page.url.replace(/.$/, "_"), hiddenValue(page.html, "ticket")]],
    [
      "for another request",
      (page) => [page.url.replace(/request=msi_\w+/, "request=msi_unknown"), hiddenValue(page.html, "ticket")],
    ],
  ])("%s", async (_, change) => {
    const browser = new Browser();
    const { page } = await reachConsent(client, { browser });
    const { page: other } = await reachConsent(otherClient, { browser });
    const [url, ticket] = change(page, other);
    await nothingGranted(
      await browser.send(url, {
        form: [
          ["ticket", ticket],
          ["connection", connection],
          ["decision", "allow"],
        ],
      }),
    );
  });

  it("with the ticket of the sign-in page", async () => {
    const browser = new Browser();
    const first = await browser.open(client.authorizeUrl(), { headers });
    const ticket = hiddenValue(first.html, "ticket");
    const page = await browser.open(first.url, { form: { ticket, api_key: service.apiKey }, headers });
    await nothingGranted(
      await browser.send(page.url, {
        form: [
          ["ticket", ticket],
          ["connection", connection],
          ["decision", "allow"],
        ],
      }),
    );
  });

  it("twice", async () => {
    const { browser, page } = await reachConsent(client);
    expect((await decide(browser, page)).location).toContain("code=");
    await nothingGranted(await decide(browser, page));
    await nothingGranted(await decide(browser, page, { decision: "deny" }));
  });

  it("with a key that has been deleted, or has expired, since they signed in", async () => {
    const platform = createPlatform(service, service.apiKey);
    const expires_at = new Date(Date.now() + 60_000).toISOString();
    const { id, api_key } = (await platform("POST", "/v1/api-keys", { scopes: ["mcp"] })).body;
    const expiring = (await platform("POST", "/v1/api-keys", { scopes: ["mcp"], expires_at })).body.api_key;
    const [one, other] = [
      await reachConsent(client, { key: api_key }),
      await reachConsent(client, { key: expiring }),
    ] as const;
    await platform("DELETE", `/v1/api-keys/${id}`);
    later(61);
    for (const { browser, page } of [one, other]) {
      const { status, html } = await decide(browser, page);
      expect([status, html.includes("The API key no longer works")]).toEqual([400, true]);
    }
  });

  it("with a key that is deleted at the same moment", async () => {
    const platform = createPlatform(service, service.apiKey);
    const { id, api_key } = (await platform("POST", "/v1/api-keys", { scopes: ["mcp"] })).body;
    const { browser, page } = await reachConsent(client, { key: api_key });
    const { change } = service.store;
    const spy = vi.spyOn(service.store, "change").mockImplementationOnce(async (...given) => {
      await platform("DELETE", `/v1/api-keys/${id}`);
      return change(...given);
    });
    onTestFinished(() => spy.mockRestore());
    const { status, html } = await decide(browser, page);
    expect([status, html.includes("The API key no longer works")]).toEqual([400, true]);
  });

  it("for accounts of another workspace, or that do not exist", async () => {
    const { browser, page } = await reachConsent(client);
    await nothingGranted(await decide(browser, page, { connections: ["conn_unknown"] }));
    const mixed = await decide(browser, page, { connections: ["conn_unknown", connection] });
    await client.redeem(answerOf(mixed).get("code")!);
    const [grant] = (await createPlatform(service, service.apiKey)("GET", "/v1/mcp-grants?order=newest&limit=1")).body;
    expect(grant.connection_ids).toEqual([connection]);
  });

  it("because the person had allowed the client before: they are asked again", async () => {
    const browser = new Browser();
    const { page } = await reachConsent(client, { browser });
    await decide(browser, page);
    const again = await browser.open(client.authorizeUrl(), { headers });
    expect(again.url).toContain("/auth/oauth/sign-in");
  });

  it("to connect accounts with a key that must not", async () => {
    const platform = createPlatform(service, service.apiKey);
    const begun = () => platform("GET", "/v1/audit?action=connect_session.create").then(({ body }) => body.length);
    const before = await begun();
    const { api_key } = (await platform("POST", "/v1/api-keys", { scopes: ["mcp"], external_id: "user-7" })).body;
    const { browser, page } = await reachConsent(client, { key: api_key });
    expect([page.status, page.html.includes("Connect another account")]).toEqual([200, false]);
    expect((await decide(browser, page, { decision: "connect" })).location).toContain("error=access_denied");
    expect(await begun()).toBe(before);
  });

  it("to have somebody else connect their account, in another browser", async () => {
    const { browser, page } = await reachConsent(client);
    expect(page.html).toContain("Connect another account");
    const { location } = await decide(browser, page, { decision: "connect" });
    await nothingGranted(await open(location!));
    expect((await open(location!, browser)).status).toBe(200);
  });

  it("by a page that frames ours", async () => {
    const { page } = await reachConsent(client);
    expect(page.headers.get("x-frame-options")).toBe("DENY");
    expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(page.headers.get("referrer-policy")).toBe("no-referrer");
    expect(page.headers.get("cache-control")).toBe("no-store");
  });

  it("by an app whose scheme looks like somebody's host", async () => {
    const redirectUri = "claude.ai:/callback";
    const { browser, page } = await reachConsent(await newClient(service, { resource: client.resource, redirectUri }));
    expect(page.html).toContain("<strong>an app on this device</strong> with the URL scheme “claude.ai:”.");
    expect(page.html).not.toContain("<strong>claude.ai");
    expect((await decide(browser, page)).location).toContain("claude.ai:/callback?code=");
    const [grant] = (await createPlatform(service, service.apiKey)("GET", "/v1/mcp-grants?order=newest&limit=1")).body;
    expect(grant.redirect_host).toBe("claude.ai:");
  });

  it.each([
    ["markup", "<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)&gt;"],
    ["marks that turn its direction", "Good\u202eecivres", "Good ecivres"],
    ["line breaks", "Good\n\nservice", "Good service"],
  ])("by a client whose name has %s", async (_, name, shown) => {
    const { page } = await reachConsent(await newClient(service, { name, resource: client.resource }));
    expect(page.html).toContain(`<h1>Allow ${shown} to use your accounts?</h1>`);
  });
});

describe("nobody signs in as somebody else", () => {
  const proveAs = (key: string, request: string, external_id: string) =>
    createPlatform(service, key)("POST", `/v1/mcp-sign-ins/${request}`, { external_id });
  let foreignClient: TestClient;
  beforeAll(async () => {
    foreignClient = await newClient(service, { resource: foreignResource });
  });
  const begin = async (browser = new Browser()) =>
    answerOf(await open(foreignClient.authorizeUrl(), browser)).get("request")!;

  it.each<[string, () => Promise<string>, string]>([
    ["an unknown key", async () => `sk_${"0".repeat(48)}`, "unknown"],
    ["a key of another workspace", async () => foreignKey, "another workspace"],
    ["a key without the scope", () => newKey({ scopes: ["unified:read"] }), "lacks the scope mcp"],
    ["no key", async () => "", "This field is required"],
    ["the token of a session", async () => `pbs_${"0".repeat(48)}`, "unknown"],
  ])("with %s", async (_, key, problem) => {
    const { page } = await reachConsent(client, { key: await key() });
    expect([page.status, page.html.includes(problem), page.url.includes("/sign-in")]).toEqual([400, true, true]);
  });

  const newKey = async (body: object) =>
    (await createPlatform(service, service.apiKey)("POST", "/v1/api-keys", body)).body.api_key as string;

  it("with a key that has expired", async () => {
    const key = await newKey({ scopes: ["mcp"], expires_at: new Date(Date.now() + 60_000).toISOString() });
    later(61);
    const { page } = await reachConsent(client, { key });
    expect([page.status, page.html.includes("has expired")]).toEqual([400, true]);
  });

  it("by guessing keys", async () => {
    const browser = new Browser();
    const first = await browser.open(client.authorizeUrl(), { headers });
    const form = { ticket: hiddenValue(first.html, "ticket"), api_key: "sk_guess" };
    let last: Page | undefined;
    for (let attempt = 0; attempt < 21; attempt++) last = await browser.send(first.url, { form, headers });
    expect(last!.status).toBe(429);
  });

  it("with a key where the application signs people in", async () => {
    const browser = new Browser();
    const request = await begin(browser);
    const page = await browser.send(`${service.url}/auth/oauth/sign-in?request=${request}`);
    expect(page.status).toBe(400);
    const form = { ticket: hiddenValue(page.html, "ticket"), api_key: foreignKey };
    expect((await browser.send(page.url, { form })).status).toBe(400);
  });

  it("by the application of another workspace", async () => {
    expect((await proveAs(service.apiKey, await begin(), "user-1")).status).toBe(404);
  });

  it("for a request that does not exist, has expired, or was completed", async () => {
    expect((await proveAs(foreignKey, "msi_unknown", "user-1")).status).toBe(404);
    const request = await begin();
    later(601);
    expect((await proveAs(foreignKey, request, "user-1")).status).toBe(404);
  });

  it("after the request was proven for another person", async () => {
    const request = await begin();
    expect((await proveAs(foreignKey, request, "user-1")).status).toBe(200);
    expect((await proveAs(foreignKey, request, "user-1")).status).toBe(200);
    expect((await proveAs(foreignKey, request, "user-2")).status).toBe(409);
  });

  it("by a key where people do not sign in at an application", async () => {
    const first = await new Browser().open(client.authorizeUrl(), { headers });
    const request = new URL(first.url).searchParams.get("request")!;
    const { status, body } = await proveAs(await newKey({ scopes: ["connections:write"] }), request, "user-1");
    expect([status, body.message]).toEqual([409, expect.stringContaining("set the workspace's mcp_sign_in_url first")]);
  });

  it("by a key that is bound to another user", async () => {
    const body = { scopes: ["connections:write"], external_id: "user-2" };
    const bound = (await createPlatform(service, foreignKey)("POST", "/v1/api-keys", body)).body.api_key;
    expect((await proveAs(bound, await begin(), "user-1")).status).toBe(403);
  });

  it.each([[{}], [{ external_id: null }], [{ external_id: "" }], [{ external_id: "a", person: "b" }]])(
    "by an application that does not say who it is: %j",
    async (body) => {
      const answer = await createPlatform(service, foreignKey)("POST", `/v1/mcp-sign-ins/${await begin()}`, body);
      expect(answer.status).toBe(400);
    },
  );

  it("by sending somebody to the application with a request of one's own", async () => {
    const attacker = new Browser();
    const request = await begin(attacker);
    // The victim is signed in there, and is sent on in their own browser.
    const { url } = (await proveAs(foreignKey, request, "victim")).body;
    expect((await new Browser().open(url)).status).toBe(403);
    // The attacker has the browser that began, but not the address.
    for (const address of [
      `${service.url}/auth/oauth/consent?request=${request}`,
      `${service.url}/auth/oauth/consent?request=${request}.`,
      `${service.url}/auth/oauth/sign-in?request=${request}`,
    ])
      expect((await attacker.send(address)).status).toBe(400);
  });

  it("by sending somebody with a dashboard session to a request of one's own", async () => {
    const attacker = new Browser();
    const first = await attacker.open(client.authorizeUrl(), { headers });
    const request = new URL(first.url).searchParams.get("request")!;
    const victim = new Browser();
    await victim.open(`${service.url}/dashboard/sign-in`, { form: { link: await newLink(service) } });
    const page = await victim.open(`${service.url}/dashboard/mcp-sign-ins/${request}`);
    expect([page.status, page.html.includes("It was started in another browser")]).toEqual([403, true]);
    expect((await attacker.send(`${service.url}/auth/oauth/consent?request=${request}`)).status).toBe(400);
    // Nor is the address in the request log, which the attacker may be allowed to read.
    await service.parts.requestLog.flush();
    const platform = createPlatform(service, service.apiKey);
    const [entry] = (await platform("GET", `/v1/logs?request_id=${page.headers.get("x-request-id")}`)).body;
    const { path, failure } = (await platform("GET", `/v1/logs/${entry.id}`)).body;
    expect([path, failure.query]).toEqual(["/auth/oauth/consent", "request=***"]);
  });

  it("with a dashboard session that may only look", async () => {
    const body = {
      scopes: [
        "connections:read",
        "integrations:read",
        "events:read",
        "logs:read",
        "keys:read",
        "workspace:read",
        "providers:read",
      ],
    };
    const api_key = await newKey(body);
    const browser = new Browser();
    await browser.open(`${service.url}/dashboard/sign-in`, { form: { api_key } });
    const first = await browser.open(client.authorizeUrl(), { headers });
    const request = new URL(first.url).searchParams.get("request")!;
    expect((await browser.open(`${service.url}/dashboard/mcp-sign-ins/${request}`)).status).toBe(403);
  });

  it("with a dashboard session of another workspace", async () => {
    const browser = new Browser();
    await browser.open(`${service.url}/dashboard/sign-in`, { form: { api_key: service.apiKey } });
    const page = await browser.open(`${service.url}/dashboard/mcp-sign-ins/${await begin(browser)}`);
    expect(page.status).toBe(404);
  });
});

describe("a client is not registered", () => {
  it.each<[string, unknown]>([
    ["without an address", {}],
    ["with an empty list", { redirect_uris: [] }],
    ["with a text instead of a list", { redirect_uris: REDIRECT_URI }],
    ["with numbers", { redirect_uris: [1] }],
    ["with a script", { redirect_uris: ["javascript:alert(1)"] }],
    ["with data", { redirect_uris: ["data:text/html,x"] }],
    ["with a file", { redirect_uris: ["file:///etc/passwd"] }],
    ["with an address without encryption", { redirect_uris: ["http://client.example/callback"] }],
    ["with a fragment", { redirect_uris: [`${REDIRECT_URI}#x`] }],
    ["with a user name", { redirect_uris: ["https://a:b@client.example/callback"] }],
    ["with one good and one bad address", { redirect_uris: [REDIRECT_URI, "http://evil.example/"] }],
    ["with too many", { redirect_uris: Array.from({ length: 11 }, (_, index) => `https://a.example/${index}`) }],
    ["with one that is too long", { redirect_uris: [`https://a.example/${"a".repeat(2_000)}`] }],
    ["by a list", []],
    ["by a text", "x"],
  ])("%s", async (_, metadata) => {
    const { status, body } = await register(service, metadata);
    expect([status, /^invalid_(redirect_uri|client_metadata)$/.test(body.error)]).toEqual([400, true]);
  });

  it("again and again from one address", async () => {
    const statuses = [];
    for (let attempt = 0; attempt < 22; attempt++)
      statuses.push(
        (
          await fetch(`${service.url}/auth/oauth/register`, {
            method: "POST",
            headers: { "content-type": "application/json", "x-forwarded-for": "198.51.100.7" },
            body: JSON.stringify({ redirect_uris: [REDIRECT_URI] }),
          })
        ).status,
      );
    expect(statuses).toContain(429);
  });
});

it("what an account offers to choose is only what the person may use", async () => {
  const { page } = await reachConsent(client);
  const foreign = (await createPlatform(service, foreignKey)("GET", "/v1/connections")).body;
  expect(offered(page).some((id) => foreign.some((one: any) => one.id === id))).toBe(false);
});
