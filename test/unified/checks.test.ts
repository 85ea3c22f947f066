// The rules of the Unified API itself: order of checks, error bodies, causes of 404, rate limit, look-ups, caches.
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { operations } from "../../src/categories/index.ts";
import { createStrictPlatform, type StrictPlatform } from "../support/platform.ts";
import { clearFaults, injectFault, requestsDuring } from "../support/sandbox.ts";
import { startService, type TestService } from "../support/service.ts";

let service: TestService;
const provider = "github";
/** A list without path parameters that the provider serves. */
const simple = operations.find((operation) => operation.id === "git.listRepositories")!;

beforeAll(async () => {
  service = await startService({ env: { UNIFIED_RATE_LIMIT: "100000/60" } });
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

describe("input of a request", () => {
  it("an unknown key is reported before invalid input, and invalid input before an unknown connection", async () => {
    const wrong = { authorization: "Bearer sk_unknown", "svc-connection-id": "conn_unknown" };
    expect((await get(`${simple.route}?limit=0`, wrong)).status).toBe(401);
    const { authorization: _, ...unknownConnection } = wrong;
    expect((await get(`${simple.route}?limit=0`, unknownConnection)).status).toBe(400);
    expect((await get(simple.route, unknownConnection)).status).toBe(404);
  });

  it("all invalid input is reported together, each error with its path", async () => {
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

  it("a missing connection header is reported by name", async () => {
    const response = await fetch(`${service.url}/unified${simple.route}`, {
      headers: { authorization: `Bearer ${service.apiKey}` },
    });
    expect(response.status).toBe(400);
    expect(((await response.json()) as any).errors[0].path).toEqual(["headers", "SVC-Connection-ID"]);
  });

  it.each(["0", "101", "-5", "1.5", "abc", "", "1&limit=2", "NaN", "Infinity", "9".repeat(400)])(
    "?limit=%s is refused",
    async (limit) => {
      const { status, body } = await get(`${simple.route}?limit=${limit}`);
      expect([status, body.errors[0].path]).toEqual([400, ["query", "limit"]]);
    },
  );

  it.each(["[]", "1", "null", '"text"', "{", "{}x", "true"])("?params=%s is refused", async (params) => {
    const { status, body } = await get(`${simple.route}?params=${encodeURIComponent(params)}`);
    expect([status, body.errors[0].path]).toEqual([400, ["query", "params"]]);
  });

  it.each([5, true, null, ["hello"], { text: "hello" }])(
    "a message whose text is %j is refused instead of being converted and sent",
    async (text) => {
      const seen = await requestsDuring(service, "slack", async () => {
        const response = await fetch(`${service.url}/unified/v1/chat/channels/C010000000/message`, {
          method: "POST",
          headers: {
            authorization: `Bearer ${service.apiKey}`,
            "svc-connection-id": service.connections.slack!,
            "content-type": "application/json",
          },
          body: JSON.stringify({ text }),
        });
        const { errors } = (await response.json()) as any;
        expect([response.status, errors]).toEqual([
          400,
          [{ code: 7001, message: "Input Validation Error", path: ["body", "text"], detail: "must be string" }],
        ]);
      });
      expect(seen).toEqual([]);
    },
  );

  it("a call is retried at most five times, even if Max-Retries says more", async () => {
    await injectFault(service, { provider, status: 503, retry_after: 0, times: 10 });
    const seen = await requestsDuring(service, provider, async () => {
      expect((await get(`${simple.route}?limit=1`, { "svc-max-retries": "99" })).status).toBe(503);
    });
    await clearFaults(service);
    expect(seen).toHaveLength(6);
  });

  it("unknown query parameters are ignored", async () => {
    expect((await get(`${simple.route}?limit=1&whatever=1`)).status).toBe(200);
  });

  it("a trailing slash and the case of the scheme do not matter, and the answer has a request id", async () => {
    const answered = await get(`${simple.route}/?limit=1`, { authorization: `bearer ${service.apiKey}` });
    expect(answered.status).toBe(200);
    expect(answered.headers.get("x-request-id")).toBeTruthy();
  });

  it("unknown paths and methods get 404/7002, and without a key 401", async () => {
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

describe("connections that cannot be used", () => {
  let other: string;
  let platform: StrictPlatform;
  beforeAll(async () => {
    other = await service.createWorkspace("other");
    platform = createStrictPlatform(service, other);
  });

  it("a connection that does not exist or belongs to another workspace gets 404/7002", async () => {
    const headersOfStrangers: Record<string, string>[] = [
      { "svc-connection-id": "conn_doesnotexist" },
      { authorization: `Bearer ${other}` },
    ];
    for (const headers of headersOfStrangers)
      expect(await get(simple.route, headers)).toMatchObject({ status: 404, body: { errors: [{ code: 7002 }] } });
  });

  it("an operation that the provider does not have gets 404/7002", async () => {
    expect(await get("/v1/crm/contacts")).toMatchObject({ status: 404, body: { errors: [{ code: 7002 }] } });
  });

  it("a refresh that is refused and a deleted integration both get 404/7002", async () => {
    const integration = await platform("POST", "/integrations", {
      identifier: provider,
      type: "oauth2",
      client_id: "a",
      client_secret: "b",
      base_url: "sandbox",
    });
    const expired = await platform("POST", "/connections", {
      integration_id: integration.id,
      auth_token: "made-up",
      refresh_token: "made-up",
      expires_in: 60,
    });
    const refused = await platform("POST", "/connections", { integration_id: integration.id, auth_token: "made-up" });
    const over = (connection: { id: string }) => ({
      authorization: `Bearer ${other}`,
      "svc-connection-id": connection.id,
    });
    await service.parts.store.connections.update(expired.id, { expires_at: "2020-01-01T00:00:00.000Z" });
    const before = await get(simple.route, over(expired));
    expect(before).toMatchObject({ status: 404, body: { errors: [{ code: 7002 }] } });
    expect(before.body.errors[0].detail).toMatch(/connect again/);
    expect((await platform("GET", `/connections/${expired.id}`)).is_valid).toBe(false);

    expect((await get(simple.route, over(refused))).status).toBe(401);
    await platform("DELETE", `/integrations/${integration.id}`);
    const after = await get(simple.route, over(refused));
    expect(after).toMatchObject({ status: 404, body: { errors: [{ code: 7002 }] } });
    expect(after.body.errors[0].detail).toMatch(/integration was deleted/);
  });

  it("a connection gets 404 right after it was deleted", async () => {
    const { id: integration_id } = await platform("POST", "/integrations", {
      identifier: provider,
      type: "api_key",
      base_url: "sandbox",
    });
    const { id } = await platform("POST", "/connections", { integration_id, auth_token: "sandbox-key" });
    const headers = { authorization: `Bearer ${other}`, "svc-connection-id": id };
    expect((await get(`${simple.route}?limit=1`, headers)).status).toBe(200);
    await platform("DELETE", `/connections/${id}`);
    expect((await get(`${simple.route}?limit=1`, headers)).status).toBe(404);
  });
});

describe("a repository by its bare name", () => {
  it("the bare name of a repository is looked up once and then cached", async () => {
    const all = (await get(`${simple.route}?limit=100`)).body.response.data;
    const { name, full_name } = all.find((one: any) => all.filter(({ name }: any) => name === one.name).length === 1);
    const full = await get(`/v1/git/repos/${encodeURIComponent(full_name)}/tags?limit=3`);
    const bare = await get(`/v1/git/repos/${name}/tags?limit=3`);
    expect(bare.body.response.data).toEqual(full.body.response.data);
    expect(await requestsDuring(service, provider, () => get(`/v1/git/repos/${name}/tags?limit=3`))).toHaveLength(1);
  });

  it("the bare name of several repositories is refused with the candidates, and one of none gets 404", async () => {
    const twin = await get("/v1/git/repos/twin/tags");
    expect([twin.status, twin.body.errors[0].path]).toEqual([400, ["params", "repo"]]);
    expect(twin.body.errors[0].detail).toMatch(/acme\/twin, umbrella\/twin/);
    expect((await get("/v1/git/repos/no-such-repository/tags")).status).toBe(404);
  });
});

it("a call whose key and connection are cached runs no database statement", async () => {
  const { store, requestLog } = service.parts;
  await get(`${simple.route}?limit=1`);
  await requestLog.flush();
  // The request log is written later, in batches, and does not count.
  const write = vi.spyOn(store.requestLog, "write").mockResolvedValue();
  const before = store.statements;
  for (let call = 0; call < 20; call++) expect((await get(`${simple.route}?limit=1`)).status).toBe(200);
  expect(store.statements - before).toBe(0);
  write.mockRestore();
});

it("calls over the limit get 429/1001 with Retry-After, and other connections are not affected", async () => {
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
