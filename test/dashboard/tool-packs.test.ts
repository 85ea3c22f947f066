import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../auth/support/chromium.ts";
import { newClient, newCode } from "../mcp-sign-in/support.ts";
import { createPlatform, type Platform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";
import { newLink, signIn, type Visitor } from "./support/visitor.ts";

const browser = await launchChromium();

let service: TestService;
let platform: Platform;
let visitor: Visitor;
beforeAll(async () => {
  service = await startService();
  platform = createPlatform(service, service.apiKey);
  visitor = await signIn(service);
  await visitor.get("/tool-packs");
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

const newest = async () => (await platform("GET", "/v1/tool-packs")).body.at(-1);

describe("the form for a new tool pack", () => {
  it.each([
    ["no boxes: all tools", {}, { categories: null, tools: null, access: "read", hide: [] }],
    ["a whole category", { categories: "crm", access: "write" }, { categories: ["crm"], tools: null, access: "write" }],
    ["single tools", { tools: ["crm_list_deals"] }, { categories: null, tools: ["crm_list_deals"] }],
    [
      "a category and a tool of another: the tools of both, as far as they read",
      { categories: "crm", tools: ["chat_list_users", "crm_list_deals"] },
      { categories: null, tools: ["crm_list_contacts", "crm_list_companies", "crm_list_deals", "chat_list_users"] },
    ],
    [
      "hidden fields",
      { hide: "crm.contact.email\r\n crm.deal.amount\r\n" },
      { hide: ["crm.contact.email", "crm.deal.amount"] },
    ],
  ])("%s", async (name, fields, expected) => {
    expect((await visitor.post("/tool-packs", { name, ...fields })).location).toContain("done=tool-pack-created");
    expect(await newest()).toMatchObject({ name, ...expected });
  });

  it("a mistake is shown next to its field, and everything else is kept", async () => {
    const { status, html } = await visitor.post("/tool-packs", {
      name: "kept",
      access: "write",
      categories: "crm",
      hide: "crm.contact.emial",
    });
    expect(status).toBe(400);
    expect(html).toContain('id="hide-problem">There is no field crm.contact.emial: did you mean crm.contact.email?<');
    expect(html).toMatch(/name="name"[^>]* value="kept"/);
    for (const value of ["write", "crm"]) expect(html).toMatch(new RegExp(`value="${value}"[^>]* checked`));
  });
});

describe("the form of an existing tool pack", () => {
  const create = async (pack: object) => (await platform("POST", "/v1/tool-packs", pack)).body.id as string;
  const boxes = (html: string) =>
    [...html.matchAll(/<input type="(?:checkbox|radio)"[^>]*value="([^"]+)"[^>]* checked/g)].map(([, value]) => value);

  it("has what the tool pack has, and changes it", async () => {
    const id = await create({ name: "Before", access: "write", categories: ["crm"], hide: ["crm.contact.email"] });
    const { html } = await visitor.get(`/tool-packs/${id}/edit`);
    expect(html).toMatch(/name="name"[^>]* value="Before"/);
    expect(html).toContain("crm.contact.email</textarea>");
    expect(boxes(html)).toEqual(["write", "crm"]);
    const sent = { name: "After", access: "read", tools: "crm_list_deals", hide: "crm.deal.amount" };
    expect((await visitor.post(`/tool-packs/${id}/edit`, sent)).location).toContain("/tool-packs?done=saved");
    expect((await platform("GET", `/v1/tool-packs/${id}`)).body).toMatchObject({
      name: "After",
      access: "read",
      categories: null,
      tools: ["crm_list_deals"],
      hide: ["crm.deal.amount"],
    });
  });

  it("does not widen one that has only the tools which are in its categories too", async () => {
    const tools = ["crm_list_deals", "git_list_issues"];
    const id = await create({ name: "Both", access: "read", categories: ["crm", "git"], tools });
    expect(boxes((await visitor.get(`/tool-packs/${id}/edit`)).html)).toEqual([
      "read",
      "git_list_issues",
      "crm_list_deals",
    ]);
  });

  it("shows a mistake next to its field, keeps the rest, and changes nothing", async () => {
    const id = await create({ name: "Kept", access: "read" });
    const sent = { name: "Changed", access: "write", hide: "crm.contact.emial" };
    const { status, html } = await visitor.post(`/tool-packs/${id}/edit`, sent);
    expect([status, html.includes("did you mean crm.contact.email?")]).toEqual([400, true]);
    expect(html).toMatch(/name="name"[^>]* value="Changed"/);
    expect((await platform("GET", `/v1/tool-packs/${id}`)).body).toMatchObject({ name: "Kept", access: "read" });
  });
});

describe("tool packs of MCP clients in the dashboard", () => {
  it("the settings have the tool pack of new clients, and the page MCP that of one client", async () => {
    const { id } = (await platform("POST", "/v1/tool-packs", { name: "For clients", access: "read" })).body;
    const workspace = (await platform("GET", "/v1/workspace")).body;
    const saved = await visitor.post("/settings", { name: workspace.name, mcp_tool_pack_id: id });
    expect(saved.location).toContain("done=saved");
    expect((await platform("GET", "/v1/workspace")).body.mcp_tool_pack_id).toBe(id);
    expect((await visitor.get("/settings")).html).toContain(`<option value="${id}" selected>For clients</option>`);
    await newCode(await newClient(service, { name: "Limited client" }));
    const [grant] = (await platform("GET", "/v1/mcp-grants?order=newest&limit=1")).body;
    expect((await visitor.get("/mcp")).html).toContain("Only the tool pack For clients");
    const form = await visitor.get(`/mcp/${grant.id}/tool-pack`);
    expect(form.html).toContain(`<option value="${id}" selected>For clients</option>`);
    expect((await visitor.post(`/mcp/${grant.id}/tool-pack`, { tool_pack_id: "tp_none" })).status).toBe(400);
    await visitor.post(`/mcp/${grant.id}/tool-pack`, { tool_pack_id: "" });
    expect((await platform("GET", `/v1/mcp-grants/${grant.id}`)).body.tool_pack_id).toBeNull();
    await visitor.post("/settings", { name: workspace.name, mcp_tool_pack_id: "" });
    expect((await platform("GET", "/v1/workspace")).body.mcp_tool_pack_id).toBeNull();
  });
});

describe("tool packs in the dashboard", () => {
  it("a key is created with a tool pack, shows it, and keeps it from being deleted", async () => {
    await visitor.post("/tool-packs", { name: "For the key" });
    const { id } = await newest();
    const { html } = await visitor.post("/keys", { name: "limited", preset: "pack", tool_pack_id: id });
    expect(html).toContain("Save the key now");
    expect(html).toContain("Only the tool pack For the key");
    const [key] = (await platform("GET", "/v1/api-keys?order=newest&limit=1")).body;
    expect(key).toMatchObject({ name: "limited", scopes: ["mcp"], tool_pack_id: id });
    const refused = await visitor.post(`/tool-packs/${id}/delete`);
    expect(refused.status).toBe(409);
    expect(refused.html).toContain("it is used by API key limited: delete them, or give them another tool pack, first");
    await platform("DELETE", `/v1/api-keys/${key.id}`);
    expect((await visitor.post(`/tool-packs/${id}/delete`)).location).toContain("done=tool-pack-deleted");
  });

  it("a key with a tool pack is offered only if there are tool packs", async () => {
    await service.createWorkspace("empty");
    const other = await signIn(service, "empty");
    expect((await other.get("/keys")).html).not.toContain('id="preset-pack"');
    const { html } = await other.post("/keys", { preset: "pack" });
    expect(html).toContain("Choose a tool pack");
  });
});

it.runIf(browser)("somebody creates a tool pack in a browser, gives it to a key, and deletes another", async () => {
  const page = await (await browser!.newContext()).newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(`${service.url}/dashboard/sign-in?link=${await newLink(service)}`);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("link", { name: "Tool packs" }).click();
  await page.getByLabel("Name").fill("In a browser");
  await page.getByText("CRM", { exact: true }).click();
  await page.getByLabel("All of CRM").check();
  await page.getByRole("button", { name: "Create the tool pack" }).click();
  await page.getByText("The tool pack was created.").waitFor();
  expect(await newest()).toMatchObject({ name: "In a browser", categories: ["crm"], access: "read" });

  await page.getByRole("link", { name: "API keys" }).click();
  const choice = page.getByLabel("Tool pack", { exact: true });
  expect(await choice.isVisible()).toBe(false);
  await page.getByLabel("Agent with a tool pack").check();
  await choice.selectOption({ label: "In a browser" });
  await page.getByRole("button", { name: "Create a key" }).click();
  await page.getByText("Save the key now").waitFor();
  expect(await page.getByText("Only the tool pack In a browser").count()).toBe(1);

  await page.getByRole("link", { name: "Tool packs" }).click();
  await page.getByRole("link", { name: /^Delete the tool pack hidden fields/ }).click();
  await page.getByRole("button", { name: "Delete the tool pack" }).click();
  await page.getByText("The tool pack was deleted.").waitFor();
});
