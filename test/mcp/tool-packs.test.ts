// What a key with a tool pack can do beside the tools of its pack: nothing.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/categories/index.ts";
import { isTool, toolName } from "../../src/categories/tools.ts";
import { createPlatform, type Platform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";
import { connectClient, oneCredential, textOf } from "./support.ts";

let service: TestService;
let platform: Platform;
let key: string;
let packId: string;

beforeAll(async () => {
  service = await startService();
  platform = createPlatform(service, service.apiKey);
  packId = (await platform("POST", "/v1/tool-packs", { name: "Sales", access: "write" })).body.id;
  key = (await platform("POST", "/v1/api-keys", { name: "agent", tool_pack_id: packId })).body.api_key;
});
afterAll(() => service?.close());

const call = (method: string, path: string) =>
  fetch(`${service.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      "svc-connection-id": service.connections.github!,
      ...(method === "GET" ? {} : { "content-type": "application/json" }),
    },
    ...(method === "GET" ? {} : { body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' }),
  });

it.each([
  ["the provider's own MCP server", "POST", "/mcp"],
  ["the stream of the provider's own MCP server", "GET", "/mcp"],
  ["an operation of the Unified API", "GET", "/unified/v1/git/repos"],
  ["a write of the Unified API", "POST", "/unified/v1/git/repos/a%2Fb/issues"],
  ["the Proxy", "GET", "/proxy/user"],
  ["a write over the Proxy", "POST", "/proxy/user"],
  ["connections", "GET", "/platform/v1/connections"],
  ["keys", "POST", "/platform/v1/api-keys"],
  ["tool packs", "GET", "/platform/v1/tool-packs"],
  ["the workspace", "GET", "/platform/v1/workspace"],
])("a key with a tool pack does not get around it by %s", async (_, method, path) => {
  const response = await call(method, path);
  expect(response.status).toBe(403);
  expect(await response.text()).toContain("the tool pack Sales allows nothing but Unified MCP");
  expect(response.headers.get("www-authenticate")).toContain("insufficient_scope");
});

it("what a key with a tool pack is refused is in the audit log", async () => {
  await call("POST", "/mcp");
  const [entry] = (await platform("GET", "/v1/audit?action=mcp.*&limit=1")).body;
  expect(entry).toMatchObject({ outcome: "refused", actor: { name: "agent" }, action: "mcp.use" });
});

it("a key with a tool pack does not sign in to the dashboard", async () => {
  const response = await fetch(`${service.url}/dashboard/sign-in`, {
    method: "POST",
    headers: { origin: service.url },
    body: new URLSearchParams({ api_key: key }),
  });
  expect(response.status).toBe(400);
});

it("the tool pack comes with the key from memory, until it is changed", async () => {
  const { authenticate } = service.parts.engine;
  const packOf = async () => (await authenticate(key)).toolPack;
  expect(await packOf()).toEqual({
    id: packId,
    name: "Sales",
    categories: null,
    tools: null,
    access: "write",
    hide: [],
  });
  const before = service.store.statements;
  for (let count = 0; count < 50; count++) await packOf();
  expect(service.store.statements).toBeLessThan(before + 10);
  await platform("PATCH", `/v1/tool-packs/${packId}`, { categories: ["crm"], hide: ["crm.contact.email"] });
  expect(await packOf()).toMatchObject({ categories: ["crm"], hide: ["crm.contact.email"] });
  expect((await authenticate(service.apiKey)).toolPack).toBeUndefined();
});

it("tool packs name tools as Unified MCP does", async () => {
  const names = new Set(operations.filter(isTool).map(toolName));
  for (const provider of ["github", "hubspot", "jira"]) {
    const { client, close } = await connectClient(`${service.url}/unified/v1/mcp`, oneCredential(service, provider));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([]);
    await close();
  }
});

it("a key with a tool pack gets its tools, without hidden fields", async () => {
  const pack = { name: "Contacts", access: "read", categories: ["crm"], hide: ["crm.contact.email"] };
  const { id: tool_pack_id } = (await platform("POST", "/v1/tool-packs", pack)).body;
  const { api_key } = (await platform("POST", "/v1/api-keys", { tool_pack_id })).body;
  const headers = { authorization: `Bearer ${api_key}.${service.connections.hubspot}`, "SVC-Include-Raw": "true" };
  const { client, close } = await connectClient(`${service.url}/unified/v1/mcp`, headers);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["crm_list_contacts", "crm_list_companies", "crm_list_deals"]);
  expect(JSON.stringify(tools[0])).not.toMatch(/email|include_raw|params/);
  const { structuredContent } = (await client.callTool({ name: "crm_list_contacts", arguments: {} })) as any;
  expect(structuredContent.response.data.length).toBeGreaterThan(5);
  expect(JSON.stringify(structuredContent)).not.toMatch(/@|_raw/);
  const refused = await client.callTool({ name: "crm_list_contacts", arguments: { email: "a@example.com" } });
  expect(JSON.stringify(refused)).toContain("`email` is not allowed by the tool pack");
  await close();
});

describe("a tool pack that hides a field which a provider requires of new tasks", () => {
  let own: string;
  const connections = () =>
    ["jira", "shortcut", "github", "hubspot", "slack", "zendesk", "google-drive", "google-calendar"].map(
      (id) => service.connections[id]!,
    );
  const open = (connection_id?: string) =>
    connectClient(`${service.url}/unified/v1/mcp`, {
      authorization: connection_id ? `Bearer ${own}.${connection_id}` : `Bearer ${own}`,
    });
  beforeAll(async () => {
    const pack = { name: "Without projects", access: "write", hide: ["tasks.task.project_id"] };
    const { id: tool_pack_id } = (await platform("POST", "/v1/tool-packs", pack)).body;
    const body = { tool_pack_id, connection_ids: connections() };
    own = (await platform("POST", "/v1/api-keys", body)).body.api_key;
  });

  it("leaves the tool to the connections whose provider does not require the field", async () => {
    for (const [provider, isOffered] of [
      ["jira", false],
      ["shortcut", true],
    ] as const) {
      const { client, close } = await open(service.connections[provider]!);
      const names = (await client.listTools()).tools.map(({ name }) => name);
      expect([provider, names.includes("tasks_create_task")]).toEqual([provider, isOffered]);
      expect(names).toContain("tasks_update_task");
      if (!isOffered)
        await expect(client.callTool({ name: "tasks_create_task", arguments: {} })).rejects.toThrow(
          "Unknown tool tasks_create_task; there are these:",
        );
      await close();
    }
  });

  it("leaves the tool to the accounts whose provider does not require the field", async () => {
    const { client, close } = await open();
    const call = async (name: string, args: object) => (await client.callTool({ name, arguments: { ...args } })) as any;
    const { tools } = (await call("search_tools", { query: "create a task" })).structuredContent;
    const found = tools.find(({ name }: any) => name === "tasks_create_task");
    expect(found.inputSchema.properties.account.enum).toEqual(["shortcut"]);
    const { accounts } = (await call("list_accounts", {})).structuredContent;
    for (const { account, write_tools } of accounts)
      expect([account, write_tools.includes("tasks_create_task")]).toEqual([account, account === "shortcut"]);
    const refused = await call("call_tool", { name: "tasks_create_task", arguments: { account: "jira", title: "x" } });
    expect(textOf(refused)).toContain("jira cannot do this");
    await expect(call("no_such_tool", {})).rejects.toThrow("Unknown tool no_such_tool");
    await close();
  });
});
