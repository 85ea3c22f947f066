// Providers by one JSON document: POST, GET, PATCH and DELETE /platform/v1/providers, and what follows from a document.
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createAgent, pageOf } from "../auth/support/agent.ts";
import { createPlatform, type Platform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";
import { startUpstream, type Upstream } from "../support/upstream.ts";

let service: TestService;
/** Private addresses are refused. */
let strict: TestService;
let upstream: Upstream;
let call: Platform;
let other: Platform;
let key: string;

beforeAll(async () => {
  [service, strict, upstream] = await Promise.all([
    startService({ env: { ALLOW_PRIVATE_UPSTREAMS: "true" } }),
    startService(),
    startUpstream((request, response) => {
      response.statusCode = Number(/\/status\/(\d+)/.exec(request.url!)?.[1] ?? 200);
      response.end(JSON.stringify({ path: request.url }));
    }),
  ]);
  key = await service.createWorkspace("acme");
  call = createPlatform(service, key);
  other = createPlatform(service, await service.createWorkspace("other"));
});
afterAll(() => Promise.all([service?.close(), strict?.close(), upstream?.close()]));

const acme = (change: object = {}) => ({
  id: "acme",
  name: "Acme",
  docs_url: "https://docs.acme.test",
  categories: ["billing"],
  addresses: { api: `${upstream.url}/v1/{account}` },
  settings: { account: { label: "Account", pattern: "[a-z]+" } },
  auth: { api_key: { in: "header", name: "X-Key", label: "API key" } },
  headers: { "X-Version": "1" },
  ...change,
});

/** A provider with an integration and a connection, and how to call it. */
async function connected(id: string, change: object = {}) {
  await call("POST", "/v1/providers", acme({ id, ...change }));
  const integration = (await call("POST", "/v1/integrations", { identifier: id, type: "api_key" })).body;
  const connection = await call("POST", "/v1/connections", {
    integration_id: integration.id,
    auth_token: "made-up",
    settings: { account: "north" },
  });
  expect(connection.status, connection.text).toBe(201);
  return {
    integration: integration.id as string,
    async get(path: string) {
      const response = await fetch(`${service.url}/proxy${path}`, {
        headers: { authorization: `Bearer ${key}.${connection.body.id}` },
      });
      return { status: response.status, body: (await response.json()) as any, sent: upstream.seen.at(-1)! };
    },
  };
}

describe("a provider by one JSON document", () => {
  it("is created, listed, read, changed and deleted", async () => {
    const created = await call("POST", "/v1/providers", acme({ id: "life" }));
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      id: "life",
      name: "Acme",
      docs: "https://docs.acme.test",
      origin: "workspace",
      auth_types: ["api_key"],
      subjects: ["billing"],
      categories: [],
      operations: [],
      settings: [{ name: "account", label: "Account" }],
      document: acme({ id: "life" }),
      created_at: expect.any(String),
    });
    expect((await call("GET", "/v1/providers/life")).body).toEqual(created.body);
    const listed = (await call("GET", "/v1/providers")).body;
    expect(listed.find((one: any) => one.id === "life")).toMatchObject({ origin: "workspace", subjects: ["billing"] });

    const changed = await call("PATCH", "/v1/providers/life", { name: "Acme 2", headers: null });
    expect(changed.status).toBe(200);
    const { headers: _, ...without } = acme({ id: "life", name: "Acme 2" }) as { headers: object };
    expect(changed.body.document).toEqual(without);
    expect((await call("PATCH", "/v1/providers/life", {})).body).toEqual(changed.body);

    expect((await call("DELETE", "/v1/providers/life")).body).toEqual({ success: true });
    for (const method of ["GET", "DELETE"]) expect((await call(method, "/v1/providers/life")).status).toBe(404);
    expect((await call("PATCH", "/v1/providers/life", {})).status).toBe(404);
  });

  it("built-in providers can be read, and not changed", async () => {
    const { body } = await call("GET", "/v1/providers/github");
    expect(body).toMatchObject({ id: "github", origin: "built_in", document: null, created_at: null });
    for (const [method, change] of [["PATCH", {}], ["DELETE"]] as const)
      expect((await call(method, "/v1/providers/github", change)).body.message).toBe(
        "Conflict: GitHub is built in: it cannot be changed",
      );
  });

  it("an id that is taken is a conflict, whoever has it", async () => {
    await call("POST", "/v1/providers", acme({ id: "taken" }));
    const again = await call("POST", "/v1/providers", acme({ id: "taken", name: "Another" }));
    expect([again.status, again.body.message]).toEqual([
      409,
      "Conflict: the workspace has a provider taken: change it, or give this one another id",
    ]);
    const builtIn = await call("POST", "/v1/providers", acme({ id: "slack" }));
    expect([builtIn.status, builtIn.body.message]).toEqual([409, "Conflict: Slack is built in: give yours another id"]);
  });

  it("is the workspace's own: another does not see it, cannot use it, and may have its own of the same id", async () => {
    const { get } = await connected("own");
    expect((await other("GET", "/v1/providers/own")).status).toBe(404);
    expect((await other("DELETE", "/v1/providers/own")).status).toBe(404);
    const refused = await other("POST", "/v1/integrations", { identifier: "own", type: "api_key" });
    expect(refused.body.errors.identifier[0]).toContain("Unknown provider: own");
    const theirs = acme({ id: "own", addresses: { api: "https://elsewhere.test" }, settings: undefined });
    expect((await other("POST", "/v1/providers", theirs)).status).toBe(201);
    expect((await get("/items")).body.path).toBe("/v1/north/items");
    await other("PATCH", "/v1/providers/own", { addresses: { api: "https://moved.test" } });
    expect((await get("/items")).body.path).toBe("/v1/north/items");
  });

  it("serves the Proxy with the key, the headers and the settings as declared, and a cached connection runs no database statement", async () => {
    const { get } = await connected("called");
    await get("/items");
    const { store, requestLog } = service.parts;
    await requestLog.flush();
    // The request log is written later, in batches, and does not count.
    const write = vi.spyOn(store.requestLog, "write").mockResolvedValue();
    const before = store.statements;
    const { status, sent } = await get("/items?page=2");
    expect(store.statements - before).toBe(0);
    write.mockRestore();
    expect([status, sent.url]).toEqual([200, "/v1/north/items?page=2"]);
    expect(sent.headers).toMatchObject({ "x-key": "made-up", "x-version": "1" });
    expect(sent.headers.authorization).toBeUndefined();
  });

  it("a change of addresses or auth takes effect with the next call, and connections stay", async () => {
    const { get } = await connected("moving");
    expect((await get("/a")).body.path).toBe("/v1/north/a");
    await call("PATCH", "/v1/providers/moving", {
      addresses: { api: `${upstream.url}/v2/{account}` },
      auth: { api_key: { in: "query", name: "key", label: "API key" } },
    });
    const { sent } = await get("/a");
    expect(sent.url).toBe("/v2/north/a?key=made-up");
    expect(sent.headers["x-key"]).toBeUndefined();
  });

  it("a setting that connections lack since a change makes them ask for a new connection, and nothing else fails", async () => {
    const { get } = await connected("grown");
    const added = await call("PATCH", "/v1/providers/grown", {
      addresses: { api: `${upstream.url}/{region}/{account}` },
      settings: { ...acme().settings, region: { label: "Region", choices: ["eu", "us"] } },
    });
    expect(added.status, added.text).toBe(200);
    expect(await get("/a")).toMatchObject({ status: 400, body: { code: "connection_refresh_failed" } });
  });

  it("says which values a setting can have, and not how it is confined", async () => {
    const { integration } = await connected("choosy", {
      settings: { ...acme().settings, region: { label: "Region", choices: ["eu", "us"], optional: true } },
      headers: { "X-Region": "{region}" },
    });
    const body = { integration_id: integration, auth_token: "made-up", settings: { account: "N/1", region: "moon" } };
    expect((await call("POST", "/v1/connections", body)).body.errors.settings).toEqual([
      "account: Must be: Account; must match [a-z]+ and fit into a path",
      "region: Must be one of eu, us",
    ]);
  });

  it.each([
    [400, "password"],
    [401, "password"],
    [404, "integration_id"],
    [500, "integration_id"],
    [200, "integration_id"],
  ])("a token request that is answered with %i is a problem of %s", async (status, field) => {
    const id = `answers-${status}`;
    const request = { method: "POST", path: `/status/${status}`, body: { password: "{password}" } };
    const two_step = { request, token: "/token", password: "Password" };
    await call("POST", "/v1/providers", acme({ id, auth: { two_step } }));
    const integration = (await call("POST", "/v1/integrations", { identifier: id, type: "two_step" })).body;
    const refused = await call("POST", "/v1/connections", {
      integration_id: integration.id,
      password: "made-up",
      settings: { account: "north" },
    });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, [field]]);
    expect(refused.body.errors[field][0]).toContain("No token could be issued");
  });

  it("is not deleted while integrations use it, and is afterwards", async () => {
    const { integration } = await connected("used");
    const second = await call("POST", "/v1/integrations", { identifier: "used", type: "api_key", name: "second" });
    const refused = await call("DELETE", "/v1/providers/used");
    expect([refused.status, refused.body.message]).toEqual([409, "Conflict: 2 integrations use it: delete them first"]);
    await call("DELETE", `/v1/integrations/${second.body.id}`);
    expect((await call("DELETE", "/v1/providers/used")).body.message).toContain("1 integration uses it");
    expect((await call("GET", "/v1/providers/used")).status).toBe(200);
    await call("DELETE", `/v1/integrations/${integration}`);
    expect((await call("DELETE", "/v1/providers/used")).status).toBe(200);
  });

  it("keeps a way to authenticate that integrations use, and loses one that none uses", async () => {
    const { integration, get } = await connected("kept", { auth: { ...acme().auth, none: {} } });
    for (const query of ["", "?dry_run=true"]) {
      const refused = await call("PATCH", `/v1/providers/kept${query}`, { auth: { none: {} } });
      expect([refused.status, refused.body.message]).toEqual([
        409,
        "Conflict: 1 integration uses auth.api_key: delete them first",
      ]);
    }
    expect((await get("/items")).sent.headers["x-key"]).toBe("made-up");
    expect((await call("PATCH", "/v1/providers/kept", { auth: acme().auth })).status).toBe(200);
    await call("DELETE", `/v1/integrations/${integration}`);
    expect((await call("PATCH", "/v1/providers/kept", { auth: { none: {} } })).status).toBe(200);
  });

  it("sends no credential of an integration whose type it no longer has, and takes no new one", async () => {
    const { integration, get } = await connected("lost");
    const { store, coordination } = service.parts;
    const { workspace_id } = (await store.integrations.byId(integration))!;
    const stored = (await store.providers.get(workspace_id, "lost"))!;
    const { status: before } = await get("/items");
    await store.providers.replace(stored, JSON.stringify({ ...JSON.parse(stored.document), auth: { none: {} } }));
    await coordination.invalidate("provider", "lost");
    const calls = upstream.seen.length;
    const { status, body } = await get("/items");
    expect([before, status, body.code, upstream.seen.length]).toEqual([200, 400, "integration_not_found", calls]);
    const refused = await call("POST", "/v1/connections", {
      integration_id: integration,
      auth_token: "made-up",
      settings: { account: "north" },
    });
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      { integration_id: ["Acme no longer has its type api_key: create another integration"] },
    ]);
  });

  it("an integration cannot get a type that is removed at the same time", async () => {
    const { providers } = service.parts.store;
    for (const [id, method] of [
      ["race-new", "POST"],
      ["race-changed", "PATCH"],
    ] as const) {
      await call("POST", "/v1/providers", acme({ id, auth: { ...acme().auth, none: {} } }));
      const other = (await call("POST", "/v1/integrations", { identifier: id, type: "none" })).body;
      // What the request reads first is replaced before it has the next answer.
      const name = method === "POST" ? "list" : "get";
      const read = providers[name] as (...ids: string[]) => Promise<never>;
      vi.spyOn(providers, name).mockImplementationOnce(async (...ids: string[]) => {
        const before = await read(...ids);
        expect((await call("PATCH", `/v1/providers/${id}`, { auth: { none: {} } })).status).toBe(200);
        return before;
      });
      const refused =
        method === "POST"
          ? await call("POST", "/v1/integrations", { identifier: id, type: "api_key", name: "second" })
          : await call("PATCH", `/v1/integrations/${other.id}`, { type: "api_key" });
      vi.restoreAllMocks();
      expect([refused.status, refused.body.message]).toEqual([
        409,
        "Conflict: the provider was changed or deleted at the same time: try again",
      ]);
    }
  });

  it("an integration cannot be created for a provider that is deleted at the same time", async () => {
    for (let attempt = 0; attempt < 5; attempt++) {
      const id = `race-${attempt}`;
      await call("POST", "/v1/providers", acme({ id }));
      const [deleted, created] = await Promise.all([
        call("DELETE", `/v1/providers/${id}`),
        call("POST", "/v1/integrations", { identifier: id, type: "api_key" }),
      ]);
      expect([deleted.status < 300, created.status < 300].filter(Boolean)).toHaveLength(1);
    }
  });

  it("of two changes at the same time, none is lost without an error", async () => {
    await call("POST", "/v1/providers", acme({ id: "raced" }));
    const answers = await Promise.all([
      call("PATCH", "/v1/providers/raced", { name: "One" }),
      call("PATCH", "/v1/providers/raced", { docs_url: "https://two.test" }),
    ]);
    const { document } = (await call("GET", "/v1/providers/raced")).body;
    expect(document.name === "One").toBe(answers[0]!.status === 200);
    expect(document.docs_url === "https://two.test").toBe(answers[1]!.status === 200);
  });

  it("has no emulator, so that the sandbox is refused", async () => {
    await call("POST", "/v1/providers", acme({ id: "real" }));
    const body = { identifier: "real", type: "api_key", base_url: "sandbox" };
    expect((await call("POST", "/v1/integrations", body)).body.errors.base_url[0]).toContain("does not emulate");
  });
});

