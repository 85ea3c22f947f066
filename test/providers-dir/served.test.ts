// A provider outside of the repository, as the service serves it: in TypeScript, and the same in JavaScript.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createAgent, pageOf } from "../auth/support/agent.ts";
import { Visitor } from "../dashboard/support/visitor.ts";
import { connectClient } from "../mcp/support.ts";
import { createStrictPlatform, type StrictPlatform } from "../support/platform.ts";
import { newDataDir, type PlugboardProcess, runCommand, startPlugboard } from "../support/process.ts";
import { copyAsJavaScript, copyProvider, newFolder, removeFolder, writeFiles } from "./support.ts";

const folder = newFolder();
const dataDir = newDataDir();
let service: PlugboardProcess;
let apiKey: string;
let connections: Record<string, string>;
let platform: StrictPlatform;

beforeAll(async () => {
  copyProvider(folder);
  copyAsJavaScript(folder);
  // What is installed beside the providers, such as another version of Plugboard, is for editors only.
  writeFiles(folder, {
    "node_modules/plugboard/package.json":
      '{ "name": "plugboard", "version": "0.0.1", "exports": { "./*": "./old.js" } }',
    "node_modules/plugboard/old.js": 'throw new Error("an old copy");',
    "package.json": '{ "type": "commonjs" }',
  });
  service = await startPlugboard({ DATA_DIR: dataDir, PROVIDERS_DIR: folder });
  const sandbox = JSON.parse(readFileSync(join(dataDir, "sandbox.json"), "utf8"));
  ({ api_key: apiKey, connections } = sandbox);
  platform = createStrictPlatform(service, apiKey);
});
afterAll(async () => {
  await service?.stop();
  for (const one of [folder, dataDir]) removeFolder(one);
});

async function call(path: string, id = "field-notes", init: RequestInit = {}): Promise<any> {
  const headers = { authorization: `Bearer ${apiKey}`, "SVC-Connection-ID": connections[id]! };
  const response = await fetch(`${service.url}${path}`, {
    ...init,
    headers: { ...headers, ...(init.body ? { "content-type": "application/json" } : {}) },
  });
  return response.json();
}

it("a provider's own list, record, write and account are served by Unified, the same in TypeScript and JavaScript", async () => {
  const [typescript, javascript] = await Promise.all(
    ["field-notes", "field-notes-js"].map((id) => call("/unified/v1/tasks/tasks?limit=60", id)),
  );
  expect(typescript.response.data).toHaveLength(60);
  expect(typescript.response.data[0]).toMatchObject({
    id: "n1",
    status_category: "todo",
    description: "Seen at **0** m",
    assignee: { id: "7", name: "Zoë Feld" },
    created_at: "2024-01-01T00:00:00.000Z",
  });
  expect(javascript.response.data).toEqual(typescript.response.data);
  expect((await call("/unified/v1/me")).response.data).toMatchObject({ id: "7", name: "Zoë Feld" });

  const body = JSON.stringify({ title: "Grün 🌱", description: "**new**" });
  const { data: created } = (await call("/unified/v1/tasks/tasks", "field-notes", { method: "POST", body })).response;
  expect(created).toMatchObject({ title: "Grün 🌱", description: "**new**", status: "draft" });
  expect((await call(`/unified/v1/tasks/tasks/${created.id}`)).response.data).toEqual(created);
  // An error of the kit is one of this service, and names the field.
  const refused = { title: "x", priority: "high" };
  const { errors } = await call("/unified/v1/tasks/tasks", "field-notes", {
    method: "POST",
    body: JSON.stringify(refused),
  });
  expect(errors[0]).toMatchObject({ code: 7001, path: ["body", "priority"] });
});

it("a provider's own API is reached by the Proxy, with its way to send the key", async () => {
  expect(await call("/proxy/self")).toEqual({ user_id: 7, full_name: "Zoë Feld" });
});

