// The Unified surface's own rules: order of checks, error bodies, causes of 404, rate limit, look-ups, caches.
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { operations } from "../../src/categories/index.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { startService, type TestService } from "../support/service.ts";
import { newWorkspace } from "../support/workspace.ts";

let service: TestService;
let provider: string;
/** A list without path parameters that the provider serves. */
const simple = operations.find((operation) => operation.id === "git.listRepositories")!;

beforeAll(async () => {
  service = await startService({ env: { UNIFIED_RATE_LIMIT: "100000/60" } });
  provider = providers.find(({ categories }) => categories.some(({ category }) => category === "git"))!.manifest.id;
});
afterAll(() => service.close());

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${service.url}/unified${path}`, {
    headers: {
      authorization: `Bearer ${service.apiKey}`,
      "svc-connection-id": service.connections[provider]!,
      ...headers,
    },
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}

const platform = (method: string, path: string, body?: unknown, key = service.apiKey) =>
  fetch(`${service.url}/platform/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body ? { "content-type": "application/json" } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  }).then(async (response) => ({ status: response.status, body: (await response.json()) as any }));

describe("order of checks", () => {
  it("names a bad key before bad input, and bad input before a bad connection", async () => {
    const wrong = { authorization: "Bearer sk_unknown", "svc-connection-id": "conn_unknown" };
    expect((await get(`${simple.route}?limit=0`, wrong)).status).toBe(401);
    const { authorization: _, ...unknownConnection } = wrong;
    expect((await get(`${simple.route}?limit=0`, unknownConnection)).status).toBe(400);
    expect((await get(simple.route, unknownConnection)).status).toBe(404);
  });

  it("lists every problem at once, each with its place", async () => {
    const { status, body } = await get(`${simple.route}?limit=101&include_raw=yes&params=nonsense`, {
      "svc-max-retries": "-1",
      "svc-include-raw": "perhaps",
    });
    expect(status).toBe(400);
    expect(body.success).toBe(false);
    expect(body.errors.map(({ path }: any) => path.join("/")).sort()).toEqual([
      "headers/SVC-Include-Raw",
      "headers/SVC-Max-Retries",
      "query/include_raw",
      "query/limit",
      "query/params",
    ]);
    for (const error of body.errors) expect([error.code, error.message]).toEqual([7001, "Input Validation Error"]);
  });

  it("asks for the connection's header by its name", async () => {
    const response = await fetch(`${service.url}/unified${simple.route}`, {
      headers: { authorization: `Bearer ${service.apiKey}` },
    });
    expect(response.status).toBe(400);
    expect(((await response.json()) as any).errors[0].path).toEqual(["headers", "SVC-Connection-ID"]);
  });

  it.each(["0", "101", "-5", "1.5", "abc", "", "1&limit=2", "NaN", "Infinity", "9".repeat(400)])(
    "refuses limit=%s",
    async (limit) => {
      const { status, body } = await get(`${simple.route}?limit=${limit}`);
      expect([status, body.errors[0].path]).toEqual([400, ["query", "limit"]]);
    },
  );

  it.each(["[]", "1", "null", '"text"', "{", "{}x", "true"])("refuses params=%s", async (params) => {
    const { status, body } = await get(`${simple.route}?params=${encodeURIComponent(params)}`);
    expect([status, body.errors[0].path]).toEqual([400, ["query", "params"]]);
  });

  it("takes more than five retries for five, and ignores parameters that it does not know", async () => {
    expect((await get(`${simple.route}?limit=1&whatever=1`, { "svc-max-retries": "99" })).status).toBe(200);
  });

  it("ignores a trailing slash, takes headers and schemes in any case, and names each request", async () => {
    const answered = await get(`${simple.route}/?limit=1`, { authorization: `bearer ${service.apiKey}` });
    expect(answered.status).toBe(200);
    expect(answered.headers.get("x-request-id")).toBeTruthy();
  });

  it("answers 404/7002 for paths and methods that do not exist, and 401 first", async () => {
    for (const path of ["/v1/nothing", "/v1/git", "/", "/v2/git/repos"])
      expect(await get(path)).toMatchObject({
        status: 404,
        body: { success: false, errors: [{ code: 7002, message: "Not Found" }] },
      });
    const post = await fetch(`${service.url}/unified${simple.route}`, {
      method: "POST",
      headers: { authorization: `Bearer ${service.apiKey}` },
    });
    expect(post.status).toBe(404);
    expect((await get("/v1/nothing", { authorization: "" })).status).toBe(401);
  });
});

