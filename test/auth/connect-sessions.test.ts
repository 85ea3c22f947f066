// Connect sessions: links that an application's server creates, with which one user connects one account.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createPlatform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";
import { createAgent, leftFor, pageOf } from "./support/agent.ts";
import {
  type Application,
  agree,
  connectAccount,
  createApplication,
  REDIRECT_URI,
  validValues,
} from "./support/application.ts";
import { later, MINUTE } from "./support/attack.ts";
import { choices, createSession, posted } from "./support/session.ts";
import { ledger, quirk, toyCatalogue, toySettings } from "./support/toy-providers.ts";

const basicValues = validValues(ledger, "basic", toySettings.ledger);
const oauthValues = validValues(quirk, "oauth2", toySettings.quirk);

let service: TestService;
/** Has an integration of each toy provider. */
let application: Application;
let stranger: Application;
let oauthIntegration: { id: string };

beforeAll(async () => {
  service = await startService({ catalogue: toyCatalogue });
  application = await createApplication(service, ledger, "basic");
  oauthIntegration = await addQuirk(application);
  stranger = await createApplication(service, ledger, "basic");
});
afterAll(() => service.close());
afterEach(() => vi.useRealTimers());

const addQuirk = (to: Application, fields: object = {}) =>
  to.platform("POST", "/integrations", {
    identifier: "quirk",
    type: "oauth2",
    base_url: "sandbox",
    client_id: "a client",
    client_secret: "made up",
    ...fields,
  });

const newAgent = () => createAgent(service.url);
const connectionsOf = (externalId: string) => application.platform("GET", `/connections?external_id=${externalId}`);

