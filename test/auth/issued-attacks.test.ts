// What users and providers try with tokens that are issued, settings of the integration, and keys in addresses.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ProviderDocument } from "../../src/provider-document/schema.ts";
import { ecKey, rsaKey } from "../support/keys.ts";
import { createPlatform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";
import { startUpstream, type Upstream } from "../support/upstream.ts";
import { createAgent, leftFor, pageOf } from "./support/agent.ts";
import { type Application, connectAccount, createApplication } from "./support/application.ts";
import { toProvider } from "./support/issued-providers.ts";
import { createSession } from "./support/session.ts";

const KEY = "123456:AAA-made-up/key+x";
const ENCODED = encodeURIComponent(KEY);

const document = (id: string, more: Partial<ProviderDocument>): ProviderDocument => ({
  id,
  name: `Target ${id}`,
  docs_url: "https://docs.example",
  addresses: { api: `https://${id}.example/v1`, token: `https://${id}.example/token` },
  auth: { none: {} },
  ...more,
});

const tenanted = toProvider({
  document: document("tenanted", {
    addresses: { api: "https://{host}/v1", token: "https://{host}/token" },
    auth: { client_credentials: {} },
    settings: { host: { label: "Host", pattern: "[a-z0-9.:-]+", set_by: "integration" } },
    headers: { "X-Host": "{host}" },
  }),
});
const signed = toProvider({
  document: document("signed", {
    auth: { jwt: { algorithm: "RS256", claims: {}, lifetime: 300, exchange: {}, label: "Private key" } },
  }),
});
const pathKey = toProvider({
  document: document("pathkey", { auth: { api_key: { in: "path", prefix: "bot", label: "Token" } } }),
});

let service: TestService;
let upstream: Upstream;
let evil: Upstream;
beforeAll(async () => {
  upstream = await startUpstream();
  evil = await startUpstream();
  service = await startService({
    env: { ALLOW_PRIVATE_UPSTREAMS: "true", RATE_LIMIT: "10000/60" },
    catalogue: { providers: [tenanted, signed, pathKey], emulators: {} },
  });
});
afterAll(async () => {
  await service?.close();
  await upstream?.close();
  await evil?.close();
});
beforeEach(() => {
  upstream.seen.length = 0;
  evil.seen.length = 0;
  upstream.answer((_, response) => json(response, 200, { access_token: "issued", expires_in: 3600 }));
});

function json(response: Parameters<Parameters<Upstream["answer"]>[0]>[1], status: number, body: unknown, headers = {}) {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

describe("a setting of the integration", () => {
  let application: Application;
  const login = { username: "client-1", password: "made-up-secret" };
  beforeAll(async () => {
    application = await createApplication(service, tenanted, "client_credentials", {
      integration: { base_url: upstream.url, settings: { host: "ours.example" } },
    });
  });
  const evilHost = () => new URL(evil.url).host;

  it("cannot be set with the form, nor in a connect session", async () => {
    const values = { ...login, "setting-host": evilHost(), host: evilHost(), settings: evilHost() };
    const { connection_id } = await connectAccount(application, {}, values);
    const agent = createAgent(service.url);
    const { url } = await createSession(application, {});
    const page = pageOf(await agent.open(url));
    expect(page.text).not.toContain("Host");
    expect(pageOf(await agent.submit(page, { decision: "continue", ...values })).text).toContain("is connected");
    const all = await application.platform("GET", "/connections");
    for (const { settings } of all) expect(settings).toEqual({});
    await fetch(`${service.url}/proxy/x`, {
      headers: { authorization: `Bearer ${application.apiKey}`, "svc-connection-id": connection_id },
    });
    expect(upstream.seen.at(-1)!.headers["x-host"]).toBe("ours.example");
    expect(evil.seen).toEqual([]);
  });

  it("cannot be set with the Platform API by a connection", async () => {
    const call = createPlatform(service, application.apiKey);
    const body = { integration_id: application.integrationId, ...login, settings: { host: evilHost() } };
    const answer = await call("POST", "/v1/connections", body);
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: { settings: [expect.stringContaining("host: Set by")] } },
    });
    expect(upstream.seen).toEqual([]);
  });

  it("wins over what an earlier version may have stored with the connection", async () => {
    const { connection_id } = await connectAccount(application, {}, login);
    await service.store.connections.update(connection_id, { settings: { host: evilHost() } });
    await service.parts.coordination.invalidate("connection", connection_id);
    await fetch(`${service.url}/proxy/x`, {
      headers: { authorization: `Bearer ${application.apiKey}`, "svc-connection-id": connection_id },
    });
    expect(upstream.seen.at(-1)!.headers["x-host"]).toBe("ours.example");
  });

  it("is missing, unknown, wrong, or a private address: the integration is refused", async () => {
    const guarded = await startService({ catalogue: { providers: [tenanted], emulators: {} } });
    try {
      const call = createPlatform(guarded, await guarded.createWorkspace("guarded"));
      const create = (settings: unknown) =>
        call("POST", "/v1/integrations", { identifier: "tenanted", type: "client_credentials", settings });
      for (const settings of [
        {},
        { host: "a/b" },
        { host: "a@b" },
        { host: "x", other: "y" },
        { host: 5 },
        { host: "127.0.0.1" },
        { host: "169.254.169.254" },
        { host: "localhost:8080" },
      ]) {
        const answer = await create(settings);
        expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([400, ["settings"]]);
      }
    } finally {
      await guarded.close();
    }
  });
});

