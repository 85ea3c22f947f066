import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config/index.ts";
import { authTypes } from "../../src/contracts/manifest.ts";
import type { Provider } from "../../src/contracts/provider.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { emulators } from "../../src/providers/sandboxes.gen.ts";
import { createHostPolicy } from "../../src/server/allowed-origins.ts";
import { freePort } from "../support/postgres.ts";
import { rawRequest } from "../support/raw-request.ts";
import { injectFault } from "../support/sandbox.ts";
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
import { ledger, quirk, toyCatalogue, toySettings } from "./support/toy-providers.ts";

let service: TestService;
let toys: TestService;
beforeAll(async () => {
  [service, toys] = await Promise.all([startService(), startService({ catalogue: toyCatalogue })]);
});
afterAll(() => Promise.all([service.close(), toys.close()]));

// A sign-in that has to be discovered first is tested in test/mcp/any-server.test.ts.
const emulated = providers.filter(({ manifest }) => emulators[manifest.id] && !manifest.mcpOnly);
const cases = [
  ...emulated.map((provider) => ({ provider, from: () => service })),
  ...[ledger, quirk].map((provider) => ({ provider, from: () => toys })),
].flatMap(({ provider, from }) => authTypes(provider.manifest).map((type) => ({ provider, type, from })));

/** The first provider of each way to authenticate, with and without settings: for what does not depend on the provider. */
const firstOfEach = new Set(
  new Map(
    cases.toReversed().map((one) => [`${one.type} ${one.provider.manifest.settings !== undefined}`, one]),
  ).values(),
);

/** What the form shows as an example of each setting, which a newcomer to the sandbox types. */
const examples = ({ manifest }: Provider): Record<string, string> =>
  Object.fromEntries(
    Object.entries(manifest.settings ?? {}).flatMap(([name, { placeholder }]) =>
      placeholder ? [[name, placeholder]] : [],
    ),
  );

describe.each(
  cases.map((one) => ({ ...one, isFirst: firstOfEach.has(one), name: `${one.provider.manifest.id} with ${one.type}` })),
)("$name", ({ name, provider, type, from, isFirst }) => {
  const { id } = provider.manifest;
  let application: Application;
  let values: Record<string, string>;
  beforeAll(async () => {
    application = await createApplication(from(), provider, type);
    values = validValues(provider, type, { ...toySettings[id], ...examples(provider) });
  });

  it(`${name}: /authorize leads to a connection that the Unified API can use`, async () => {
    const agent = createAgent(from().url);
    const url = application.authorizeUrl({ external_id: "user 7", state: "a b&c=d" });
    const end = leftFor(await agree(agent, url, values));
    expect(end.origin + end.pathname).toBe("https://app.example/back");
    expect(Object.fromEntries(end.searchParams)).toEqual({
      kept: "1",
      code: expect.stringMatching(/^[\w-]{43}$/),
      state: "a b&c=d",
    });
    const redeemed = await application.redeem(end.searchParams.get("code")!);
    expect(redeemed).toEqual({
      status: 200,
      body: {
        connection_id: expect.stringMatching(/^conn_\w{24}$/),
        external_id: "user 7",
        integration_id: application.integrationId,
      },
    });
    const called = await application.call(redeemed.body.connection_id);
    expect(called).toMatchObject({ status: 200, body: { response: { data: expect.any(Array) } } });
    expect(called.body.response.data).toHaveLength(2);
    const record = await application.platform("GET", `/connections/${redeemed.body.connection_id}`);
    expect(record).toMatchObject({ is_valid: true, integration_identifier: id, refreshed_at: null });
  });

  if (!isFirst) return;

  it(`${name}: reconnecting keeps the id of the connection`, async () => {
    const first = await connectAccount(application, { external_id: "user 8" }, values);
    await from().parts.store.connections.update(first.connection_id, {
      credentials: { token: "revoked" },
      is_valid: false,
      invalid_reason: "invalid_grant",
      expires_at: "2020-01-01T00:00:00.000Z",
    });
    await from().parts.coordination.invalidate("connection", first.connection_id);
    expect((await application.call(first.connection_id)).status).not.toBe(200);
    const again = await connectAccount(application, { connection_id: first.connection_id }, values);
    expect(again).toEqual(first);
    expect((await application.call(first.connection_id)).status).toBe(200);
    expect(await application.platform("GET", `/connections/${first.connection_id}`)).toMatchObject({
      is_valid: true,
      external_id: "user 8",
      refreshed_at: expect.any(String),
    });
  });

  it(`${name}: canceling returns to the application with access_denied`, async () => {
    const agent = createAgent(from().url);
    const page = pageOf(await agent.open(application.authorizeUrl({ state: "s" })));
    const end = leftFor(await agent.submit(page, { decision: "cancel" }));
    expect(Object.fromEntries(end.searchParams)).toEqual({
      kept: "1",
      error: "access_denied",
      error_description: expect.any(String),
      state: "s",
    });
  });
});

