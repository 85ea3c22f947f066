import { randomBytes } from "node:crypto";
import Fastify from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSandbox } from "../../../sandbox/index.ts";
import crm from "../crm.ts";
import attio from "../manifest.ts";
import emulator from "./index.ts";

const sandbox = createSandbox({
  providers: [{ manifest: attio, categories: [crm] }],
  emulators: { attio: emulator },
  secret: randomBytes(32),
});
const key = sandbox.credentials("attio", "api_key").credentials.token!;
const server = Fastify();
let root: string;

beforeAll(async () => {
  await server.register(sandbox.plugin);
  root = await server.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(() => server.close());

async function call(method: string, path: string, body?: unknown, token = key) {
  const response = await fetch(`${root}/attio${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined };
}
const query = (body: object, object = "people") => call("POST", `/v2/objects/${object}/records/query`, body);
const OLDEST_FIRST = [{ attribute: "created_at", direction: "asc" }];

describe("the emulated API", () => {
  test.each(["people", "companies", "deals"])(
    "a query returns up to 500 %s, oldest first if requested",
    async (object) => {
      const { data } = (await query({ sorts: OLDEST_FIRST }, object)).body;
      expect(data.length).toBeGreaterThan(250);
      const times = data.map(({ created_at }: any) => created_at);
      expect(times).toEqual([...times].sort());
      expect(new Set(data.map(({ id }: any) => id.record_id)).size).toBe(data.length);
      expect((await query({ sorts: OLDEST_FIRST, limit: 3, offset: 5 }, object)).body.data).toEqual(data.slice(5, 8));
      expect((await query({ limit: 3, offset: 5_000 }, object)).body.data).toEqual([]);
    },
  );

  test("the data includes people without a name, without an email address and with several", async () => {
    const { data } = (await query({})).body;
    const some = (is: (values: any) => boolean) => expect(data.some(({ values }: any) => is(values))).toBe(true);
    some(({ name, email_addresses }) => name.length === 0 && email_addresses.length === 1);
    some(({ name, email_addresses }) => name.length === 0 && email_addresses.length === 0);
    some(({ name }) => name[0]?.full_name === "");
    some(({ email_addresses }) => email_addresses.length === 2);
  });

  test.each([
    [{ limit: 501 }, 400],
    [{ limit: 0 }, 400],
    [{ limit: "x" }, 400],
    [{ offset: -1 }, 400],
    [{ filter: { unheard_of: 1 } }, 400],
    [{ sorts: [{ attribute: "unheard_of", direction: "asc" }] }, 400],
  ])("a query with %j is refused with Attio's error body", async (body, status) => {
    const refused = await query(body);
    expect(refused.status).toBe(status);
    expect(refused.body).toEqual({
      status_code: status,
      type: "invalid_request_error",
      code: expect.any(String),
      message: expect.any(String),
    });
  });

  test("a query for an unknown object is refused with 404", async () => {
    expect((await query({}, "unheard_of")).body).toMatchObject({ status_code: 404, code: "not_found" });
  });

  test("a 429 names the date at which the limit ends", async () => {
    await fetch(`${root}/_faults`, { method: "POST", body: JSON.stringify({ provider: "attio", status: 429 }) });
    const { status, headers, body } = await query({});
    expect([status, body.code]).toEqual([429, "rate_limit_exceeded"]);
    expect(new Date(headers.get("retry-after")!).toUTCString()).toBe(headers.get("retry-after"));
  });
});

describe("the emulated tokens", () => {
  test("/v2/self identifies a valid token and reports an invalid one with status 200", async () => {
    expect((await call("GET", "/v2/self")).body).toMatchObject({ active: true, iss: "attio.com", exp: null });
    const unknown = await call("GET", "/v2/self", undefined, "unknown");
    expect([unknown.status, unknown.body]).toEqual([200, { active: false }]);
    const refused = await call("POST", "/v2/objects/people/records/query", {}, "unknown");
    expect([refused.status, refused.body.type]).toEqual([401, "auth_error"]);
  });

  test("a token revoked by header or body is inactive afterwards", async () => {
    for (const form of [true, false]) {
      const token = sandbox.credentials("attio", "oauth2").credentials.token!;
      const response = await fetch(`${root}/attio/oauth/revoke`, {
        method: "POST",
        ...(form ? { body: new URLSearchParams({ token }) } : { headers: { authorization: `Bearer ${token}` } }),
      });
      expect(response.status).toBe(204);
      expect((await call("GET", "/v2/self", undefined, token)).body).toEqual({ active: false });
    }
    expect((await fetch(`${root}/attio/oauth/revoke`, { method: "POST" })).status).toBe(400);
  });
});
