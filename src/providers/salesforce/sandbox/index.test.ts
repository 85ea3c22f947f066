import { randomBytes } from "node:crypto";
import { Connection, OAuth2 } from "@jsforce/jsforce-node";
import Fastify from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSandbox } from "../../../sandbox/index.ts";
import crm from "../crm.ts";
import salesforce from "../manifest.ts";
import { HOST } from "./data.ts";
import emulator from "./index.ts";

const sandbox = createSandbox({
  providers: [{ manifest: salesforce, categories: [crm] }],
  emulators: { salesforce: emulator },
  secret: randomBytes(32),
});
const server = Fastify();
let address: string;

beforeAll(async () => {
  await server.register(sandbox.plugin);
  address = `${await server.listen({ port: 0, host: "127.0.0.1" })}/salesforce`;
});
afterAll(() => server.close());

const newToken = () =>
  sandbox.credentials("salesforce", "oauth2").credentials as Record<"token" | "refresh_token", string>;

async function call(path: string, token = newToken().token) {
  const response = await fetch(address + path, { headers: { authorization: `Bearer ${token}` } });
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}
const query = (soql: string) => call(`/services/data/v67.0/query?q=${encodeURIComponent(soql)}`);

/** Salesforce's own client, talking to the emulator. */
const client = (accessToken: string) => new Connection({ instanceUrl: address, accessToken, version: "67.0" });

describe("Salesforce's own client", () => {
  test("Salesforce's own client lists contacts in the order of their ids, batch by batch", async () => {
    const { records, totalSize, done } = await client(newToken().token).query<{ Id: string; Name: string }>(
      "SELECT Id, Name, Email FROM Contact ORDER BY Id",
      { autoFetch: true, headers: { "Sforce-Query-Options": "batchSize=200" } },
    );
    expect(records.length).toBeGreaterThan(250);
    expect([records.length, done]).toEqual([totalSize, true]);
    const ids = records.map(({ Id }) => Id);
    expect(ids).toEqual([...new Set(ids)].sort());
    expect(ids.every((id) => /^003\w{15}$/.test(id))).toBe(true);
    expect(new Set(ids.map((id) => id.slice(0, 15).toLowerCase())).size).toBeLessThan(ids.length);
  });

  test("the emulator runs the queries that Salesforce's own client builds", async () => {
    const connection = client(newToken().token);
    const found = await connection
      .sobject("Contact")
      .find({ LastName: "O'Brien", IsDeleted: false }, ["Id", "LastName"])
      .sort({ CreatedDate: -1 })
      .limit(3)
      .execute();
    expect(found).toHaveLength(3);
    expect(found.every(({ LastName }) => LastName === "O'Brien")).toBe(true);
  });

  test("Salesforce's own client creates, changes and reads a contact", async () => {
    const contacts = client(newToken().token).sobject("Contact");
    const created = await contacts.create({ FirstName: "Zoë", LastName: "Müller" });
    expect(created).toEqual({ id: expect.stringMatching(/^003\w{15}$/), success: true, errors: [] });
    await contacts.update({ Id: created.id!, LastName: "d’Arc", Email: "zoe@example.com" });
    const { Name, Email, Phone } = await contacts.retrieve(created.id!);
    expect([Name, Email, Phone]).toEqual(["Zoë d’Arc", "zoe@example.com", null]);
  });

  test("Salesforce's own client understands the errors of contacts that cannot be written", async () => {
    const contacts = client(newToken().token).sobject("Contact");
    for (const [fields, errorCode] of [
      [{ FirstName: "Zoë" }, "REQUIRED_FIELD_MISSING"],
      [{ LastName: "x", Nothing: "x" }, "INVALID_FIELD"],
      [{ LastName: "x", AccountId: "x" }, "MALFORMED_ID"],
      [{ LastName: "x", AccountId: "0015g00000zzzzzAAA" }, "INVALID_CROSS_REFERENCE_KEY"],
    ] as const)
      await expect(contacts.create(fields as Record<string, string>)).rejects.toMatchObject({ errorCode });
    const unknown = { Id: "0035g00000zzzzzAAA", LastName: "x" };
    await expect(contacts.update(unknown)).rejects.toMatchObject({ errorCode: "NOT_FOUND" });
  });

  test("Salesforce's own client describes an object, and writes the org's own fields", async () => {
    const contacts = client(newToken().token).sobject("Contact");
    const { fields } = await contacts.describe();
    const own = fields.filter(({ custom }) => custom);
    expect(own.map(({ name, type }) => [name.endsWith("__c"), type])).toContainEqual([true, "multipicklist"]);
    const { id } = await contacts.create({ LastName: "x", Tier__c: "Gold", Interests__c: "Chess;Sailing" });
    expect(await contacts.retrieve(id!)).toMatchObject({ Tier__c: "Gold", Interests__c: "Chess;Sailing" });
    for (const [sent, errorCode] of [
      [{ Tier__c: "Lead" }, "INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST"],
      [{ Score__c: "many" }, "JSON_PARSER_ERROR"],
      [{ Renews_On__c: "2026-11-17T00:00:00Z" }, "JSON_PARSER_ERROR"],
    ] as const)
      await expect(contacts.update({ Id: id!, ...sent })).rejects.toMatchObject({ errorCode });
  });

  test("Salesforce's own client understands the emulator's errors", async () => {
    const connection = client(newToken().token);
    for (const [soql, errorCode] of [
      ["SELECT Id FROM", "MALFORMED_QUERY"],
      ["SELECT Nothing FROM Contact", "INVALID_FIELD"],
      ["SELECT Id FROM Unheard_Of", "INVALID_TYPE"],
    ])
      await expect(connection.query(soql!)).rejects.toMatchObject({ errorCode });
  });

  test("Salesforce's own client refreshes an expired session", async () => {
    const { token, refresh_token } = newToken();
    await fetch(new URL("/_faults", address), {
      method: "POST",
      body: JSON.stringify({ provider: "salesforce", expire_tokens: true }),
    });
    const expired = await call("/services/data/v67.0/", token);
    expect([expired.status, expired.body]).toEqual([
      401,
      [{ errorCode: "INVALID_SESSION_ID", message: "Session expired or invalid" }],
    ]);
    const oauth2 = new OAuth2({
      clientId: "sandbox",
      clientSecret: "sandbox",
      redirectUri: "http://127.0.0.1/",
      loginUrl: address,
    });
    const refreshed = await oauth2.refreshToken(refresh_token);
    expect(refreshed).toMatchObject({ token_type: "Bearer", instance_url: `https://${HOST}` });
    expect(refreshed).not.toHaveProperty("expires_in");
    expect(refreshed).not.toHaveProperty("refresh_token");
    expect((await client(refreshed.access_token).query("SELECT Id FROM Contact LIMIT 1")).records).toHaveLength(1);
    await oauth2.revokeToken(refresh_token);
    await expect(oauth2.refreshToken(refresh_token)).rejects.toThrow("expired access/refresh token");
  });
});