describe("creating a connect session", () => {
  it("a new connect session is returned with an id, a link and when it expires, and nothing else", async () => {
    const session = await createSession(application);
    expect(Object.keys(session)).toEqual(["id", "url", "expires_at"]);
    expect(session.id).toMatch(/^cs_[A-Za-z0-9]{24}$/);
    expect(session.url.startsWith(`${service.config.urls.auth}/connect?session=${session.id}.`)).toBe(true);
    const minutes = (Date.parse(session.expires_at) - Date.now()) / MINUTE;
    expect(minutes).toBeGreaterThan(25);
    expect(minutes).toBeLessThanOrEqual(30);
  });

  it("a link works as long as it was asked for, also when the browser that began it was closed meanwhile", async () => {
    const lifetime = 7 * 86_400;
    const session = await createSession(application, { expires_in: lifetime, integrations: ["ledger"] });
    const seconds = (Date.parse(session.expires_at) - Date.now()) / 1000;
    expect(seconds).toBeGreaterThan(lifetime - 300);
    expect(seconds).toBeLessThanOrEqual(lifetime);
    const agent = newAgent();
    const response = await agent.ask(session.url);
    const kept = Number(/Max-Age=(\d+)/.exec(response.headers.getSetCookie()[0]!)![1]);
    expect(kept).toBeGreaterThanOrEqual(lifetime);
    later((lifetime / 60 - 10) * MINUTE);
    expect(pageOf(await agent.open(session.url)).status).toBe(200);
    later(lifetime * 1000);
    expect(pageOf(await agent.open(session.url)).text).toContain("It has expired");
  });

  const create = (fields: object) =>
    createPlatform(service, application.apiKey)("POST", "/v1/connect-sessions", fields);

  it.each<[string, object, Record<string, unknown>]>([
    ["no user", {}, { external_id: ["Required: your ID for the user"] }],
    ["an empty user", { external_id: "" }, { external_id: [expect.stringContaining("1 to 255 characters")] }],
    ["a user that is null", { external_id: null }, { external_id: ["Required: your ID for the user"] }],
    ["a user that is too long", { external_id: "x".repeat(256) }, { external_id: [expect.any(String)] }],
    ["a user with a NUL character", { external_id: "a\0" }, { external_id: [expect.any(String)] }],
    [
      "an unregistered redirect_uri",
      { external_id: "u", redirect_uri: "https://evil.example/back" },
      { redirect_uri: ["Must be exactly one of the workspace's redirect_uris"] },
    ],
    [
      "a redirect_uri that is almost registered",
      { external_id: "u", redirect_uri: `${REDIRECT_URI}&more=1` },
      { redirect_uri: [expect.any(String)] },
    ],
    [
      "no integrations",
      { external_id: "u", integrations: [] },
      { integrations: [expect.stringContaining("leave it out")] },
    ],
    [
      "unknown integrations",
      { external_id: "u", integrations: ["ledger", "nope"] },
      { integrations: ["1: There is no such integration in this workspace"] },
    ],
    [
      "an integration twice",
      { external_id: "u", integrations: ["ledger", "ledger"] },
      { integrations: ["1: Duplicate of another entry"] },
    ],
    [
      "integrations of another type",
      { external_id: "u", integrations: "ledger" },
      { integrations: [expect.any(String)] },
    ],
    [
      "an unknown connection",
      { external_id: "u", connection_id: "conn_unknown" },
      { connection_id: ["There is no such connection in this workspace"] },
    ],
    [
      "too much metadata",
      { external_id: "u", metadata: { text: "x".repeat(17_000) } },
      { metadata: ["Must be at most 16 kB of JSON"] },
    ],
    [
      "a lifetime of more than 7 days",
      { external_id: "u", expires_in: 604_801 },
      { expires_in: ["Must be a whole number from 60 to 604800, or null"] },
    ],
    ["a lifetime of nothing", { external_id: "u", expires_in: 0 }, { expires_in: [expect.any(String)] }],
    [
      "scopes for whichever integration the user chooses",
      { external_id: "u", scopes: ["read"] },
      { scopes: ["Needs integrations with exactly one entry, or a connection_id"] },
    ],
    [
      "scopes of an integration without OAuth",
      { external_id: "u", integrations: ["ledger"], scopes: ["read"] },
      { scopes: ["Not used: the integration does not use OAuth"] },
    ],
    [
      "no scopes",
      { external_id: "u", integrations: ["quirk"], scopes: [] },
      { scopes: ["Must not be empty: leave it out for the integration's"] },
    ],
    [
      "scopes of another type",
      { external_id: "u", integrations: ["quirk"], scopes: "read" },
      { scopes: [expect.stringContaining("an array of at most 200 items")] },
    ],
    ["metadata of another type", { external_id: "u", metadata: ["a"] }, { metadata: [expect.any(String)] }],
    ["an unknown field", { external_id: "u", state: "s" }, { state: [expect.stringContaining("Unknown field")] }],
    [
      "several problems",
      { redirect_uri: "x", integrations: ["nope"], connection_id: 5 },
      { redirect_uri: [expect.any(String)], integrations: [expect.any(String)], connection_id: [expect.any(String)] },
    ],
  ])("a connect session with %s is refused by name", async (_, fields, errors) => {
    const { status, body } = await create(fields);
    expect([status, body.errors]).toEqual([400, expect.objectContaining(errors)]);
  });

  it("a connect session for another workspace's integration or connection is refused", async () => {
    const { connection_id } = await connectAccount(stranger, {}, basicValues);
    const { body } = await create({ external_id: "u", integrations: [stranger.integrationId], connection_id });
    expect(body.errors).toEqual({
      integrations: ["0: There is no such integration in this workspace"],
      connection_id: ["There is no such connection in this workspace"],
    });
  });

  it("a connect session is refused for an identifier that several integrations have, and without any integration", async () => {
    const own = await createApplication(service, ledger, "basic");
    const second = await own.platform("POST", "/integrations", { identifier: "ledger", type: "basic" });
    const createOwn = (fields: object) => createPlatform(service, own.apiKey)("POST", "/v1/connect-sessions", fields);
    const ambiguous = await createOwn({ external_id: "u", integrations: ["ledger"] });
    expect(ambiguous.body.errors.integrations).toEqual([
      "0: This workspace has several integrations of ledger: use the id of one of them",
    ]);
    for (const id of [own.integrationId, second.id]) await own.platform("DELETE", `/integrations/${id}`);
    const empty = await createOwn({ external_id: "u" });
    expect(empty.body.errors).toEqual({ integrations: [expect.stringContaining("no integration yet")] });
  });

  it("a reconnect refuses what belongs to the connection already", async () => {
    const { connection_id } = await connectAccount(
      application,
      { integration_id: application.integrationId, external_id: "owner" },
      basicValues,
    );
    const { body } = await create({
      connection_id,
      external_id: "somebody else",
      metadata: { a: 1 },
      integrations: ["quirk"],
    });
    expect(body.errors).toEqual({
      external_id: ["Must be the connection's own external_id, or be left out"],
      metadata: ["Not used: the connection keeps its metadata"],
      integrations: ["0: The connection belongs to another integration"],
    });
    for (const fields of [{}, { external_id: "owner" }, { integrations: ["ledger"] }])
      expect((await create({ connection_id, ...fields })).status).toBe(201);
  });
});