const consenting = cases.filter(({ type }) => type === "oauth2");

describe.each(consenting.map((one) => ({ ...one, name: one.provider.manifest.id })))(
  "consent at $name",
  ({ provider, from }) => {
    const { id } = provider.manifest;
    const values = () => validValues(provider, "oauth2", toySettings[id] ?? emulators[id]?.settings);

    it(`denied consent at ${id} returns to the application with the provider's error`, async () => {
      const application = await createApplication(from(), provider, "oauth2");
      const agent = createAgent(from().url);
      const start = pageOf(await agent.open(application.authorizeUrl({ state: "s" })));
      const consent = pageOf(await agent.submit(start, { decision: "continue", ...values() }));
      const end = leftFor(await agent.submit(consent, { decision: "deny" }));
      expect(Object.fromEntries(end.searchParams)).toEqual({
        kept: "1",
        error: "access_denied",
        error_description: "The user denied access",
        state: "s",
      });
    });

    it(`consent at ${id} with a wrong client secret creates no connection and shows no secret`, async () => {
      const application = await createApplication(from(), provider, "oauth2", {
        integration: { client_secret: "wrong 8f4e2b" },
      });
      const end = leftFor(await agree(createAgent(from().url), application.authorizeUrl(), values()));
      expect(end.searchParams.get("error")).toBe("server_error");
      expect(end.searchParams.get("error_description")).toMatch(/token endpoint answered \d+/);
      expect(end.href).not.toContain("8f4e2b");
      expect(await application.platform("GET", "/connections")).toEqual([]);
    });

    it(`consent at ${id} is revoked when the connection is deleted`, async () => {
      const application = await createApplication(from(), provider, "oauth2");
      const { connection_id } = await connectAccount(application, {}, values());
      const stored = (await from().parts.store.connections.load(connection_id))?.connection;
      await application.platform("DELETE", `/connections/${connection_id}`);
      expect((await application.call(connection_id)).status).toBe(404);
      if (!provider.manifest.auth.oauth2!.revoke) return;
      // The token itself is revoked, too.
      const { integration_id: _, ...imported } = await application.platform("POST", "/connections", {
        integration_id: application.integrationId,
        auth_token: stored!.credentials.token,
        settings: knownSettings(provider, stored!.settings),
      });
      expect((await application.call(imported.id)).status).toBe(401);
    });
  },
);

const knownSettings = ({ manifest }: Provider, settings: Record<string, string>) =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => manifest.settings?.[name]));

describe("settings of an account", () => {
  it("the settings of an account come from the form, the token answer and a look-up, and are stored", async () => {
    const application = await createApplication(toys, quirk, "oauth2");
    const { connection_id } = await connectAccount(application, {}, { "setting-tenant": "acme" });
    const found = await toys.parts.store.connections.load(connection_id);
    expect(found?.connection.settings).toEqual({ tenant: "acme", region: "eu", cloud: "c7" });
  });

  it.each(["", "UPPER", "evil.example/", "acme.evil.example#", "a\r\nb", "acme@evil", "x".repeat(600)])(
    "the setting %j is refused before it becomes part of an address",
    async (tenant) => {
      const application = await createApplication(toys, quirk, "oauth2");
      const agent = createAgent(toys.url);
      const page = pageOf(await agent.open(application.authorizeUrl()));
      const again = pageOf(await agent.submit(page, { decision: "continue", "setting-tenant": tenant }));
      expect(again.status).toBe(400);
      expect(again.text).toContain('aria-invalid="true"');
      expect(again.text).toContain('href="#setting-tenant"');
    },
  );
});

