import { randomBytes } from "node:crypto";
import type { SimplePublicObjectWithAssociations as SdkContact } from "@hubspot/api-client/lib/codegen/crm/contacts/models/SimplePublicObjectWithAssociations.js";
import Fastify from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSandbox } from "../../../sandbox/index.ts";
import crm from "../crm.ts";
import hubspot from "../manifest.ts";
import { type SandboxObject, selectProperties } from "./data.ts";
import emulator from "./index.ts";

/** The SDK parses times into dates; in the response they are strings. */
type Wire<T> = T extends Date ? string : T extends object ? { [Key in keyof T]: Wire<T[Key]> } : T;
// Compile-time check: the emulator's response fits the SDK's type.
const emulated = (contact: SandboxObject): Wire<SdkContact> => selectProperties("contacts", contact, []);

const sandbox = createSandbox({
  providers: [{ manifest: hubspot, categories: [crm] }],
  emulators: { hubspot: emulator },
  secret: randomBytes(32),
});
const { token } = sandbox.credentials("hubspot", "oauth2").credentials;
const server = Fastify();
let address: string;

beforeAll(async () => {
  await server.register(sandbox.plugin);
  address = await server.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(() => server.close());

async function call(path: string, init: RequestInit = {}, bearer = token) {
  const headers = { authorization: `Bearer ${bearer}`, ...init.headers };
  const response = await fetch(`${address}/hubspot${path}`, { ...init, headers });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined };
}

const injectFault = (body: object) =>
  fetch(`${address}/_faults`, { method: "POST", body: JSON.stringify({ provider: "hubspot", ...body }) });

const CONTACTS = "/crm/v3/objects/contacts";

async function readAll(query: string): Promise<any[]> {
  const results: any[] = [];
  let link = `${address}/hubspot${CONTACTS}?${query}`;
  while (link) {
    const { body } = await call(link.slice(`${address}/hubspot`.length));
    results.push(...body.results);
    link = body.paging?.next.link;
  }
  return results;
}

describe("the emulated API", () => {
  test("following the links returns every contact once, and the last page has no paging", async () => {
    const contacts = await readAll("limit=100");
    expect(contacts.length).toBeGreaterThan(250);
    expect(new Set(contacts.map(({ id }) => id)).size).toBe(contacts.length);
    expect(contacts.every(({ archived }) => archived === false)).toBe(true);
    const last = await call(`${CONTACTS}?after=${contacts.at(-2).id}`);
    expect(last.body).toEqual({ results: [contacts.at(-1)] });
  });

  test("the default page has ten contacts, with the requested properties and those always sent", async () => {
    const { body } = await call(`${CONTACTS}?properties=email,unknown&properties=phone`);
    expect(body.results).toHaveLength(10);
    expect(Object.keys(body.results[0].properties)).toEqual([
      "createdate",
      "email",
      "hs_object_id",
      "lastmodifieddate",
      "phone",
    ]);
  });

  test("the data includes contacts without a first name, a last name, any name or an email address", async () => {
    const people = (await readAll("limit=100")).map(({ properties }) => properties);
    const has = (wanted: object) => expect(people).toContainEqual(expect.objectContaining(wanted));
    has({ firstname: null, lastname: expect.any(String) });
    has({ firstname: expect.any(String), lastname: null });
    has({ firstname: null, lastname: null, email: expect.any(String) });
    has({ firstname: null, lastname: null, email: null });
    has({ firstname: "  ", lastname: "", email: "" });
  });

  test("a single contact is found by its id", async () => {
    const [first] = (await call(CONTACTS)).body.results;
    expect((await call(`${CONTACTS}/${first.id}`)).body).toEqual(first);
    const missing = await call(`${CONTACTS}/1`);
    expect([missing.status, missing.body.category]).toEqual([404, "OBJECT_NOT_FOUND"]);
    expect(Object.keys(emulated(emulator.state().contacts[0]!))).toEqual(Object.keys(first));
  });

  test.each(["limit=101", "limit=0", "limit=x", "after=x"])(
    "a list request with %s is refused with HubSpot's error body",
    async (query) => {
      const { status, body } = await call(`${CONTACTS}?${query}`);
      expect(status).toBe(400);
      expect(body).toEqual({
        status: "error",
        message: expect.any(String),
        correlationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        category: "VALIDATION_ERROR",
      });
    },
  );

  test("an email address that another contact has is refused with 409, for a new contact and for a change", async () => {
    const { results } = (await call(`${CONTACTS}?limit=2&properties=email`)).body;
    const [one, other] = results;
    const send = (method: string, path: string, properties: object) =>
      call(path, {
        method,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ properties, associations: [] }),
      });
    for (const answer of [
      await send("POST", CONTACTS, { email: one.properties.email }),
      await send("PATCH", `${CONTACTS}/${other.id}`, { email: one.properties.email }),
    ]) {
      expect(answer.status).toBe(409);
      expect(answer.body).toMatchObject({ category: "CONFLICT", message: expect.stringContaining(one.id) });
    }
    expect((await send("PATCH", `${CONTACTS}/${one.id}`, { email: one.properties.email })).status).toBe(200);
  });

  test("a 429 names its limit", async () => {
    await injectFault({ status: 429 });
    const { status, headers, body } = await call("/account-info/v3/details");
    expect([status, body.errorType, body.policyName]).toEqual([429, "RATE_LIMIT", "SECONDLY"]);
    expect(headers.get("x-hubspot-ratelimit-remaining")).toMatch(/^\d+$/);
  });
});

describe("the emulated tokens", () => {
  const refresh = async (refreshToken: string) => {
    const response = await fetch(`${address}/hubspot/oauth/v1/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "refresh_token",
        client_id: "sandbox",
        client_secret: "made up",
        refresh_token: refreshToken,
      }),
    });
    return { status: response.status, body: (await response.json()) as any };
  };
  const connection = () => sandbox.credentials("hubspot", "oauth2").credentials as Record<string, string>;

  test("a refresh returns a new access token and the same refresh token", async () => {
    const { refresh_token } = connection();
    const { body } = await refresh(refresh_token!);
    expect(body).toMatchObject({ refresh_token, token_type: "bearer", token_use: "access_token", expires_in: 1800 });
    expect((await call(CONTACTS, {}, body.access_token)).status).toBe(200);
    expect((await refresh(refresh_token!)).status).toBe(200);
  });

  test("a deleted refresh token is refused with the standard error and HubSpot's own status", async () => {
    const { refresh_token } = connection();
    expect((await call(`/oauth/v1/refresh-tokens/${refresh_token}`, { method: "DELETE" })).status).toBe(204);
    const refused = await refresh(refresh_token!);
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ error: "invalid_grant", status: "BAD_REFRESH_TOKEN" });
  });

  test("an expired token and an unknown token are refused with different categories", async () => {
    const unknown = await call(CONTACTS, {}, "unknown");
    expect([unknown.status, unknown.body.category]).toEqual([401, "INVALID_AUTHENTICATION"]);
    const { token } = connection();
    await injectFault({ expire_tokens: true });
    const expired = await call(CONTACTS, {}, token);
    expect([expired.status, expired.body.category]).toEqual([401, "EXPIRED_AUTHENTICATION"]);
  });
});