describe("a connect session without redirect_uri", () => {
  it("a session with one integration starts on its page and ends on a page, with a connection that works", async () => {
    const { url } = await createSession(application, {
      integrations: ["quirk"],
      external_id: "one",
      metadata: { plan: "pro" },
    });
    const agent = newAgent();
    const end = pageOf(await agree(agent, url, oauthValues));
    expect(end.text).toContain("<h1>Quirk is connected</h1>");
    const [connection] = await connectionsOf("one");
    expect(connection).toMatchObject({
      is_valid: true,
      integration_id: oauthIntegration.id,
      metadata: { plan: "pro" },
    });
    expect(posted(end.text)).toEqual({
      result: {
        status: "connected",
        connection_id: connection.id,
        integration_id: oauthIntegration.id,
        integration_identifier: "quirk",
      },
      origins: ["https://app.example"],
    });
    expect((await application.call(connection.id)).status).toBe(200);
    // Reloading the last page, or going back to the link, shows the result again.
    expect(pageOf(await agent.open(url)).text).toContain("<h1>Quirk is connected</h1>");
    expect(await connectionsOf("one")).toHaveLength(1);
  });

  it("the scopes of a session are shown and requested instead of the integration's, for it alone", async () => {
    const fields = { integrations: ["quirk"], external_id: "scopes" };
    const scopesOf = async (session: { url: string }) => {
      const agent = newAgent();
      const form = pageOf(await agent.open(session.url));
      const shown = [...form.text.matchAll(/<li>([^<]+)<\/li>/g)].map(([, scope]) => scope);
      const consent = pageOf(await agent.submit(form, { decision: "continue", ...oauthValues }));
      return [shown, consent.url.searchParams.get("user_scope")];
    };
    expect(await scopesOf(await createSession(application, { ...fields, scopes: ["admin", "read"] }))).toEqual([
      ["admin", "read"],
      "admin,read",
    ]);
    expect(await scopesOf(await createSession(application, fields))).toEqual([["read", "write"], "read,write"]);
  });

  it("a session with several integrations lets the user choose, and choose again", async () => {
    const own = await createApplication(service, ledger, "basic", { integration: { name: "Old books" } });
    await addQuirk(own);
    await addQuirk(own, { name: "<b>Fancy</b> & co" });
    const { url } = await createSession(own);
    const agent = newAgent();
    const links = choices(pageOf(await agent.open(url)).text);
    expect(Object.keys(links)).toEqual([
      "Old books, Ledger &amp; Sons, with a user name and a password",
      "Quirk",
      "&lt;b&gt;Fancy&lt;/b&gt; &amp; co, Quirk",
    ]);
    const [first, second] = Object.values(links) as [string, string];
    const chosen = pageOf(await agent.open(second));
    expect(chosen.text).toContain("<h1>Connect Quirk</h1>");
    expect(chosen.text).toContain(`<a href="${url.replaceAll("&", "&amp;")}">Choose another account</a>`);
    const end = pageOf(await agree(agent, first, basicValues));
    expect(end.text).toContain("<h1>Ledger &amp; Sons is connected</h1>");
    expect(await own.platform("GET", "/connections")).toMatchObject([{ external_id: "user-7" }]);
  });

  it("where there are many to choose from, they can be searched by name", async () => {
    const own = await createApplication(service, ledger, "basic");
    for (let number = 1; number <= 9; number++) await addQuirk(own, { name: `Branch ${number}` });
    const { url } = await createSession(own);
    const agent = newAgent();
    const page = pageOf(await agent.open(url));
    expect(page.headers.get("content-security-policy")).toContain("form-action 'self'");
    const [, action, session] =
      /<form class="search"[^>]* action="([^"]+)">\s*<input type="hidden" name="session" value="([^"]+)"/.exec(
        page.text,
      )!;
    const search = async (q: string) =>
      pageOf(await agent.open(`${action}?${new URLSearchParams({ session: session!, q })}`)).text;
    expect(Object.keys(choices(await search("ledger")))).toEqual([
      "Ledger &amp; Sons, with a user name and a password",
    ]);
    const links = choices(await search(" branch 7"));
    expect(Object.keys(links)).toEqual(["Branch 7, Quirk"]);
    expect(pageOf(await agent.open(Object.values(links)[0]!)).text).toContain("<h1>Connect Quirk</h1>");
    expect(await search('"><b>')).toMatch(/value="&quot;&gt;&lt;b&gt;"[\s\S]*None has this name/);
  });

  it("a session shows the provider's reason when the user denies, and lets the user try again", async () => {
    const { url } = await createSession(application, { integrations: ["quirk"], external_id: "denied" });
    const agent = newAgent();
    const start = pageOf(await agent.open(url));
    const consent = pageOf(await agent.submit(start, { decision: "continue", ...oauthValues }));
    const denied = pageOf(await agent.submit(consent, { decision: "deny" }));
    expect(denied.text).toContain("<h1>The account was not connected</h1>");
    expect(denied.text).toContain("Try again");
    expect(posted(denied.text)).toEqual({
      result: { status: "failed", error: "access_denied", error_description: expect.any(String) },
      origins: ["https://app.example"],
    });
    expect(pageOf(await agree(agent, url, oauthValues)).text).toContain("Quirk is connected");
  });

  it("a session can be canceled on the connect page and where the user chooses", async () => {
    const { url } = await createSession(application, { external_id: "canceled" });
    const agent = newAgent();
    for (const link of [`${url}&cancel=true`]) {
      const page = pageOf(await agent.open(link));
      expect(posted(page.text)?.result).toMatchObject({
        error: "access_denied",
        error_description: "The user canceled",
      });
    }
    const form = pageOf(await agent.open(`${url}&integration=${application.integrationId}`));
    const page = pageOf(await agent.submit(form, { decision: "cancel" }));
    expect(posted(page.text)?.result).toMatchObject({ error: "access_denied" });
    expect(await connectionsOf("canceled")).toEqual([]);
  });

  it("a session reconnects a connection at its end, which keeps its id, its user and its metadata", async () => {
    const { id } = await application.platform("POST", "/connections", {
      integration_id: application.integrationId,
      username: "old",
      password: "old",
      external_id: "again",
      metadata: { kept: true },
      settings: toySettings.ledger,
    });
    expect((await application.call(id)).status).toBe(401);
    const { url } = await application.platform("POST", "/connect-sessions", { connection_id: id });
    const agent = newAgent();
    expect(pageOf(await agent.open(url)).text).toContain("<h1>Reconnect Ledger &amp; Sons</h1>");
    expect(posted(pageOf(await agree(agent, url, basicValues)).text)?.result.connection_id).toBe(id);
    expect((await application.call(id)).status).toBe(200);
    expect(await application.platform("GET", `/connections/${id}`)).toMatchObject({
      external_id: "again",
      metadata: { kept: true },
      is_valid: true,
    });
  });

  it("a session's state is shown to pages of registered origins, and to no others", async () => {
    const { url } = await createSession(application, { integrations: ["ledger"], external_id: "status" });
    const ask = async (origin: string, address = url) => {
      const response = await fetch(address.replace("/connect?", "/connect/result?"), { headers: { origin } });
      return {
        status: response.status,
        allowed: response.headers.get("access-control-allow-origin"),
        body: (await response.json()) as any,
      };
    };
    expect(await ask("https://app.example")).toEqual({
      status: 200,
      allowed: "https://app.example",
      body: { status: "open" },
    });
    for (const origin of ["https://evil.example", "null", "https://app.example.evil.example", "http://app.example"])
      expect((await ask(origin)).allowed).toBeNull();
    expect((await ask("https://app.example", `${url}x`)).status).toBe(404);
    await agree(newAgent(), url, basicValues);
    const [{ id }] = await connectionsOf("status");
    expect((await ask("https://app.example")).body).toMatchObject({ status: "connected", connection_id: id });
  });
});

