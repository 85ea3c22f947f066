import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Plugboard } from "../../sdk/src/index.ts";
import { createPlatform, type Platform } from "../support/platform.ts";
import { testDatabase } from "../support/postgres.ts";
import { startService, type TestService } from "../support/service.ts";

/** Postgres, if there is one: the keys of most other tests are in SQLite. */
const database = await testDatabase();
const env: Record<string, string> = database ? { DATABASE_URL: database.url } : {};
afterAll(() => database?.drop());

describe("API keys", () => {
  let service: TestService;
  let call: Platform;

  beforeAll(async () => {
    service = await startService({ env });
    call = createPlatform(service, service.apiKey);
  });
  afterAll(() => service?.close());

  const create = async (body: object) => (await call("POST", "/v1/api-keys", body)).body;

  it("have the permissions that they are created with", async () => {
    const expires_at = "2099-01-31T12:00:00.000Z";
    const connection_ids = [service.connections.github];
    const wanted = { name: "agent", scopes: ["mcp", "unified:read"], expires_at, external_id: "u1", connection_ids };
    const { id, ...created } = await create(wanted);
    expect(created).toMatchObject({ ...wanted, last_used_at: null });
    const listed = (await call("GET", "/v1/api-keys?limit=100")).body;
    expect(listed.find((key: { id: string }) => key.id === id)).toMatchObject(wanted);
  });

  it.each([
    [{ scopes: ["connections:delete"] }, "scopes"],
    [{ scopes: [] }, "scopes"],
    [{ scopes: "*" }, "scopes"],
    [{ expires_at: "tomorrow" }, "expires_at"],
    [{ expires_at: "2020-01-01" }, "expires_at"],
    [{ expires_at: "2099-02-29" }, "expires_at"],
    [{ expires_at: "2099-02-30T12:00:00Z" }, "expires_at"],
    [{ expires_at: "2099-12-31T23:59:60Z" }, "expires_at"],
    [{ connection_ids: [] }, "connection_ids"],
    [{ connection_ids: ["conn_none"] }, "connection_ids"],
    [{ external_id: "" }, "external_id"],
    [{ scope: ["*"] }, "scope"],
  ])("are not created with %j", async (body, field) => {
    const answer = await call("POST", "/v1/api-keys", body);
    expect(answer).toMatchObject({ status: 400, body: { errors: { [field]: [expect.any(String)] } } });
  });

  it("cannot create stronger ones, nor any without keys:write", async () => {
    const limited = createPlatform(service, (await create({ scopes: ["keys:write", "logs:read"] })).api_key);
    expect(await limited("POST", "/v1/api-keys", {})).toMatchObject({
      status: 403,
      body: { success: false, message: expect.stringContaining("scopes: it does not have * itself") },
    });
    expect((await limited("POST", "/v1/api-keys", { scopes: ["logs:write"] })).status).toBe(403);
    expect((await limited("POST", "/v1/api-keys", { scopes: ["logs:read", "keys:read"] })).status).toBe(201);
    const reader = createPlatform(service, (await create({ scopes: ["keys:read"] })).api_key);
    expect((await reader("POST", "/v1/api-keys", { scopes: ["keys:read"] })).status).toBe(403);
    const bound = createPlatform(service, (await create({ external_id: "u1" })).api_key);
    expect((await bound("POST", "/v1/api-keys", {})).status).toBe(403);
    expect((await bound("POST", "/v1/api-keys", { external_id: "u1" })).status).toBe(201);
    const ending = createPlatform(service, (await create({ expires_at: "2099-01-01" })).api_key);
    expect((await ending("POST", "/v1/api-keys", {})).status).toBe(403);
    expect((await ending("POST", "/v1/api-keys", { expires_at: "2098-01-01" })).status).toBe(201);
  });

  it("are refused from the moment on at which they expire", async () => {
    const { api_key } = await create({ expires_at: new Date(Date.now() + 1_500).toISOString() });
    const short = createPlatform(service, api_key);
    expect((await short("GET", "/v1/workspace")).status).toBe(200);
    await sleep(1_600);
    expect(await short("GET", "/v1/workspace")).toMatchObject({ status: 401, body: { message: "Not authorized" } });
    const unified = await fetch(`${service.url}/unified/v1/me`, { headers: { authorization: `Bearer ${api_key}` } });
    expect(unified.status).toBe(401);
    expect(await unified.json()).toMatchObject({ errors: [{ code: 1000, detail: "the API key has expired" }] });
  });

  it("are an error of the SDK that names the missing scope", async () => {
    const { api_key } = await create({ scopes: ["logs:read"] });
    const client = new Plugboard({ apiKey: api_key, baseUrl: service.url });
    const connection = client.connection(service.connections.github!);
    await expect(connection.me()).rejects.toMatchObject({ name: "PermissionError", scope: "unified:read", code: 1003 });
    await expect(client.platform.connections.list()).rejects.toMatchObject({ scope: "connections:read", status: 403 });
  });
});

it("a key's last use is written when the service stops, at the latest, and never with a call", async ({ skip }) => {
  if (!database) skip("two services in turn share a Postgres database");
  const first = await startService({ env });
  const call = createPlatform(first, first.apiKey);
  const { api_key, id } = (await call("POST", "/v1/api-keys", { name: "used" })).body;
  const headers = { authorization: `Bearer ${api_key}`, "svc-connection-id": first.connections.github! };
  const use = async () => expect((await fetch(`${first.url}/unified/v1/me`, { headers })).status).toBe(200);
  await use();
  const before = first.store.statements;
  for (let count = 0; count < 50; count++) await use();
  // What runs beside the calls, such as the request log, needs some: not one for each call.
  expect(first.store.statements).toBeLessThan(before + 50);
  const at = Date.now();
  await first.close();
  const second = await startService({ env });
  const listed = (await createPlatform(second, second.apiKey)("GET", "/v1/api-keys?limit=100")).body;
  const { last_used_at } = listed.find((key: { id: string }) => key.id === id);
  expect(Math.abs(Date.parse(last_used_at) - at)).toBeLessThan(60_000);
  await second.close();
});