it.each(["com.example.app:/back", "com.example.app://back?kept=1", "http://localhost:3000"])(
  "the connect flow returns to any registered address: %s",
  async (redirect_uri) => {
    const { provider, type, from } = cases.find((one) => one.type === "api_key")!;
    const application = await createApplication(from(), provider, type, { redirectUris: [redirect_uri] });
    const agent = createAgent(from().url);
    const start = pageOf(await agent.open(application.authorizeUrl({ redirect_uri })));
    // A browser follows the redirect only if the page's policy allows it.
    expect(start.headers.get("content-security-policy")).toContain(new URL(redirect_uri).protocol);
    const values = validValues(provider, type, emulators[provider.manifest.id]?.settings);
    const end = leftFor(await agent.submit(start, { decision: "continue", ...values }));
    expect(end.href.startsWith(redirect_uri)).toBe(true);
    expect((await application.redeem(end.searchParams.get("code")!, redirect_uri)).status).toBe(200);
  },
);

it("the Auth API works at the root of its own host", async () => {
  const port = await freePort();
  const own = await startService({ env: { PORT: String(port), AUTH_URL: `http://localhost:${port}` } });
  const { provider } = consenting[0]!;
  const application = await createApplication(own, provider, "oauth2");
  const user = createAgent(`http://localhost:${port}`);
  const start = pageOf(await user.open(application.authorizeUrl()));
  const style = /rel="stylesheet" href="([^"]*)"/.exec(start.text)![1]!;
  expect((await user.ask(style)).headers.get("content-type")).toContain("text/css");
  // The emulated provider is on another host.
  const consent = leftFor(await user.submit(start, { decision: "continue" }));
  const there = createAgent(consent.origin);
  const back = leftFor(await there.submit(pageOf(await there.open(consent)), { decision: "allow" }));
  expect(back.origin + back.pathname).toBe(`http://localhost:${port}/callback`);
  const end = leftFor(await user.open(back));
  const redeemed = await fetch(`http://localhost:${port}/connection`, {
    method: "POST",
    headers: { authorization: `Bearer ${application.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ code: end.searchParams.get("code"), redirect_uri: REDIRECT_URI }),
  });
  expect(redeemed.status).toBe(200);
  await own.close();
});

describe("the page under another name of the host", () => {
  const open = async (own: TestService, host: string, query: string) => {
    const { port } = new URL(own.url);
    const text = `GET /auth/authorize?${query} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    const answer = await rawRequest(Number(port), text);
    const header = (name: string) => new RegExp(`^${name}: (.*)\r$`, "im").exec(answer)?.[1];
    return { status: answer.split(" ")[1], location: header("location"), cookie: header("set-cookie") };
  };

  it("localhost in place of 127.0.0.1 is redirected before the cookie is set, which the callback would not get", async () => {
    const { port } = new URL(service.url);
    const query = new URL((await createApplication(service, consenting[0]!.provider, "oauth2")).authorizeUrl()).search;
    const first = await open(service, `localhost:${port}`, query.slice(1));
    expect([first.status, first.cookie]).toEqual(["302", undefined]);
    const location = new URL(first.location!);
    expect(location.href.startsWith(`${service.config.urls.auth}/authorize${query}`)).toBe(true);
    const second = await open(service, location.host, location.search.slice(1));
    expect([second.status, second.cookie]).toEqual(["200", expect.stringContaining("plugboard-connect=")]);
  });

  it("any other host is redirected to AUTH_URL, but only once, in case a reverse proxy changes the host", async () => {
    const own = await startService({ env: { AUTH_URL: "https://connect.example/auth" } });
    const first = await open(own, "internal.example", "a=1");
    expect([first.status, first.location]).toEqual([
      "302",
      "https://connect.example/auth/authorize?a=1&redirected=true",
    ]);
    expect((await open(own, "internal.example", "a=1&redirected=true")).status).toBe("400");
    for (const host of ["connect.example", "CONNECT.example:443"])
      expect([host, (await open(own, host, "a=1")).status]).toEqual([host, "400"]);
    await own.close();
  });

  it("without AUTH_URL the address for other machines is not known, and they are not redirected", () => {
    const isOtherHost = createHostPolicy(readConfig({ HOST: "0.0.0.0", SANDBOX: "off" }));
    expect(isOtherHost("localhost:8080")).toBe(true);
    for (const host of ["192.168.1.5:8080", "localhost:9000", "127.0.0.1:8080", "plugboard.example"])
      expect([host, isOtherHost(host)]).toEqual([host, false]);
  });
});