describe("a setting that is a whole host", () => {
  const host = () =>
    acme({
      id: "hosted",
      addresses: { api: "https://{host}/v1" },
      settings: { host: { label: "Host", pattern: ".+" } },
    });

  it.each(["127.0.0.1", "localhost", "10.1.2.3:8080", "169.254.169.254"])(
    "a user cannot give %s, by the Platform API or by the form",
    async (value) => {
      const ownKey = await strict.createWorkspace(`host ${value}`);
      const own = createPlatform(strict, ownKey);
      await own("POST", "/v1/providers", host());
      const { id } = (await own("POST", "/v1/integrations", { identifier: "hosted", type: "api_key" })).body;
      const refused = await own("POST", "/v1/connections", {
        integration_id: id,
        auth_token: "made-up",
        settings: { host: value },
      });
      expect([refused.status, refused.body.errors.settings[0]]).toEqual([
        400,
        expect.stringContaining("host: Must not be a private address"),
      ]);

      const redirect_uri = "https://app.example/back";
      const { client_id } = (await own("PATCH", "/v1/workspace", { redirect_uris: [redirect_uri] })).body;
      const agent = createAgent(strict.url);
      const query = new URLSearchParams({ client_id, integration_id: id, redirect_uri });
      const start = pageOf(await agent.open(`${strict.config.urls.auth}/authorize?${query}`));
      const page = pageOf(await agent.submit(start, { decision: "continue", "setting-host": value, key: "made-up" }));
      expect([page.status, page.text.includes("This address must not be called")]).toEqual([400, true]);
    },
  );
});

