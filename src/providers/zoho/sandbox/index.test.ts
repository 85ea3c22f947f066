import { randomBytes } from "node:crypto";
import Fastify from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSandbox } from "../../../sandbox/index.ts";
import crm from "../crm.ts";
import zoho from "../manifest.ts";
import emulator from "./index.ts";

const sandbox = createSandbox({
  providers: [{ manifest: zoho, categories: [crm] }],
  emulators: { zoho: emulator },
  secret: randomBytes(32),
});
const connection = () => sandbox.credentials("zoho", "oauth2").credentials as Record<"token" | "refresh_token", string>;
const { token } = connection();
const server = Fastify();
let address: string;

beforeAll(async () => {
  await server.register(sandbox.plugin);
  address = `${await server.listen({ port: 0, host: "127.0.0.1" })}/zoho`;
});
afterAll(() => server.close());

async function call(path: string, authorization = `Zoho-oauthtoken ${token}`, more: Record<string, string> = {}) {
  const response = await fetch(address + path, { headers: { ...(authorization ? { authorization } : {}), ...more } });
  const text = await response.text();
  return { status: response.status, text, body: text ? JSON.parse(text) : undefined };
}
const contacts = (query: string) => call(`/crm/v8/Contacts?${query}`);

describe("the emulated API", () => {
  test("page tokens list every contact once, and the last page is marked", async () => {
    const found: any[] = [];
    for (let next: string | null = ""; next !== null; ) {
      const { body }: Awaited<ReturnType<typeof call>> = await contacts(
        `fields=Email&per_page=60${next && `&page_token=${next}`}`,
      );
      found.push(...body.data);
      expect([body.info.count, body.info.more_records]).toEqual([body.data.length, body.info.next_page_token !== null]);
      next = body.info.next_page_token;
    }
    expect(found.length).toBeGreaterThan(250);
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
  });

  test("the emulator returns the requested fields and the id", async () => {
    const { body } = await contacts("fields=Email,Unheard_Of,Last_Name&per_page=1");
    expect(Object.keys(body.data[0])).toEqual(["id", "Last_Name", "Email"]);
  });

  test.each(["Contacts", "Accounts", "Deals"])(
    "the emulator lists the %s that were modified after a time",
    async (module) => {
      const path = `/crm/v8/${module}?fields=Modified_Time`;
      const since = (time: string) => call(path, undefined, { "if-modified-since": time });
      const { data } = (await call(path)).body;
      const time = data[100].Modified_Time;
      const found = (await since(time)).body.data;
      expect(found.length).toBeGreaterThan(0);
      expect(found.every(({ Modified_Time }: any) => Modified_Time > time)).toBe(true);
      expect(await since("2100-01-01T00:00:00+00:00")).toMatchObject({ status: 304, text: "" });
      expect((await since("yesterday")).status).toBe(400);
    },
  );

  test("the emulator answers 204 without a body if there are no contacts", async () => {
    const { status, text } = await contacts(`fields=Email&page_token=${btoa('{"start":9000}')}`);
    expect([status, text]).toEqual([204, ""]);
  });

  test("the emulator's data has contacts without a first name, an email or an account", async () => {
    const { body } = await contacts("fields=First_Name,Last_Name,Full_Name,Email,Account_Name");
    const has = (wanted: object) => expect(body.data).toContainEqual(expect.objectContaining(wanted));
    has({ First_Name: null, Email: expect.any(String) });
    has({ First_Name: null, Email: null, Full_Name: "-" });
    has({ Account_Name: null });
  });

  test.each([
    ["", "REQUIRED_PARAM_MISSING"],
    ["fields=Email&per_page=201", "INVALID_DATA"],
    ["fields=Email&per_page=0", "INVALID_DATA"],
    ["fields=Email&page=1", "INVALID_DATA"],
    ["fields=Email&page_token=nonsense", "INVALID_DATA"],
  ])("the emulator refuses the query %j with %s", async (query, code) => {
    const { status, body } = await contacts(query);
    expect([status, body]).toEqual([
      400,
      { code, details: expect.any(Object), message: expect.any(String), status: "error" },
    ]);
  });

  test("the emulator accepts tokens only with Zoho's own scheme", async () => {
    expect((await call("/crm/v8/users?type=CurrentUser")).body.users[0]).toMatchObject({ status: "active" });
    for (const authorization of ["", `Bearer ${token}`, "Zoho-oauthtoken unknown"]) {
      const { status, body } = await call("/crm/v8/users?type=CurrentUser", authorization);
      expect([status, body.status]).toEqual([401, "error"]);
    }
  });
});

describe("the emulated tokens", () => {
  const refresh = async (refresh_token: string) => {
    const response = await fetch(`${address}/oauth/v2/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "refresh_token",
        client_id: "sandbox",
        client_secret: "made up",
        refresh_token,
      }),
    });
    return { status: response.status, body: (await response.json()) as any };
  };
  const revoke = (given: string) => fetch(`${address}/oauth/v2/token/revoke?token=${given}`, { method: "POST" });

  test("a refresh keeps the refresh token and does not return it", async () => {
    const { refresh_token } = connection();
    const { body } = await refresh(refresh_token);
    expect(body).toMatchObject({ expires_in: 3600, token_type: "Bearer", api_domain: "https://www.zohoapis.eu" });
    expect(body).not.toHaveProperty("refresh_token");
    expect((await refresh(refresh_token)).body).toHaveProperty("access_token");
  });

  test("a revoked refresh token is refused, with status 200", async () => {
    const { refresh_token } = connection();
    const revoked = await revoke(refresh_token);
    expect([revoked.status, await revoked.json()]).toEqual([200, { status: "success" }]);
    expect((await revoke(refresh_token)).status).toBe(400);
    expect(await refresh(refresh_token)).toEqual({ status: 200, body: { error: "invalid_code" } });
  });
});