describe("the authorization request", () => {
  it("the authorization and token requests follow the manifest's deviations from the standard", async () => {
    const application = await createApplication(toys, quirk, "oauth2", { integration: { scopes: ["a", "b c"] } });
    const seen: any[] = [];
    const stop = toys.sandbox.onExchange(({ request }) => seen.push(request));
    await connectAccount(application, {}, { "setting-tenant": "acme" });
    stop();
    const [asked, , token] = seen;
    expect(Object.fromEntries(asked.query)).toEqual({
      access_type: "offline",
      user_scope: "a,b c",
      response_type: "code",
      client_id: "a client",
      redirect_uri: `${toys.config.urls.auth}/callback`,
      state: expect.stringMatching(/^[\w-]{32}\.[\w-]{43}$/),
    });
    expect(token.body).toEqual({
      audience: "api",
      grant_type: "authorization_code",
      code: expect.any(String),
      redirect_uri: `${toys.config.urls.auth}/callback`,
    });
    expect(token.headers.authorization).toMatch(/^Basic /);
  });

  it("the authorization request carries a PKCE challenge with S256, unless the provider refuses PKCE", async () => {
    for (const { provider } of consenting.filter(({ from }) => from() === service)) {
      const application = await createApplication(service, provider, "oauth2");
      const seen: any[] = [];
      const stop = service.sandbox.onExchange(({ request }) => seen.push(request));
      await connectAccount(application, {}, validValues(provider, "oauth2", emulators[provider.manifest.id]?.settings));
      stop();
      const [asked] = seen;
      const token = seen.find(({ body }) => body?.grant_type === "authorization_code");
      const wanted = provider.manifest.auth.oauth2!.pkce !== false;
      expect(asked.query.get("code_challenge_method")).toBe(wanted ? "S256" : null);
      expect(token.body.code_verifier !== undefined).toBe(wanted);
    }
  });
});

