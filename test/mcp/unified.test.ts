// Unified MCP with the official client, which validates every answer against the tool's output schema. New providers
// and operations are included automatically.
import type { Client as McpClient } from "@modelcontextprotocol/sdk/client/index.js";
import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/categories/index.ts";
import { type BoundOperation, isWrite } from "../../src/contracts/operation.ts";
import type { Provider } from "../../src/contracts/provider.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { cleanTexts } from "../../src/surfaces/unified/mcp/clean-text.ts";
import { createClient, requiredBy, requiredQuery } from "../conformance/client.ts";
import { createStrictPlatform } from "../support/platform.ts";
import { clearFaults, injectFault } from "../support/sandbox.ts";
import { startService, type TestService } from "../support/service.ts";
import { connectClient, keyAndHeader, oneCredential, textOf } from "./support.ts";

let service: TestService;

beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT: "1000000/60", UNIFIED_RATE_LIMIT: "1000000/60" } });
});
afterAll(() => service?.close());
afterEach(() => clearFaults(service));

const nameOf = ({ category, name }: Pick<BoundOperation, "category" | "name">) =>
  `${category}_${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;

/** A file is neither an argument nor an answer for a model. */
const operationsOf = ({ categories }: Provider) =>
  operations.filter(
    (operation) =>
      operation.kind !== "download" &&
      operation.kind !== "upload" &&
      categories.some(({ category, operations: own }) => category === operation.category && own[operation.name]),
  );

const connect = (provider: string) => connectClient(`${service.url}/unified/v1/mcp`, oneCredential(service, provider));

/** Arguments for a tool: path parameters from the lists that contain them, and the operation's sample body. */
async function argumentsFor(
  client: McpClient,
  operation: BoundOperation,
  provider: Provider,
): Promise<Record<string, unknown>> {
  const found: Record<string, string> = {};
  for (const { name, source } of operation.parameters) {
    const list = nameOf({ category: operation.category, name: source.operation });
    const page = await client.callTool({ name: list, arguments: { ...found, limit: 1 } });
    found[name] = String((page.structuredContent as any).response.data[0][source.field]);
  }
  const sample = await createClient(service, provider).sampleBody(operation, operations);
  return { ...requiredQuery(operation), ...sample, ...found };
}

const tried = new Set<BoundOperation>();

/** One list of each provider, and each operation at the first one that has it: tools are the same at all of them. */
function toTry(own: readonly BoundOperation[]): BoundOperation[] {
  const list = own.find(({ kind }) => kind === "list");
  const chosen = own.filter((operation) => operation === list || !tried.has(operation));
  for (const operation of chosen) tried.add(operation);
  return chosen;
}

describe.each(providers.map((provider) => [provider.manifest.id, provider] as const))("%s", (id, provider) => {
  const own = operationsOf(provider);
  let client: McpClient;
  let close: () => Promise<void>;
  let tools: Tool[];
  beforeAll(async () => {
    ({ client, close } = await connect(id));
    // The client compiles the schemas of all tools each time.
    ({ tools } = await client.listTools());
  });
  afterAll(() => close?.());

  it(`${id} has a tool for each of its operations except files, and no other`, () => {
    expect(tools.map(({ name }) => name).sort()).toEqual(own.map(nameOf).sort());
    for (const { inputSchema, outputSchema, title, description, annotations, name } of tools) {
      const operation = own.find((one) => nameOf(one) === name)!;
      expect(Object.keys(inputSchema.properties!)).toEqual(
        expect.arrayContaining(operation.parameters.map((parameter) => parameter.name)),
      );
      expect(inputSchema.required ?? []).toEqual(expect.arrayContaining([...requiredBy(provider, operation)]));
      expect(outputSchema).toMatchObject({ type: "object", required: ["response"] });
      expect(description).toContain(` in ${provider.manifest.name}.`);
      expect(title).toBe(`${operation.summary} in ${provider.manifest.name}`);
      expect((inputSchema.properties as any).limit?.default).toBe(operation.kind === "list" ? 20 : undefined);
      expect([annotations!.readOnlyHint ?? false, annotations!.destructiveHint ?? true]).toEqual([
        !isWrite(operation.kind),
        !isWrite(operation.kind) || operation.kind === "update",
      ]);
    }
  });

  it.each(toTry(own).map((operation) => [nameOf(operation), operation] as const))(
    `the tool %s works on ${id}, and its list matches the Unified API`,
    async (name, operation) => {
      const args = await argumentsFor(client, operation, provider);
      const paged = operation.kind === "list" ? { limit: 2 } : {};
      const result = await client.callTool({ name, arguments: { ...args, ...paged } });
      expect([result.isError ?? false, result.isError ? textOf(result) : ""]).toEqual([false, ""]);
      expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
      const { data, metadata } = (result.structuredContent as any).response;
      if (operation.kind !== "list") return;

      expect(data).toHaveLength(2);
      const path = operation.route.replace(/:(\w+)/g, (_, part: string) => encodeURIComponent(args[part] as string));
      const query = new URLSearchParams({ ...requiredQuery(operation), limit: "4" });
      const overHttp = await fetch(`${service.url}/unified${path}?${query}`, { headers: keyAndHeader(service, id) });
      const next = await client.callTool({ name, arguments: { ...args, limit: 2, after: metadata.next } });
      // Without what a person would not see at the provider.
      expect([...data, ...(next.structuredContent as any).response.data]).toEqual(
        cleanTexts(((await overHttp.json()) as any).response.data),
      );
    },
  );
});

describe("tool calls", () => {
  let client: McpClient;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ client, close } = await connect("github"));
  });
  afterAll(() => close?.());
  const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });
  const errorOf = async (name: string, args: Record<string, unknown>) => {
    const result = await call(name, args);
    expect(result.isError).toBe(true);
    return textOf(result);
  };

  it("a tool takes `params` and `include_raw` in the forms that models write them", async () => {
    for (const params of [{ sort: "updated" }, '{"sort":"updated"}'])
      for (const include_raw of [true, "true"]) {
        const result = await call("git_list_repositories", { limit: 2, params, include_raw, after: null });
        expect((result.structuredContent as any).response._raw).toHaveLength(12);
      }
    const plain = await call("git_list_repositories", { limit: "2" });
    expect((plain.structuredContent as any).response).not.toHaveProperty("_raw");
  });

  it("a list without a limit returns 20 records, because a model has to read them all", async () => {
    const { response } = (await call("git_list_repositories", {})).structuredContent as any;
    expect([response.data.length, response.metadata.next]).toEqual([20, expect.any(String)]);
  });

  it("a tool takes a repository's bare name instead of its full name", async () => {
    const page = await call("git_list_repositories", { limit: 100 });
    const names = (page.structuredContent as any).response.data.map(({ name }: any) => name);
    const unique = names.find((name: string) => names.filter((one: string) => one === name).length === 1);
    expect((await call("git_list_issues", { repo: unique, limit: 1 })).isError).toBeFalsy();
  });

  it("a tool call with wrong arguments says which are wrong and what is expected", async () => {
    expect(await errorOf("git_list_issues", { limit: 101, after: "edited" })).toMatch(
      /`repo` is required; `limit` must be <= 100\. Correct/,
    );
    expect(await errorOf("git_list_repositories", { page: 2, per_page: 3 })).toMatch(
      /`page` is not an argument of git_list_repositories, which takes updated_since, limit, after, fields, params, include_raw; `per_page`/,
    );
    expect(await errorOf("git_list_repositories", { page: null })).toContain("`page` is not an argument of");
    expect(await errorOf("git_list_repositories", { params: [1] })).toContain("`params` must be a JSON object");
    expect(await errorOf("git_list_repositories", { after: "edited" })).toMatch(/`after` .*Correct the arguments/);
    expect(await errorOf("git_list_issues", { repo: "../x" })).toContain("`repo` must not");
    expect(await errorOf("git_list_issues", { repo: "not-there-at-all" })).toMatch(
      /not-there-at-all.*Check the value/s,
    );
  });

  it("an argument that only the provider requires is named with the tool that lists its values", async () => {
    const jira = await connect("jira");
    const { tools } = await jira.client.listTools();
    const { properties, required } = tools.find(({ name }) => name === "tasks_create_task")!.inputSchema;
    expect(required).toEqual(["title", "project_id"]);
    expect((properties!.project_id as any).description).toContain("(tasks_list_projects)");
    const result = await jira.client.callTool({ name: "tasks_create_task", arguments: { title: "Without" } });
    expect([result.isError, textOf(result)]).toEqual([
      true,
      "`project_id` is required by Jira: pass an `id` from tasks_list_projects. Correct the arguments and call again.",
    ]);
    await jira.close();
    const shortcut = await connect("shortcut");
    const own = (await shortcut.client.listTools()).tools.find(({ name }) => name === "tasks_create_task")!;
    expect(own.inputSchema.required).toEqual(["title"]);
    await shortcut.close();
  });

  it("a write without any field says which there are, and an update that null leaves a field as it is", async () => {
    const hubspot = await connect("hubspot");
    const textWith = async (name: string, args: Record<string, unknown>) =>
      textOf(await hubspot.client.callTool({ name, arguments: args }));
    const fields = "One of first_name, last_name, email, phone, company_id, custom, provider is required";
    expect(await textWith("crm_create_contact", { email: null })).toContain(`${fields}. Correct`);
    expect(await textWith("crm_update_contact", { contact_id: "1", email: null })).toContain(
      `${fields}; null leaves a field as it is. Correct`,
    );
    await hubspot.close();
  });

  it("a tool call that the provider refuses reports its status, its answer and what to do", async () => {
    expect(await errorOf("git_list_issues", { repo: "nobody/nothing" })).toMatch(
      /^GitHub responded with 404: .*Not Found.*\nCheck/s,
    );
    await injectFault(service, { provider: "github", path: "/user/repos", status: 403, times: 1 });
    expect(await errorOf("git_list_repositories", {})).toMatch(/^GitHub responded with 403: .*grant more access/s);
    await injectFault(service, { provider: "github", path: "/user/repos", status: 429, retry_after: 60, times: 1 });
    expect(await errorOf("git_list_repositories", {})).toContain("Wait 60 seconds and call again.");
  });

  it("a call of an unknown tool names the tools that exist", async () => {
    await expect(call("git_delete_everything", {})).rejects.toThrow(
      /Unknown tool git_delete_everything; there are these: .*\bgit_list_repositories, /,
    );
    await expect(call("chat_list_users", {})).rejects.toThrow("Unknown tool");
  });
});

describe("a connection that can no longer be used", () => {
  async function addConnection() {
    const key = await service.createWorkspace(`mcp-${crypto.randomUUID()}`);
    const platform = createStrictPlatform(service, key);
    const { id: integration_id } = await platform("POST", "/integrations", {
      ...{ identifier: "github", type: "oauth2", base_url: "sandbox" },
      ...{ client_id: "sandbox", client_secret: "sandbox" },
    });
    const tokens = { auth_token: "made-up", refresh_token: "made-up" };
    const { id } = await platform("POST", "/connections", { integration_id, ...tokens });
    const { client, close } = await connectClient(`${service.url}/unified/v1/mcp`, {
      authorization: `Bearer ${key}.${id}`,
    });
    const callTool = async () => {
      const result = await client.callTool({ name: "git_list_repositories", arguments: {} });
      expect(result.isError).toBe(true);
      return textOf(result);
    };
    return { client, close, callTool, platform, id, integration_id };
  }

  it("a connection that cannot be refreshed still lists its tools, and a call says that the user has to connect again", async () => {
    const { client, close, callTool, id } = await addConnection();
    await service.store.connections.update(id, { expires_at: "2020-01-01T00:00:00.000Z" });
    await service.parts.coordination.invalidate("connection", id);
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    expect(await callTool()).toMatch(/has to connect again/);
    await close();
  });

  it("a call over a deleted integration or connection tells the model what to do instead of an HTTP error", async () => {
    const { client, close, callTool, platform, id, integration_id } = await addConnection();
    await platform("DELETE", `/integrations/${integration_id}`);
    expect(await callTool()).toMatch(/integration was deleted.* set it up again/i);
    await platform("DELETE", `/connections/${id}`);
    expect(await callTool()).toMatch(/no longer exists: the user has to connect again/);
    await expect(client.listTools()).rejects.toThrow("connection_not_found");
    await close();
  });
});

describe("Unified MCP over HTTP", () => {
  const post = (headers: Record<string, string>, body: unknown = { jsonrpc: "2.0", id: 1, method: "tools/list" }) =>
    fetch(`${service.url}/unified/v1/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  const firstError = async (response: Response) => {
    const body = (await response.json()) as any;
    return [response.status, body.success, body.errors[0].code, body.errors[0].path];
  };

  it("Unified MCP answers with the errors of the Unified API: first the key, then the connection", async () => {
    expect(await firstError(await post({}))).toEqual([401, false, 1000, undefined]);
    expect(await firstError(await post({ authorization: "Bearer sk_unknown.conn_x" }))).toEqual([
      401,
      false,
      1000,
      undefined,
    ]);
    const key = { authorization: `Bearer ${service.apiKey}` };
    expect(await firstError(await post(key))).toEqual([400, false, 7001, ["headers", "SVC-Connection-ID"]]);
    expect(await firstError(await post({ ...key, "SVC-Connection-ID": "conn_x" }))).toEqual([
      404,
      false,
      7002,
      undefined,
    ]);
    expect(await firstError(await post(keyAndHeader(service, "github"), "{not json"))).toEqual([
      400,
      false,
      7001,
      ["body"],
    ]);
  });

  it("every 401 of MCP, Unified MCP and the Unified API says how to authenticate", async () => {
    const signIn = `/unified/v1/mcp/w/${service.clientId}`;
    for (const path of ["/mcp", signIn, "/unified/v1/git/repos"]) {
      const response = await fetch(`${service.url}${path}`, { method: path.includes("mcp") ? "POST" : "GET" });
      // At Unified MCP, people can sign in.
      const metadata = `${service.url}/.well-known/oauth-protected-resource${signIn}`;
      const challenge = path === signIn ? `Bearer resource_metadata="${metadata}", scope="mcp"` : "Bearer";
      expect([path, response.status, response.headers.get("www-authenticate")]).toEqual([path, 401, challenge]);
    }
  });

  it("Unified MCP needs no session and no handshake, and answers with JSON", async () => {
    const response = await post(keyAndHeader(service, "github"));
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(response.headers.get("mcp-session-id")).toBeNull();
    expect(((await response.json()) as any).result.tools.length).toBeGreaterThan(0);
  });

  it("Unified MCP takes notifications and batches, and refuses invalid messages", async () => {
    const headers = keyAndHeader(service, "github");
    expect((await post(headers, { jsonrpc: "2.0", method: "notifications/initialized" })).status).toBe(202);
    const batch = [1, 2].map((id) => ({ jsonrpc: "2.0", id, method: "ping" }));
    expect(((await (await post(headers, batch)).json()) as any).map(({ id }: any) => id)).toEqual([1, 2]);
    const large = Array.from({ length: 101 }, (_, id) => ({ jsonrpc: "2.0", id, method: "ping" }));
    expect(await firstError(await post(headers, large))).toEqual([400, false, 7001, ["body"]]);
    const wrong = await post(headers, { hello: "world" });
    expect([wrong.status, ((await wrong.json()) as any).error.code]).toEqual([400, -32600]);
    const unknown = await post(headers, { jsonrpc: "2.0", id: 1, method: "no/such" });
    expect(((await unknown.json()) as any).error.code).toBe(-32601);
  });

  it("Unified MCP answers 405 to GET and DELETE, because it has no sessions", async () => {
    for (const method of ["GET", "DELETE"]) {
      const response = await fetch(`${service.url}/unified/v1/mcp`, {
        method,
        headers: { ...keyAndHeader(service, "github"), accept: "text/event-stream" },
      });
      expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
    }
  });

  it("Unified MCP requests are in the request log", async () => {
    await post(keyAndHeader(service, "github"));
    await service.parts.requestLog.flush();
    const response = await fetch(`${service.url}/platform/v1/logs?limit=100`, {
      headers: { authorization: `Bearer ${service.apiKey}` },
    });
    const entry = ((await response.json()) as any[]).find(({ path }) => path === "/unified/v1/mcp");
    expect(entry).toMatchObject({ connection_id: service.connections.github, status: 200 });
  });
});
