import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPlatform, type Platform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";

let service: TestService;
let call: Platform;
let stranger: Platform;

beforeAll(async () => {
  service = await startService();
  call = createPlatform(service, service.apiKey);
  stranger = createPlatform(service, await service.createWorkspace("stranger"));
});
afterAll(() => service?.close());

const create = async (body: object = {}) =>
  (await call("POST", "/v1/tool-packs", { name: "Sales", access: "read", ...body })).body;

describe("tool packs of the Platform API", () => {
  it("a tool pack is created, read, listed, changed and deleted", async () => {
    const wanted = { name: "Sales", categories: ["crm", "chat"], access: "write", hide: ["crm.contact.email"] };
    const created = await call("POST", "/v1/tool-packs", wanted);
    expect(created).toMatchObject({ status: 201, body: { ...wanted, tools: null } });
    const { id } = created.body;
    expect(id).toMatch(/^tp_/);
    expect((await call("GET", `/v1/tool-packs/${id}`)).body).toEqual(created.body);
    expect((await call("GET", "/v1/tool-packs")).body).toContainEqual(created.body);

    const change = { categories: null, tools: ["crm_list_contacts"], access: "read", hide: [] };
    const changed = await call("PATCH", `/v1/tool-packs/${id}`, change);
    expect(changed).toMatchObject({ status: 200, body: { id, name: "Sales", ...change } });
    expect((await call("PATCH", `/v1/tool-packs/${id}`, {})).body).toEqual(changed.body);

    expect((await call("DELETE", `/v1/tool-packs/${id}`)).body).toEqual({ success: true });
    expect((await call("GET", `/v1/tool-packs/${id}`)).status).toBe(404);
    expect((await call("DELETE", `/v1/tool-packs/${id}`)).status).toBe(404);
  });

  it("a tool pack with a name and access alone has all tools and hides nothing", async () => {
    expect(await create()).toMatchObject({ categories: null, tools: null, hide: [] });
  });

  it.each<[object, string, string]>([
    [{ access: undefined }, "access", "one of read, write"],
    [{ access: "admin" }, "access", "one of read, write"],
    [{ name: "" }, "name", "1 to 200 characters"],
    [{ tool: ["crm_list_contacts"] }, "tool", "Unknown field"],
    [{ categories: [] }, "categories", "an array"],
    [{ categories: ["crn"] }, "categories", "There is no category crn: did you mean crm?"],
    [{ categories: ["sales"] }, "categories", "There is no category sales; there are identity, chat"],
    [{ tools: ["crm_list_contact"] }, "tools", "There is no tool crm_list_contact: did you mean crm_list_contacts?"],
    [{ tools: ["drive_download_file"] }, "tools", "There is no tool drive_download_file;"],
    [{ tools: ["crm_create_contact"] }, "tools", "The tool crm_create_contact writes, and the access is read"],
    [
      { categories: ["chat"], tools: ["crm_list_contacts"] },
      "tools",
      "The tool crm_list_contacts is of the category crm, which is not among the categories",
    ],
    [{ hide: ["crm.contact.emial"] }, "hide", "There is no field crm.contact.emial: did you mean crm.contact.email?"],
    [{ hide: ["email"] }, "hide", "There is no field email; fields are named like crm.contact.email"],
    [{ hide: ["crm.contact"] }, "hide", "There is no field crm.contact;"],
    [{ hide: ["__proto__.constructor"] }, "hide", "There is no field"],
    [{ hide: "crm.contact.email" }, "hide", "an array"],
  ])("a tool pack with %j is refused, by its field", async (change, field, message) => {
    const answer = await call("POST", "/v1/tool-packs", { name: "Sales", access: "read", ...change });
    expect(answer).toMatchObject({ status: 400, body: { errors: { [field]: [expect.stringContaining(message)] } } });
  });

  it("a change is checked together with what stays", async () => {
    const { id } = await create({ access: "write", tools: ["crm_create_contact"] });
    expect(await call("PATCH", `/v1/tool-packs/${id}`, { access: "read" })).toMatchObject({
      status: 400,
      body: { errors: { tools: ["The tool crm_create_contact writes, and the access is read"] } },
    });
    expect((await call("PATCH", `/v1/tool-packs/${id}`, { access: "read", tools: null })).status).toBe(200);
  });

  it("a tool pack belongs to its workspace", async () => {
    const { id } = await create();
    for (const method of ["GET", "PATCH", "DELETE"])
      expect((await stranger(method, `/v1/tool-packs/${id}`, method === "PATCH" ? {} : undefined)).status).toBe(404);
    expect((await stranger("GET", "/v1/tool-packs")).body).toEqual([]);
    expect(await stranger("POST", "/v1/api-keys", { tool_pack_id: id })).toMatchObject({
      status: 400,
      body: { errors: { tool_pack_id: [`There is no tool pack ${id} in this workspace`] } },
    });
  });

  it("keys:read shows tool packs, keys:write changes them, and a key that is bound to a user does neither", async () => {
    const { id } = await create();
    const keyWith = async (body: object) =>
      createPlatform(service, (await call("POST", "/v1/api-keys", body)).body.api_key);
    const reader = await keyWith({ scopes: ["keys:read"] });
    expect((await reader("GET", `/v1/tool-packs/${id}`)).status).toBe(200);
    expect((await reader("PATCH", `/v1/tool-packs/${id}`, { access: "write" })).status).toBe(403);
    const writer = await keyWith({ scopes: ["keys:write"] });
    expect((await writer("PATCH", `/v1/tool-packs/${id}`, { access: "write" })).status).toBe(200);
    const bound = await keyWith({ external_id: "user-1" });
    expect((await bound("GET", "/v1/tool-packs")).status).toBe(403);
    expect((await bound("POST", "/v1/tool-packs", { name: "a", access: "read" })).status).toBe(403);
  });
});

