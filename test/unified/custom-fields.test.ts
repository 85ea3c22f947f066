// Rules of custom fields that do not depend on the provider. What each provider has is in the conformance suite.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createPlatform, type Platform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";

let service: TestService;
let platform: Platform;
let stranger: Platform;
beforeAll(async () => {
  service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60" } });
  platform = createPlatform(service, service.apiKey);
  stranger = createPlatform(service, await service.createWorkspace("stranger"));
});
afterAll(() => service?.close());
afterEach(async () => {
  for (const { id } of (await platform("GET", "/v1/custom-fields")).body)
    await platform("DELETE", `/v1/custom-fields/${id}`);
});

const TIER = {
  record: "crm.contact",
  name: "tier",
  type: "string",
  paths: { hubspot: "/properties/tier", salesforce: "/Tier__c" },
};
const declare = async (change: object = {}) => platform("POST", "/v1/custom-fields", { ...TIER, ...change });

const unified = async (method: string, path: string, body?: object, accept = "application/json") => {
  const response = await fetch(`${service.url}/unified/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${service.apiKey}`,
      "svc-connection-id": service.connections.hubspot!,
      accept,
      ...(body && { "content-type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, body: accept === "application/json" ? JSON.parse(text) : undefined };
};
const contacts = async (query = "limit=3") => (await unified("GET", `/crm/contacts?${query}`)).body.response.data;

describe("declarations", () => {
  it("a custom field is declared, read, listed, changed and deleted, each with an audit entry", async () => {
    const { status, body } = await declare();
    expect([status, body]).toEqual([
      201,
      {
        ...TIER,
        id: expect.stringMatching(/^cf_/),
        integration_id: null,
        connection_id: null,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ]);
    expect((await platform("GET", `/v1/custom-fields/${body.id}`)).body).toEqual(body);
    expect((await platform("GET", "/v1/custom-fields")).body).toEqual([body]);
    const changed = await platform("PATCH", `/v1/custom-fields/${body.id}`, { type: "strings" });
    expect(changed.body).toMatchObject({ id: body.id, type: "strings", paths: TIER.paths });
    expect((await stranger("GET", `/v1/custom-fields/${body.id}`)).status).toBe(404);
    expect((await stranger("DELETE", `/v1/custom-fields/${body.id}`)).status).toBe(404);
    expect((await platform("DELETE", `/v1/custom-fields/${body.id}`)).body).toEqual({ success: true });
    const { body: entries } = await platform("GET", "/v1/audit?limit=3");
    expect(entries.map(({ action }: { action: string }) => action).sort()).toEqual(
      expect.arrayContaining(["custom_field.create", "custom_field.delete", "custom_field.update"]),
    );
  });

  it("the same name is declared once for the same connections", async () => {
    const { id } = (await declare()).body;
    const again = await declare();
    expect([again.status, again.body.message]).toEqual([409, expect.stringContaining(id)]);
    expect((await declare({ connection_id: service.connections.hubspot })).status).toBe(201);
  });

  it.each<[object, string]>([
    [{ record: "crm.contcat" }, "There is no record crm.contcat: did you mean crm.contact?"],
    [{ record: "contact" }, "records are named like crm.contact"],
    [{ name: "__proto__" }, "name"],
    [{ name: "Tier" }, "name"],
    [{ name: "x".repeat(64) }, "name"],
    [{ type: "object" }, "type"],
    [{ paths: {} }, "paths"],
    [{ paths: { hubspto: "/a" } }, "There is no provider hubspto: did you mean hubspot?"],
    [{ paths: { hubspot: "properties/tier" } }, "ust be a JSON Pointer"],
    [{ paths: { hubspot: "" } }, "paths"],
    [{ paths: { hubspot: "/a~2" } }, "ust be a JSON Pointer"],
    [{ paths: { hubspot: "/__proto__/x" } }, "ust not lead through __proto__"],
    [{ paths: { hubspot: "/a/constructor" } }, "ust not lead through constructor"],
    [{ paths: { hubspot: "/a".repeat(21) } }, "at most 20 parts"],
    [{ paths: { hubspot: "/a".repeat(10_000) } }, "paths"],
    [{ integration_id: "int_none" }, "s not an integration of this workspace"],
    [{ connection_id: "conn_none" }, "s not a connection of this workspace"],
    [{ expression: "$.a" }, "expression"],
  ])("%j is refused", async (change, message) => {
    const { status, text } = await declare(change);
    expect([status, text]).toEqual([400, expect.stringContaining(message)]);
    expect((await platform("GET", "/v1/custom-fields")).body).toEqual([]);
  });

  it("a connection of another workspace is not named", async () => {
    const { status } = await stranger("POST", "/v1/custom-fields", {
      ...TIER,
      connection_id: service.connections.hubspot,
    });
    expect(status).toBe(400);
  });

  it("the nearest declaration counts, at once", async () => {
    expect((await contacts())[1].custom).toEqual({});
    await declare({ paths: { hubspot: "/id" } });
    const [, record] = await contacts();
    expect(record.custom).toEqual({ tier: record.id });
    await declare({ connection_id: service.connections.hubspot, type: "number" });
    expect((await contacts())[1].custom).toEqual({ tier: null });
    await declare({ connection_id: service.connections.salesforce, name: "elsewhere" });
    expect(Object.keys((await contacts())[1].custom)).toEqual(["tier"]);
  });
});

describe("records", () => {
  it("lists, lines and MCP have the same custom fields", async () => {
    await declare();
    const listed = (await contacts()).map(({ custom }: { custom: object }) => custom);
    expect(listed.some(({ tier }: { tier: unknown }) => tier !== null)).toBe(true);
    const { text } = await unified("GET", "/crm/contacts?limit=3", undefined, "application/x-ndjson");
    const lines = text
      .split("\n")
      .slice(0, 3)
      .map((line) => JSON.parse(line).custom);
    expect(lines).toEqual(listed);
    const response = await fetch(`${service.url}/unified/v1/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${service.apiKey}.${service.connections.hubspot}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "crm_list_contacts", arguments: { limit: 3, fields: "id,custom.tier" } },
      }),
    });
    const { result } = (await response.json()) as any;
    expect(result.structuredContent.response.data.map(({ custom }: any) => custom)).toEqual(listed);
    expect(Object.keys(result.structuredContent.response.data[0])).toEqual(["id", "custom"]);
  });

  it("`fields` narrows lists, single records and lines", async () => {
    await declare();
    const [record] = await contacts("limit=1&fields=email,id,custom.tier,custom.none");
    expect(Object.keys(record)).toEqual(["email", "id", "custom"]);
    expect(record.custom).toEqual({ tier: expect.anything(), none: null });
    expect(Object.keys((await contacts("limit=1&fields=custom,custom.tier"))[0])).toEqual(["custom"]);
    const { text } = await unified("GET", "/crm/contacts?limit=2&fields=id", undefined, "application/x-ndjson");
    expect(Object.keys(JSON.parse(text.split("\n")[0]!))).toEqual(["id"]);
    const me = await unified("GET", "/me?fields=id");
    expect(Object.keys(me.body.response.data)).toEqual(["id"]);
    // The way of serving that plain requests take.
    expect(Object.keys((await contacts("limit=1&fields=id"))[0])).toEqual(["id"]);
  });

  it.each([
    ["nmae", "did you mean name?"],
    ["id,everything", "there are id, name"],
    [",", "at least one field"],
  ])("fields=%s is refused", async (fields, message) => {
    const { status, body } = await unified("GET", `/crm/contacts?fields=${fields}`);
    expect([status, body.errors[0].path, body.errors[0].detail]).toEqual([
      400,
      ["query", "fields"],
      expect.stringContaining(message),
    ]);
  });
});

describe("writes", () => {
  it("a dry run shows `custom` and `provider` in the body that would be sent", async () => {
    await declare();
    const body = { last_name: "Müller", custom: { tier: "gold" }, provider: { properties: { hs_lead_status: "NEW" } } };
    const { body: answer } = await unified("POST", "/crm/contacts?dry_run=true", body);
    expect(answer.response.data.requests[0].body.properties).toEqual({
      lastname: "Müller",
      tier: "gold",
      hs_lead_status: "NEW",
    });
  });

  it("what is added reaches the provider, and the same key writes it once", async () => {
    await declare({ name: "note", paths: { hubspot: "/properties/note" } });
    const custom = { note: "added" };
    const { body } = await unified("POST", "/crm/contacts", {
      last_name: "Note",
      custom,
      provider: { properties: { phone: "1" } },
    });
    expect(body.response.data).toMatchObject({ last_name: "Note", phone: "1", custom });
  });

  it.each<[object, string[], string]>([
    [{ custom: { teir: "a" } }, ["body", "custom", "teir"], "did you mean tier?"],
    [{ custom: { tier: 7 } }, ["body", "custom", "tier"], "must be a string or null"],
    [{ custom: { elsewhere: "a" } }, ["body", "custom", "elsewhere"], "has no path for HubSpot"],
    [{ custom: { at_id: "a" } }, ["body", "custom", "at_id"], "cannot be written: only fields below /properties can"],
    [{ custom: "tier" }, ["body", "custom"], "must be object"],
    [{ provider: [] }, ["body", "provider"], "must be object"],
  ])("%j is refused and nothing is sent", async (added, path, message) => {
    await declare();
    await declare({ name: "elsewhere", paths: { salesforce: "/X__c" } });
    await declare({ name: "at_id", paths: { hubspot: "/id" } });
    const { status, body } = await unified("POST", "/crm/contacts", { last_name: "Nobody", ...added });
    expect([status, body.errors[0].path, body.errors[0].detail]).toEqual([400, path, expect.stringContaining(message)]);
  });
});