describe("a private key", () => {
  let application: Application;
  beforeAll(async () => {
    application = await createApplication(service, signed, "jwt", { integration: { base_url: upstream.url } });
  });

  async function submit(secret: string) {
    const agent = createAgent(service.url);
    const start = pageOf(await agent.open(application.authorizeUrl()));
    return agent.submit(start, { decision: "continue", secret });
  }

  it.each([
    ["text", "not a key", "from -----BEGIN to -----END"],
    ["a key of another type", ecKey, "This is not an RSA key"],
    ["half of a key", rsaKey.slice(0, 400), "not a private key in PEM format"],
    ["a public key", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----", "from -----BEGIN to -----END"],
    ["nothing", "  ", "This field is required"],
    ["10 kB more than any key", rsaKey + " x".repeat(10_000), "too long"],
  ])("%s is refused next to its field, nothing is sent, and it is not in the page", async (_, secret, message) => {
    const page = pageOf(await submit(secret));
    expect(page.status).toBe(400);
    expect(page.text).toMatch(/<textarea id="secret"[^>]*aria-invalid="true"/s);
    expect(page.text).toContain(message);
    expect(page.text).not.toContain(secret.trim().slice(30, 80) || "\u0000");
    expect(upstream.seen).toEqual([]);
  });

  it.each([
    ["line breaks of a browser", rsaKey.replaceAll("\n", "\r\n")],
    ["line breaks written as in JSON", rsaKey.trim().replaceAll("\n", "\\n")],
    ["spaces around it", `\n  ${rsaKey}  \n`],
  ])("with %s is accepted", async (_, secret) => {
    expect(leftFor(await submit(secret)).searchParams.has("code")).toBe(true);
  });

  it("is named as the wrong field by the Platform API", async () => {
    const call = createPlatform(service, application.apiKey);
    const body = { integration_id: application.integrationId };
    for (const [more, fields] of [
      [{ auth_token: ecKey }, ["auth_token"]],
      [{}, ["auth_token"]],
      [{ auth_token: rsaKey, username: "x" }, ["username"]],
    ] as const) {
      const answer = await call("POST", "/v1/connections", { ...body, ...more });
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, fields]);
      expect(answer.text).not.toContain("BEGIN");
    }
    expect(upstream.seen).toEqual([]);
  });

  it("is not quoted when the token endpoint quotes the request", async () => {
    upstream.answer(async (request, response) => {
      let text = "";
      for await (const chunk of request) text += chunk;
      json(response, 400, {
        error: "invalid_grant",
        error_description: `bad ${new URLSearchParams(text).get("assertion")}`,
      });
    });
    const page = pageOf(await submit(rsaKey));
    expect(page.status).toBe(400);
    expect(page.text).toContain("invalid_grant: bad ***");
    expect(page.text + service.logs()).not.toMatch(/eyJ[\w-]{10}/);
  });

  it("is sent nowhere else when the token endpoint redirects", async () => {
    upstream.answer((_, response) => response.writeHead(307, { location: `${evil.url}/token` }).end());
    expect(pageOf(await submit(rsaKey)).status).toBe(502);
    expect(evil.seen).toEqual([]);
    expect(upstream.seen).toHaveLength(1);
  });

  it.each([
    ["10 MB", { access_token: "a".repeat(10_000_000) }],
    ["a header in the token", { access_token: "a\r\nX-Evil: 1" }],
    ["a list", [{ access_token: "a" }]],
    ["an object in place of the token", { access_token: { a: 1 } }],
  ])("a token response with %s connects nothing", async (_, body) => {
    upstream.answer((_, response) => json(response, 200, body));
    expect(pageOf(await submit(rsaKey)).status).toBe(502);
  });
});