describe("a connect session with redirect_uri", () => {
  it("a session with a redirect ends with a code, with which the server gets the connection", async () => {
    const { url } = await createSession(application, {
      integrations: [oauthIntegration.id],
      external_id: "returning",
      redirect_uri: REDIRECT_URI,
      metadata: { plan: "free" },
    });
    const end = leftFor(await agree(newAgent(), url, oauthValues));
    expect(end.origin + end.pathname).toBe("https://app.example/back");
    expect([...end.searchParams.keys()]).toEqual(["kept", "code"]);
    const { status, body } = await application.redeem(end.searchParams.get("code")!);
    expect([status, body.external_id, body.integration_id]).toEqual([200, "returning", oauthIntegration.id]);
    expect((await application.platform("GET", `/connections/${body.connection_id}`)).metadata).toEqual({
      plan: "free",
    });
    expect((await application.call(body.connection_id)).status).toBe(200);
  });

  it("a session with a redirect changes a connection only when the server redeems the code", async () => {
    const { id } = await application.platform("POST", "/connections", {
      integration_id: application.integrationId,
      username: "old",
      password: "old",
      settings: toySettings.ledger,
    });
    const { url } = await application.platform("POST", "/connect-sessions", {
      connection_id: id,
      redirect_uri: REDIRECT_URI,
    });
    const end = leftFor(await agree(newAgent(), url, basicValues));
    expect((await application.call(id)).status).toBe(401);
    expect((await application.redeem(end.searchParams.get("code")!)).body.connection_id).toBe(id);
    expect((await application.call(id)).status).toBe(200);
  });

  it("a session with a redirect returns with an error when the user cancels, or its integration or connection was deleted", async () => {
    const own = await createApplication(service, ledger, "basic");
    const { id } = await own.platform("POST", "/connections", {
      integration_id: own.integrationId,
      username: "old",
      password: "old",
      settings: toySettings.ledger,
    });
    const reconnect = await own.platform("POST", "/connect-sessions", {
      connection_id: id,
      redirect_uri: REDIRECT_URI,
    });
    const { url } = await createSession(own, { redirect_uri: REDIRECT_URI });
    const errorOf = async (address: string) =>
      Object.fromEntries(leftFor(await newAgent().open(address)).searchParams) as Record<string, string>;
    expect(await errorOf(`${url}&cancel=true`)).toEqual({
      kept: "1",
      error: "access_denied",
      error_description: "The user canceled",
    });
    await own.platform("DELETE", `/connections/${id}`);
    expect((await errorOf(reconnect.url)).error_description).toBe("The connection has been deleted");
    await own.platform("DELETE", `/integrations/${own.integrationId}`);
    expect((await errorOf(url)).error_description).toBe("The integration has been deleted");
  });

  it("a session whose redirect address is no longer registered ends on an error page", async () => {
    const own = await createApplication(service, ledger, "basic");
    const { url } = await createSession(own, { redirect_uri: REDIRECT_URI });
    const agent = newAgent();
    const form = pageOf(await agent.open(url));
    await own.platform("PATCH", "/workspace", { redirect_uris: [] });
    expect(pageOf(await agent.open(url)).text).toContain("no longer registered");
    const sent = pageOf(await agent.submit(form, { decision: "continue", ...basicValues }));
    expect(sent.text).toContain("no longer registered");
    expect(pageOf(await agent.open(`${url}&cancel=true`)).text).toContain("no longer registered");
    expect(await own.platform("GET", "/connections")).toEqual([]);
  });
});