describe("the credentials form", () => {
  it("a form with a wrong password is shown again with the provider's reason and without the password", async () => {
    const application = await createApplication(toys, ledger, "basic");
    const agent = createAgent(toys.url);
    const page = pageOf(await agent.open(application.authorizeUrl()));
    expect(page.text).toContain("Ledger &amp; Sons");
    const values = { ...validValues(ledger, "basic", toySettings.ledger), password: "mistyped-7f3a" };
    const again = pageOf(await agent.submit(page, { decision: "continue", ...values }));
    expect(again.status).toBe(400);
    expect(again.text).toContain("refused: That password is wrong");
    expect(again.text).toContain('value="acme"');
    expect(again.text).toContain('value="user@example.com"');
    expect(again.text).not.toContain("mistyped-7f3a");
    expect(toys.logs()).not.toContain("mistyped-7f3a");
    const end = await agent.submit(again, {
      decision: "continue",
      ...validValues(ledger, "basic", toySettings.ledger),
    });
    expect(leftFor(end).searchParams.get("code")).toBeTruthy();
  });

  it("a form says so when the provider is unavailable, and can be submitted again later", async () => {
    const application = await createApplication(toys, ledger, "basic");
    const agent = createAgent(toys.url);
    const page = pageOf(await agent.open(application.authorizeUrl()));
    const values = { decision: "continue", ...validValues(ledger, "basic", toySettings.ledger) };
    await injectFault(toys, { provider: "ledger", drop: true, times: 2 });
    const again = pageOf(await agent.submit(page, values));
    expect(again.status).toBe(502);
    expect(again.text).toContain("is temporarily unavailable. Please try again.");
    expect(leftFor(await agent.submit(again, values)).searchParams.get("code")).toBeTruthy();
  });

  it("a form that is submitted three times creates one connection, and each answer has a valid code", async () => {
    const application = await createApplication(toys, ledger, "basic");
    const agent = createAgent(toys.url);
    const page = pageOf(await agent.open(application.authorizeUrl()));
    const values = { decision: "continue", ...validValues(ledger, "basic", toySettings.ledger) };
    const ends = await Promise.all([1, 2, 3].map(() => agent.submit(page, values)));
    const codes = ends.map((end) => leftFor(end).searchParams.get("code")!);
    expect(new Set(codes).size).toBe(3);
    const redeemed = await Promise.all(codes.map((code) => application.redeem(code)));
    const connections = await application.platform("GET", "/connections");
    expect(connections).toHaveLength(1);
    expect(redeemed.map(({ body }) => body.connection_id)).toEqual(codes.map(() => connections[0].id));
  });
});

describe("POST /connection", () => {
  const post = (headers: Record<string, string>, body: string) =>
    fetch(`${service.url}/auth/connection`, { method: "POST", headers, body }).then(async (response) => ({
      status: response.status,
      body: await response.json(),
    }));

  it("POST /connection answers with the errors of the Auth API", async () => {
    const json = { "content-type": "application/json" };
    const key = { authorization: `Bearer ${service.apiKey}` };
    const notAuthorized = { status: 401, body: { success: false, message: "Not authorized" } };
    expect(await post(json, "{}")).toEqual(notAuthorized);
    expect(await post({ ...json, authorization: "Bearer sk_none" }, "{}")).toEqual(notAuthorized);
    expect(await post({ ...json, ...key }, "{}")).toEqual({
      status: 400,
      body: {
        success: false,
        message: "Invalid request",
        errors: { code: [expect.stringContaining("Required")], redirect_uri: [expect.stringContaining("Required")] },
      },
    });
    for (const body of ["", "{", "[]", "null", '"code"', "code=1"])
      expect(await post({ ...json, ...key }, body)).toMatchObject({
        status: 400,
        body: { success: false, message: "Invalid request", errors: expect.any(Object) },
      });
    expect(await post({ "content-type": "text/csv", ...key }, "a")).toMatchObject({ status: 400 });
    expect((await fetch(`${service.url}/auth/nothing`)).status).toBe(404);
  });

  it("POST /connection gives the same answer for every invalid code", async () => {
    const application = await createApplication(toys, ledger, "basic");
    const stranger = await createApplication(toys, ledger, "basic");
    const agent = createAgent(toys.url);
    const values = validValues(ledger, "basic", toySettings.ledger);
    const newCode = async () =>
      leftFor(await agree(agent, application.authorizeUrl(), values)).searchParams.get("code")!;
    const used = await newCode();
    const { body } = await application.redeem(used);
    const link = application.authorizeUrl({ connection_id: body.connection_id });
    const deleted = leftFor(await agree(agent, link, values)).searchParams.get("code")!;
    await application.platform("DELETE", `/connections/${body.connection_id}`);
    const answers = [
      await application.redeem("made up"),
      await application.redeem(used),
      await application.redeem(deleted),
      await application.redeem(await newCode(), `${REDIRECT_URI}#`),
      await stranger.redeem(await newCode()),
    ];
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toMatchObject({ status: 400, body: { errors: { code: [expect.any(String)] } } });
  });
});