it("a provider's operations are tools of Unified MCP", async () => {
  const headers = { authorization: `Bearer ${apiKey}`, "SVC-Connection-ID": connections["field-notes"]! };
  const { client, close } = await connectClient(`${service.url}/unified/v1/mcp`, headers);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["tasks_list_tasks", "tasks_get_task", "tasks_create_task"]),
  );
  expect(tools.map(({ name }) => name)).not.toContain("tasks_update_task");
  const result: any = await client.callTool({ name: "tasks_get_task", arguments: { task_id: "n1" } });
  expect(result.content[0].text).toContain("Seen at");
  await close();
});

it("the Platform API and the command line list a provider with its operations and settings", async () => {
  const listed = (await platform("GET", "/providers")).find(({ id }: { id: string }) => id === "field-notes");
  expect(listed).toMatchObject({
    name: "Field Notes",
    auth_types: ["api_key"],
    operations: ["identity.getMe", "tasks.listTasks", "tasks.getTask", "tasks.createTask"],
    settings: [{ name: "subdomain", label: "Subdomain" }],
    base_urls: { api_key: "https://{subdomain}.field-notes.example/api/v2" },
    fields: {},
  });
  const { code, stdout } = await runCommand(["providers", "--json"], { PROVIDERS_DIR: folder });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toContainEqual(listed);
});

it("users connect accounts of a provider with its own form, and a wrong key is refused", async () => {
  const { id: integration } = await platform("POST", "/integrations", {
    identifier: "field-notes",
    type: "api_key",
    base_url: "sandbox",
    name: "Notes",
  });
  const session = { external_id: "user-1", integrations: [integration] };
  const agent = createAgent(service.url);
  const page = pageOf(await agent.open((await platform("POST", "/connect-sessions", session)).url));
  expect(page.text).toContain("Personal key");
  expect(page.text).toContain("https://field-notes.example/keys");
  const values = { decision: "continue", "setting-subdomain": "sandbox" };
  const wrong = pageOf(await agent.submit(page, { ...values, key: "wrong" }));
  expect(wrong.text).toContain("Field Notes refused with status 401");
  expect(await platform("GET", "/connections?external_id=user-1")).toEqual([]);
  await agent.submit(wrong, { ...values, key: "sandbox-key-of-a-user" });
  const [connection, ...others] = await platform("GET", "/connections?external_id=user-1");
  expect(others).toEqual([]);
  expect(connection).toMatchObject({ integration_identifier: "field-notes", is_valid: true });
});

it("the dashboard has a provider in its catalogue and its connections", async () => {
  const visitor = new Visitor(service);
  await visitor.get("/sign-in");
  await visitor.post("/sign-in", { api_key: apiKey });
  expect((await visitor.get("/integrations/new")).html).toContain("Field Notes");
  const { html } = await visitor.get(`/explorer?connection=${connections["field-notes-js"]}`);
  expect(html).toContain("tasks.createTask");
  expect(html).not.toContain("tasks.updateTask");
});

it("a subscription emits an event for a change at a provider's emulator", async () => {
  const { id } = await platform("POST", "/subscriptions", {
    connection_id: connections["field-notes"],
    operation: "tasks.listTasks",
    interval_seconds: 3600,
  });
  const finished = async () => (await platform("GET", `/subscriptions/${id}`)).last_run?.finished_at ?? "";
  await expect.poll(finished, { interval: 50 }).not.toBe("");
  const before = await finished();
  const change = { provider: "field-notes", list: "tasks.listTasks", update: 1 };
  const made = await call("/sandbox/_changes", "field-notes", { method: "POST", body: JSON.stringify(change) });
  await platform("POST", `/subscriptions/${id}/run`);
  await expect.poll(finished, { interval: 50 }).not.toBe(before);
  const { data } = await platform("GET", "/events?limit=100&type=tasks.task.updated");
  expect(data.map((event: any) => event.data.record.id)).toEqual(made.updated);
});