describe("a bad document", () => {
  it("is refused with every problem and its field, and nothing is stored", async () => {
    const { status, body } = await call("POST", "/v1/providers", {
      id: "Bad Id",
      docs_url: "ftp://x",
      addresses: { api: "https://{nowhere}.test" },
      auth: { api_key: { in: "cookie" } },
      extra: 1,
    });
    expect(status).toBe(400);
    expect(Object.keys(body.errors).sort()).toEqual(["auth", "docs_url", "extra", "id", "name"]);
    expect(body.errors.name).toEqual(["Is required"]);
    expect(body.errors.auth).toContain("api_key.label: Is required");
    expect((await call("GET", "/v1/providers/Bad%20Id")).status).toBe(404);
  });

  it("a change that makes it bad is refused, and it stays as it was", async () => {
    await call("POST", "/v1/providers", acme({ id: "stays" }));
    for (const [change, field] of [
      [{ settings: null }, "addresses"],
      [{ name: null }, "name"],
      [{ id: "another" }, "id"],
      [{ auth: {} }, "auth"],
      [{ hedaers: null }, "hedaers"],
    ] as const) {
      const { status, body } = await call("PATCH", "/v1/providers/stays", change);
      expect([status, Object.keys(body.errors)]).toEqual([400, [field]]);
    }
    expect((await call("GET", "/v1/providers/stays")).body.document).toEqual(acme({ id: "stays" }));
  });

  it.each([65 * 1024, 600 * 1024, 10 * 1024 * 1024])("of %i bytes is refused with 413", async (bytes) => {
    const { status, body } = await call("POST", "/v1/providers", acme({ id: "large", notes: ["x".repeat(bytes)] }));
    expect([status, body.message]).toEqual([413, "Body too large: a document can have 64 kB"]);
  });

  it.each([
    ["a private address", { addresses: { api: "http://10.0.0.1/v1" } }, "addresses"],
    ["an address of the machine itself", { addresses: { api: "http://localhost:6379" } }, "addresses"],
    [
      "a private address with a setting in its path",
      { addresses: { api: "http://169.254.169.254/{account}" } },
      "addresses",
    ],
    [
      "a private token address",
      { addresses: { api: "https://api.acme.test", token: "http://[::1]/token" } },
      "addresses",
    ],
    ["a port that a setting decides", { addresses: { api: "https://api.acme.test:{account}" } }, "addresses"],
    ["a pattern that takes forever", { settings: { account: { label: "A", pattern: "(a+)+" } } }, "settings"],
    ["a huge pattern", { settings: { account: { label: "A", pattern: "a".repeat(1000) } } }, "settings"],
    ["a name of the language", { id: "constructor" }, "id"],
  ])("with %s is refused, and the field is named", async (_, change, field) => {
    const hostile = createPlatform(strict, strict.apiKey);
    const base = acme({ id: "hostile", addresses: { api: "https://api.acme.test/{account}" } });
    const { status, body } = await hostile("POST", "/v1/providers", { ...base, ...change });
    expect([status, Object.keys(body.errors)]).toEqual([400, [field]]);
  });

  it("with keys of the prototype is refused as JSON, and changes nothing", async () => {
    const text = `{"id":"proto","__proto__":{"name":"x"},"constructor":{"prototype":{"polluted":1}}}`;
    expect((await call("POST", "/v1/providers", text)).status).toBe(400);
    expect(({} as any).polluted).toBeUndefined();
  });

  it.each(["null", "[]", '"acme"', "1", "{", ""])("that is %s is refused", async (text) => {
    expect((await call("POST", "/v1/providers", text)).status).toBe(400);
  });
});