describe("404/7002", () => {
  let other: string;
  beforeAll(async () => {
    other = await newWorkspace(service, "other");
  });

  it("for a connection that does not exist, or is another workspace's", async () => {
    const strangers: Record<string, string>[] = [
      { "svc-connection-id": "conn_doesnotexist" },
      { authorization: `Bearer ${other}` },
    ];
    for (const headers of strangers)
      expect(await get(simple.route, headers)).toMatchObject({ status: 404, body: { errors: [{ code: 7002 }] } });
  });

  it("for an operation that the provider does not have", async () => {
    expect(await get("/v1/crm/contacts")).toMatchObject({ status: 404, body: { errors: [{ code: 7002 }] } });
  });

  it("for a token that can no longer be renewed, and for an integration that was deleted", async () => {
    const integration = await platform(
      "POST",
      "/integrations",
      { identifier: provider, type: "oauth2", client_id: "a", client_secret: "b", base_url: "sandbox" },
      other,
    );
    expect(integration.status).toBe(201);
    const expired = await platform(
      "POST",
      "/connections",
      { integration_id: integration.body.id, auth_token: "made-up", refresh_token: "made-up", expires_in: 60 },
      other,
    );
    const living = await platform(
      "POST",
      "/connections",
      { integration_id: integration.body.id, auth_token: "made-up" },
      other,
    );
    const as = (connection: { body: any }) => ({
      authorization: `Bearer ${other}`,
      "svc-connection-id": connection.body.id,
    });
    await service.parts.store.connections.update(expired.body.id, { expires_at: "2020-01-01T00:00:00.000Z" });
    const before = await get(simple.route, as(expired));
    expect(before).toMatchObject({ status: 404, body: { errors: [{ code: 7002 }] } });
    expect(before.body.errors[0].detail).toMatch(/connect again/);
    expect((await platform("GET", `/connections/${expired.body.id}`, undefined, other)).body.is_valid).toBe(false);

    expect((await get(simple.route, as(living))).status).toBe(401);
    await platform("DELETE", `/integrations/${integration.body.id}`, undefined, other);
    const after = await get(simple.route, as(living));
    expect(after).toMatchObject({ status: 404, body: { errors: [{ code: 7002 }] } });
    expect(after.body.errors[0].detail).toMatch(/integration was deleted/);
  });

  it("for a connection right after it was deleted", async () => {
    const integration = await platform(
      "POST",
      "/integrations",
      { identifier: provider, type: "api_key", base_url: "sandbox" },
      other,
    );
    const connection = await platform(
      "POST",
      "/connections",
      { integration_id: integration.body.id, auth_token: "sandbox-key" },
      other,
    );
    const headers = { authorization: `Bearer ${other}`, "svc-connection-id": connection.body.id };
    expect((await get(`${simple.route}?limit=1`, headers)).status).toBe(200);
    await platform("DELETE", `/connections/${connection.body.id}`, undefined, other);
    expect((await get(`${simple.route}?limit=1`, headers)).status).toBe(404);
  });
});

describe("a repository by its bare name", () => {
  it("is looked up once, then remembered", async () => {
    const all = (await get(`${simple.route}?limit=100`)).body.response.data;
    const { name, full_name } = all.find((one: any) => all.filter(({ name }: any) => name === one.name).length === 1);
    const full = await get(`/v1/git/repos/${encodeURIComponent(full_name)}/tags?limit=3`);
    const bare = await get(`/v1/git/repos/${name}/tags?limit=3`);
    expect(bare.body.response.data).toEqual(full.body.response.data);
    await fetch(`${service.url}/sandbox/_requests`, { method: "DELETE" });
    await get(`/v1/git/repos/${name}/tags?limit=3`);
    expect(await (await fetch(`${service.url}/sandbox/_requests?provider=${provider}`)).json()).toHaveLength(1);
  });

  it("is refused with the candidates where several have it, and not found where none has", async () => {
    const twin = await get("/v1/git/repos/twin/tags");
    expect([twin.status, twin.body.errors[0].path]).toEqual([400, ["params", "repo"]]);
    expect(twin.body.errors[0].detail).toMatch(/acme\/twin, umbrella\/twin/);
    expect((await get("/v1/git/repos/no-such-repository/tags")).status).toBe(404);
  });
});

it("needs no database query on a warm call", async () => {
  const { store, requestLog } = service.parts;
  await get(`${simple.route}?limit=1`);
  await requestLog.flush();
  // The request log is written behind the calls, in batches, at a moment of its own: it is left out of the count.
  const append = vi.spyOn(store.requestLog, "append").mockResolvedValue();
  const before = store.statements;
  for (let call = 0; call < 20; call++) expect((await get(`${simple.route}?limit=1`)).status).toBe(200);
  expect(store.statements - before).toBe(0);
  append.mockRestore();
});

it("answers 429/1001 over the connection's limit, with Retry-After, and leaves other connections alone", async () => {
  const strict = await startService({ env: { UNIFIED_RATE_LIMIT: "5/60" } });
  const call = (connection: string) =>
    fetch(`${strict.url}/unified${simple.route}?limit=1`, {
      headers: { authorization: `Bearer ${strict.apiKey}`, "svc-connection-id": connection },
    });
  const first = strict.connections[provider]!;
  const answers = await Promise.all(Array.from({ length: 12 }, () => call(first)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  const refused = answers.find(({ status }) => status === 429)!;
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({
    success: false,
    errors: [{ code: 1001, message: "Too Many Requests" }],
  });
  const others = Object.values(strict.connections).filter((id) => id !== first);
  for (const connection of others.slice(0, 1)) expect((await call(connection)).status).not.toBe(429);
  await strict.close();
});