describe("a key in the address", () => {
  let application: Application;
  let id: string;
  beforeAll(async () => {
    application = await createApplication(service, pathKey, "api_key", { integration: { base_url: upstream.url } });
    const call = createPlatform(service, application.apiKey);
    const body = { integration_id: application.integrationId, auth_token: KEY };
    id = (await call("POST", "/v1/connections", body)).body.id;
  });

  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${service.url}/proxy${path}`, {
      redirect: "manual",
      ...init,
      headers: { authorization: `Bearer ${application.apiKey}`, "svc-connection-id": id, ...init.headers },
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  /** Every form in which somebody could read it. */
  function expectNoKey(text: string): void {
    for (const form of [
      KEY,
      ENCODED,
      ENCODED.toLowerCase(),
      "123456:AAA",
      "123456%3AAAA",
      JSON.stringify(KEY).slice(1, -1),
    ])
      expect(text).not.toContain(form);
  }

  it("reaches the provider in its segment, whatever it contains, and a path cannot leave it", async () => {
    expect((await ask("/getMe?a=1")).status).toBe(200);
    expect(upstream.seen.map(({ url }) => url)).toEqual([`/v1/bot${ENCODED}/getMe?a=1`]);
    for (const path of ["/../x", "/%2e%2e/x", "//evil.example/x"]) await ask(path);
    for (const { url } of upstream.seen) expect(url).toContain(`/v1/bot${ENCODED}/`);
  });

  it("is not in what the provider quotes: in JSON, in text, in headers, in redirects, in errors", async () => {
    const forms = (url: string) => ({
      url: `${upstream.url}${url}`,
      decoded: decodeURIComponent(url),
      inText: `see https://pathkey.example${url} and ${KEY}`,
      escaped: "ESCAPED",
    });
    for (const status of [200, 302, 404, 500])
      for (const type of ["application/json", "text/html", "text/event-stream"]) {
        upstream.answer(({ url = "" }, response) => {
          const body = JSON.stringify(forms(url)).replace("ESCAPED", url.replaceAll("/", "\\/"));
          response.writeHead(status, {
            "content-type": type,
            location: `${upstream.url}${url}/next`,
            link: `<${upstream.url}${url}?page=2>; rel="next"`,
            "x-quoted": KEY,
          });
          // In pieces that cut the key.
          response.write(body.slice(0, 60));
          setTimeout(() => response.end(body.slice(60)), 5);
        });
        const answer = await ask("/files/1");
        expect(answer.status).toBe(status);
        expectNoKey(answer.text + JSON.stringify([...answer.headers]));
        expect(answer.text).toContain("[redacted]");
        expect(answer.headers.get("location")).toBe(`${service.url}/proxy/files/1/next`);
        if (type === "application/json") expect(JSON.parse(answer.text).url).toBe(`${service.url}/proxy/files/1`);
      }
  });

  it("is not in a compressed response, which cannot be read", async () => {
    upstream.answer(({ headers }, response) => {
      expect(headers["accept-encoding"]).toBe("identity");
      response.writeHead(200, { "content-encoding": "gzip" }).end(KEY);
    });
    const answer = await ask("/files/1", { headers: { "accept-encoding": "gzip" } });
    expect(answer.status).toBe(502);
    expectNoKey(answer.text);
  });

  it("is in no log, and not in what the request log keeps of a failure", async () => {
    upstream.answer(({ url }, response) => json(response, 404, { message: `no ${url} for ${KEY}` }));
    await ask("/missing");
    await service.parts.requestLog.flush();
    const entries = await application.platform("GET", `/logs?connection_id=${id}&limit=100`);
    expect(entries.length).toBeGreaterThan(0);
    for (const { id: entry } of entries) {
      const whole = await application.platform("GET", `/logs/${entry}`);
      expectNoKey(JSON.stringify(whole));
      if (whole.upstream[0]) expect(whole.upstream[0].path).toMatch(/^\/v1\/\[redacted\]\//);
    }
    expectNoKey(service.logs());
    expectNoKey(JSON.stringify(await application.platform("GET", `/connections/${id}`)));
  });

  it("a file of the provider passes with its length", async () => {
    upstream.answer((_, response) =>
      response.writeHead(200, { "content-type": "image/png", "content-length": 3 }).end("png"),
    );
    const answer = await ask("/picture");
    expect([answer.headers.get("content-length"), answer.text]).toEqual(["3", "png"]);
  });
});