describe("the emulated queries", () => {
  test.each([
    ["select id from contact where name != null order by createddate desc limit 2 offset 1", 2],
    ["SELECT Id FROM Contact WHERE LastName = 'O\\'Brien' LIMIT 1", 1],
    ["SELECT Id FROM Contact WHERE LastName = 'no such \\\\ name'", 0],
    ["SELECT Id FROM Contact LIMIT 0", 0],
    ["SELECT Id FROM Account WHERE Name != null LIMIT 3", 3],
    ["SELECT Id FROM Opportunity WHERE SystemModstamp >= 2024-01-01T00:00:00Z LIMIT 4", 4],
    ["SELECT Id FROM Opportunity WHERE SystemModstamp > 2030-01-01T00:00:00+02:00", 0],
    ["SELECT Id FROM Contact WHERE Id > '003' AND Id <= '003zzzzzzzzzzzzzzz' LIMIT 7", 7],
  ])("the emulator runs the query %s", async (soql, count) => {
    const { status, body } = await query(soql);
    expect([status, body.records.length, body.done]).toEqual([200, count, true]);
  });

  test.each([
    "",
    "SELECT",
    "SELECT Id Name FROM Contact",
    "SELECT Id FROM Contact WHERE Id > 'open",
    "SELECT Id FROM Contact WHERE Id > 'bad \\x escape'",
    "SELECT Id FROM Contact WHERE Id ~ 'x'",
    "SELECT Id FROM Contact LIMIT many",
    "SELECT Id FROM Contact WHERE SystemModstamp > 2024-01-01T00:00:00",
    "SELECT Id FROM Contact; DROP TABLE Contact",
    "SELECT Id FROM Contact LIMIT 1 LIMIT 2",
  ])("the emulator refuses the query %s", async (soql) => {
    const { status, body } = await query(soql);
    expect([status, body]).toEqual([400, [{ errorCode: "MALFORMED_QUERY", message: expect.any(String) }]]);
  });

  test("the emulator's data has contacts without a first name, an email or an account", async () => {
    const { body } = await query("SELECT FirstName, LastName, Email, AccountId FROM Contact");
    const has = (wanted: object) => expect(body.records).toContainEqual(expect.objectContaining(wanted));
    has({ FirstName: null, LastName: expect.any(String), Email: expect.any(String) });
    has({ FirstName: null, Email: null });
    has({ AccountId: null });
    expect(body.records.every(({ LastName }: any) => LastName.trim() !== "")).toBe(true);
  });

  test("the emulator refuses an unknown query locator", async () => {
    const { status, body } = await call("/services/data/v67.0/query/nonsense");
    expect([status, body[0].errorCode]).toEqual([400, "INVALID_QUERY_LOCATOR"]);
  });

  test("every answer of the emulator shows the API usage of the day", async () => {
    expect((await query("SELECT Id FROM Contact LIMIT 1")).headers.get("sforce-limit-info")).toMatch(
      /^api-usage=\d+\/\d+$/,
    );
  });
});