describe("the end of a connect session", () => {
  it("a session expires after 30 minutes, on every page", async () => {
    const { url } = await createSession(application, { integrations: ["quirk"], external_id: "late" });
    const agent = newAgent();
    later(29 * MINUTE);
    const form = pageOf(await agent.open(url));
    const consent = pageOf(await agent.submit(form, { decision: "continue", ...oauthValues }));
    later(2 * MINUTE);
    const end = pageOf(await agent.submit(consent, { decision: "allow" }));
    expect([end.status, end.text]).toEqual([400, expect.stringContaining("It has expired")]);
    expect(pageOf(await agent.open(url)).status).toBe(400);
    expect(pageOf(await agent.submit(form, { decision: "continue", ...oauthValues })).status).toBe(400);
    expect(await connectionsOf("late")).toEqual([]);
  });

  it("a form that is sent twice makes one connection, and both answers lead to the result", async () => {
    const { url } = await createSession(application, { integrations: ["ledger"], external_id: "twice" });
    const agent = newAgent();
    const form = pageOf(await agent.open(url));
    const both = await Promise.all([1, 2].map(() => agent.submit(form, { decision: "continue", ...basicValues })));
    for (const end of both) expect(pageOf(end).text).toContain("is connected");
    expect(await connectionsOf("twice")).toHaveLength(1);
  });
});
