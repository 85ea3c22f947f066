import { randomBytes } from "node:crypto";
import Fastify from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSandbox } from "../../../sandbox/index.ts";
import crm from "../crm.ts";
import pipedrive from "../manifest.ts";
import emulator from "./index.ts";

const sandbox = createSandbox({
  providers: [{ manifest: pipedrive, categories: [crm] }],
  emulators: { pipedrive: emulator },
  secret: randomBytes(32),
});
const key = sandbox.credentials("pipedrive", "api_key").credentials.token!;
const server = Fastify();
let address: string;

beforeAll(async () => {
  await server.register(sandbox.plugin);
  address = `${await server.listen({ port: 0, host: "127.0.0.1" })}/pipedrive`;
});
afterAll(() => server.close());

async function call(path: string, headers: Record<string, string> = { "x-api-token": key }) {
  const response = await fetch(address + path, { headers });
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}

async function walk(query: string, list = "persons"): Promise<any[]> {
  const persons: any[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { body }: Awaited<ReturnType<typeof call>> = await call(
      `/api/v2/${list}?${query}${cursor && `&cursor=${cursor}`}`,
    );
    persons.push(...body.data);
    cursor = body.additional_data.next_cursor;
  }
  return persons;
}

describe("the emulated API", () => {
  test("the emulator lists every person once, sorted by id", async () => {
    const persons = await walk("limit=17");
    expect(persons.length).toBeGreaterThan(250);
    const ids = persons.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((one, other) => one - other));
    expect(await walk("limit=500")).toEqual(persons);
  });

  test("the emulator lists a hundred persons per page by default, without deleted ones", async () => {
    const { body } = await call("/api/v2/persons");
    expect([body.success, body.data.length]).toEqual([true, 100]);
    expect((await walk("limit=500")).every(({ is_deleted }) => is_deleted === false)).toBe(true);
  });

  test.each(["persons", "organizations", "deals"])(
    "the emulator filters %s by the time of their update",
    async (list) => {
      const all = await walk("limit=500", list);
      const { update_time } = all[150];
      const found = await walk(`limit=50&updated_since=${update_time}`, list);
      expect(found).toEqual(all.filter((item) => item.update_time >= update_time));
      expect(found.length).toBeLessThan(all.length);
    },
  );

  test("the emulator's data has persons without an address, with a blank one, with the primary one last, and without an organization", async () => {
    const persons = await walk("limit=500");
    const some = (is: (person: any) => boolean) => expect(persons.some(is)).toBe(true);
    some(({ emails }) => emails.length === 0);
    some(({ emails }) => emails[0]?.value === "");
    some(({ emails }) => emails[1]?.primary === true);
    some(({ emails }) => emails.length > 1 && emails.every(({ primary }: any) => !primary));
    some(({ org_id }) => org_id === null);
  });

  test.each(["limit=501", "limit=0", "limit=x", "cursor=x", "sort_by=name", "sort_direction=up", "updated_since=now"])(
    "the emulator refuses %s with Pipedrive's error body",
    async (query) => {
      const { status, body } = await call(`/api/v2/persons?${query}`);
      expect([status, body]).toEqual([
        400,
        {
          success: false,
          error: expect.any(String),
          error_info: expect.any(String),
          data: null,
          additional_data: null,
        },
      ]);
    },
  );

  test("the emulator returns a single person and the current user", async () => {
    const [first] = (await call("/api/v2/persons")).body.data;
    expect((await call(`/api/v2/persons/${first.id}`)).body).toEqual({ success: true, data: first });
    expect((await call("/api/v2/persons/1")).status).toBe(404);
    expect((await call("/api/v1/users/me")).body.data).toMatchObject({ company_domain: "sandbox", is_you: true });
  });

  test("the emulator accepts a token as Bearer and refuses unknown keys and tokens", async () => {
    const { token } = sandbox.credentials("pipedrive", "oauth2").credentials;
    expect((await call("/api/v1/users/me", { authorization: `Bearer ${token}` })).status).toBe(200);
    for (const headers of [{}, { "x-api-token": "unknown" }, { authorization: "Bearer unknown" }]) {
      const { status, body } = await call("/api/v1/users/me", headers as Record<string, string>);
      expect([status, body.error, body.errorCode]).toEqual([401, "unauthorized access", 401]);
    }
  });

  test("every answer of the emulator says when the rate limit window ends", async () => {
    expect((await call("/api/v1/users/me")).headers.get("x-ratelimit-reset")).toMatch(/^\d+$/);
  });
});

describe("the emulated tokens", () => {
  const refresh = async (refresh_token: string, authorization = `Basic ${btoa("sandbox:sandbox")}`) => {
    const response = await fetch(`${address}/oauth/token`, {
      method: "POST",
      headers: { authorization },
      body: new URLSearchParams({ grant_type: "refresh_token", refresh_token }),
    });
    return { status: response.status, body: (await response.json()) as any };
  };

  test("a refresh keeps the refresh token and returns the company's domain", async () => {
    const refresh_token = sandbox.credentials("pipedrive", "oauth2").credentials.refresh_token!;
    const { body } = await refresh(refresh_token);
    expect(body).toMatchObject({ refresh_token, expires_in: 3599, api_domain: "https://sandbox.pipedrive.com" });
    expect((await refresh(refresh_token)).status).toBe(200);
  });

  test("a refresh needs client credentials in the header and a known refresh token", async () => {
    const refresh_token = sandbox.credentials("pipedrive", "oauth2").credentials.refresh_token!;
    expect((await refresh(refresh_token, "")).body.error).toBe("invalid_client");
    expect((await refresh("unknown")).body).toMatchObject({ success: false, error: "invalid_grant" });
  });
});