describe("API keys with a tool pack", () => {
  it("a key with a tool pack has the scope mcp alone, and shows its tool pack", async () => {
    const { id: tool_pack_id } = await create();
    const created = await call("POST", "/v1/api-keys", { name: "agent", tool_pack_id, external_id: "user-1" });
    expect(created).toMatchObject({ status: 201, body: { tool_pack_id, scopes: ["mcp"], external_id: "user-1" } });
    const listed = (await call("GET", "/v1/api-keys?order=newest&limit=1")).body;
    expect(listed).toMatchObject([{ tool_pack_id, scopes: ["mcp"] }]);
    for (const scopes of [["*"], ["mcp", "unified:read"], ["keys:write"]])
      expect(await call("POST", "/v1/api-keys", { tool_pack_id, scopes })).toMatchObject({
        status: 400,
        body: { errors: { scopes: ["Must be mcp alone, because the key has a tool pack"] } },
      });
    expect((await call("POST", "/v1/api-keys", { tool_pack_id, scopes: ["mcp"] })).status).toBe(201);
    expect((await call("POST", "/v1/api-keys", {})).body.tool_pack_id).toBeNull();
  });

  it("a key without mcp cannot create a key with a tool pack", async () => {
    const { id: tool_pack_id } = await create();
    const { api_key } = (await call("POST", "/v1/api-keys", { scopes: ["keys:write"] })).body;
    const answer = await createPlatform(service, api_key)("POST", "/v1/api-keys", { tool_pack_id });
    expect(answer).toMatchObject({ status: 403, body: { message: expect.stringContaining("mcp") } });
  });

  it("a tool pack cannot be deleted while keys have it, and the answer names them", async () => {
    const { id } = await create();
    const keys = [];
    for (const name of ["agent 1", null, "agent 3", "agent 4", "agent 5"])
      keys.push((await call("POST", "/v1/api-keys", { tool_pack_id: id, name })).body);
    const refused = await call("DELETE", `/v1/tool-packs/${id}`);
    expect(refused.status).toBe(409);
    expect(refused.body.message).toContain(
      `it is used by API key agent 1, API key ${keys[1]!.id}, API key agent 3 and 2 more: delete them, or give them another tool pack, first`,
    );
    for (const key of keys) await call("DELETE", `/v1/api-keys/${key.id}`);
    expect((await call("DELETE", `/v1/tool-packs/${id}`)).status).toBe(200);
  });
});
