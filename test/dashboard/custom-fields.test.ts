import { afterAll, beforeAll, expect, it } from "vitest";
import { createPlatform, type Platform } from "../support/platform.ts";
import { clearFaults, clearRequests, injectFault, seenRequests } from "../support/sandbox.ts";
import { startService, type TestService } from "../support/service.ts";
import { signIn, type Visitor } from "./support/visitor.ts";

let service: TestService;
let platform: Platform;
let visitor: Visitor;
beforeAll(async () => {
  service = await startService();
  platform = createPlatform(service, service.apiKey);
  visitor = await signIn(service);
});
afterAll(() => service?.close());

const chosen = () => `connection=${service.connections.hubspot}&operation=crm.listContacts`;

it("a person sees the fields of a connection with examples, picks one, sees its value, and declares it", async () => {
  const { html } = await visitor.get(`/custom-fields?${chosen()}`);
  expect(html).toContain("No custom fields yet");
  expect(html).toContain('Tier<span class="quiet mono anywhere">/properties/tier</span>');
  const [, link] = /href="\/dashboard(\/custom-fields\/new\?[^"]*%2Fproperties%2Fscore[^"]*)"/.exec(html)!;
  const page = await visitor.get(link!.replaceAll("&amp;", "&"));
  expect(page.html).toContain("Declare Score");
  expect(page.html).toMatch(/On a real record<\/dt>\s*<dd[^>]*>\d/);
  expect(page.html).toMatch(/name="name"[^>]* value="score"/);
  const form = { connection: service.connections.hubspot!, operation: "crm.listContacts", path: "/properties/score" };
  const wrong = await visitor.post("/custom-fields", { ...form, name: "Score!", type: "number", scope: "workspace" });
  expect([wrong.status, wrong.html]).toEqual([400, expect.stringContaining('id="name-problem"')]);
  expect(wrong.html).toMatch(/name="name"[^>]* value="Score!"/);
  const made = await visitor.post("/custom-fields", { ...form, name: "score", type: "number", scope: "connection" });
  expect(made.location).toContain("done=custom-field-created");
  const [declared] = (await platform("GET", "/v1/custom-fields")).body;
  expect(declared).toMatchObject({
    record: "crm.contact",
    name: "score",
    type: "number",
    paths: { hubspot: "/properties/score" },
    connection_id: service.connections.hubspot,
  });
  const again = await visitor.post("/custom-fields", { ...form, name: "score", type: "number", scope: "connection" });
  expect([again.status, again.html]).toEqual([400, expect.stringContaining("already")]);
  expect((await visitor.get("/custom-fields")).html).toContain(declared.id);
  expect((await visitor.post(`/custom-fields/${declared.id}/delete`)).location).toContain("done=custom-field-deleted");
  expect((await platform("GET", "/v1/custom-fields")).body).toEqual([]);
});

it("a declared field that the provider does not have is named", async () => {
  const paths = { hubspot: "/properties/deleted" };
  await platform("POST", "/v1/custom-fields", { record: "crm.contact", name: "gone", type: "string", paths });
  expect((await visitor.get(`/custom-fields?${chosen()}`)).html).toContain("Declared, but not there: gone.");
});

it("without a choice, the page has what is declared and asks no provider", async () => {
  const paths = { hubspot: "/properties/tier" };
  await platform("POST", "/v1/custom-fields", { record: "crm.contact", name: "tier", type: "string", paths });
  await clearRequests(service);
  const { html } = await visitor.get("/custom-fields");
  expect(await seenRequests(service)).toEqual([]);
  expect(html).toMatch(/\/properties\/tier[\s\S]*>Delete<[\s\S]*Select Choose to see the fields/);
});

it("while the provider fails, a declaration says so and suggests no type", async () => {
  await injectFault(service, { provider: "hubspot", status: 500, times: 50 });
  const { html } = await visitor.get(`/custom-fields/new?${chosen()}&path=%2Fproperties%2Fscore`);
  await clearFaults(service);
  expect(html).toMatch(/role="alert">[^<]*500/);
  expect(html).not.toContain("No value found");
  expect(html).toMatch(/<select id="type" name="type" required[^>]*><option value="" selected>Choose</);
});
