// Providers by one JSON document in the dashboard: without scripts by HTTP, and the editor in a real browser.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../auth/support/chromium.ts";
import { createStrictPlatform, type StrictPlatform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";
import { startUpstream, type Upstream } from "../support/upstream.ts";
import { newLink, signIn, type Visitor } from "./support/visitor.ts";

const browser = await launchChromium();
let service: TestService;
let upstream: Upstream;
let platform: StrictPlatform;
let visitor: Visitor;
beforeAll(async () => {
  upstream = await startUpstream((request, response) => {
    response.setHeader("content-type", "application/json");
    if (request.headers["x-api-key"] !== "right") response.statusCode = 401;
    response.end(JSON.stringify({ method: request.method, path: request.url, note: "<b>from the provider</b>" }));
  });
  service = await startService({ env: { ALLOW_PRIVATE_UPSTREAMS: "true" } });
  platform = createStrictPlatform(service, service.apiKey);
  visitor = await signIn(service);
});
afterAll(async () => {
  await browser?.close();
  await Promise.all([service?.close(), upstream?.close()]);
});

const acme = (change: object = {}) => ({
  id: "acme",
  name: "Acme",
  docs_url: "https://docs.acme.test",
  categories: ["billing"],
  addresses: { api: `${upstream.url}/v1` },
  auth: { api_key: { in: "header", name: "X-API-Key", label: "API key" } },
  check: { get: "/me" },
  ...change,
});
const sent = (change?: object) => ({ document: JSON.stringify(acme(change)) });
/** The text of a page without its markup. */
const textOf = (html: string) =>
  html
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&#39;", "'")
    .replace(/\s+/g, " ");

async function connect(identifier: string, auth_token: string): Promise<string> {
  const { id } = await platform("POST", "/integrations", { identifier, type: "api_key" });
  return (await platform("POST", "/connections", { integration_id: id, auth_token, external_id: "u-1" })).id;
}

describe("own providers without scripts", () => {
  it("a provider is created, listed, changed and deleted with forms", async () => {
    expect(textOf((await visitor.get("/providers")).html)).toContain("No providers of your own yet");
    const created = await visitor.post("/new-provider", sent({ id: "forms" }));
    expect(created.location).toBe("/dashboard/providers/forms?done=provider-created");
    expect(textOf((await visitor.get("/providers")).html)).toMatch(/Acme forms API key/);

    const { check: _, ...changed } = acme({ id: "forms", name: "Acme 2" });
    const saved = await visitor.post("/providers/forms", { document: JSON.stringify(changed) });
    expect(saved.location).toBe("/dashboard/providers/forms?done=saved");
    expect((await platform("GET", "/providers/forms")).document).toEqual(changed);

    expect((await visitor.post("/providers/forms/delete")).location).toBe("/dashboard/providers?done=provider-deleted");
    expect((await visitor.get("/providers/forms")).status).toBe(404);
  });

  it.each(["api_key", "oauth2", "basic", "constructor"])("the template %s is a valid document", async (template) => {
    const { html } = await visitor.get(`/new-provider?template=${template}`);
    const text = /<textarea[^>]*>([\s\S]*?)<\/textarea>/.exec(html)![1]!.replaceAll("&quot;", '"');
    const checked = await visitor.post("/check-provider", { document: text });
    expect(JSON.parse(checked.html)).toEqual({ problems: [] });
  });

  it("a provider of the catalogue is shown, and one of one's own can be started from it", async () => {
    const [{ id, name }] = (await platform("GET", "/providers")).filter((one: any) => one.origin === "catalogue");
    const { html } = await visitor.get(`/providers/${id}`);
    expect(textOf(html)).toContain(`${name} Add an integration Start your own from it`);
    expect(html).not.toContain("<textarea");
    expect(textOf((await visitor.get(`/new-provider?from=${id}`)).html)).toContain(`"id": "own-${id}"`);
  });

  it("a provider with code has no such page", async () => {
    expect((await visitor.get("/providers/github")).status).toBe(404);
  });

  it.each<[string, string, string]>([
    ["text that is not JSON", "{ id: 1 }", "It is not valid JSON"],
    ["JSON that is no object", "[]", "It must be a JSON object"],
    ["a bad document", '{"id": "x", "auth": {}}', "addresses: Is required"],
    ["an id that is taken", JSON.stringify({ id: "github" }), "name: Is required"],
  ])("%s is refused with what is wrong, and kept", async (_, document, problem) => {
    const { status, html } = await visitor.post("/new-provider", { document });
    expect(status).toBe(400);
    expect(textOf(html)).toContain(problem);
    expect(textOf(html)).toContain(document);
  });

  it("an id that is taken and a document that is too large are refused with the reason", async () => {
    const taken = await visitor.post("/new-provider", sent({ id: "github" }));
    expect([taken.status, textOf(taken.html)]).toEqual([409, expect.stringContaining("GitHub is built in")]);
    const large = await visitor.post("/new-provider", sent({ notes: ["x".repeat(70_000)] }));
    expect([large.status, textOf(large.html)]).toEqual([413, expect.stringContaining("64 kB")]);
  });

  it("a provider that integrations use is not deleted, and the page says why", async () => {
    await visitor.post("/new-provider", sent({ id: "used" }));
    await connect("used", "right");
    const { status, html } = await visitor.post("/providers/used/delete");
    expect([status, textOf(html)]).toEqual([409, expect.stringContaining("1 integration uses it: delete them first")]);
    expect((await visitor.get("/providers/used")).status).toBe(200);
  });

  it("a test call goes through the Proxy, and shows the status and the body as text", async () => {
    await visitor.post("/new-provider", sent({ id: "called" }));
    expect(textOf((await visitor.get("/providers/called")).html)).toContain("Connect an account of it first");
    const connection = await connect("called", "right");
    const call = { connection, method: "GET", path: "/me?a=b", body: "" };
    const right = await visitor.post("/providers/called/call", call);
    expect(textOf(right.html)).toContain("GET /me?a=b 200 The provider's answer");
    expect(textOf(right.html)).toContain('"path": "/v1/me?a=b"');
    expect(right.html).not.toContain("<b>from");
    const posted = await visitor.post("/providers/called/call", { ...call, method: "POST", body: '{"a":1}' });
    expect(textOf(posted.html)).toContain('"method": "POST"');
    const wrong = await connect("called", "wrong");
    const refused = await visitor.post("/providers/called/call", { ...call, connection: wrong });
    expect(textOf(refused.html)).toContain("The provider answered with 401.");
  });

  it.each([
    ["/../platform/v1/api-keys", "path segments"],
    ["//elsewhere.test/x", "must not begin with two slashes"],
    ["https://elsewhere.test", "must begin with a slash"],
    ["", "must begin with a slash"],
  ])("a test call of the path %j is refused, and nothing is sent", async (path, problem) => {
    const before = upstream.seen.length;
    const { html } = await visitor.post("/providers/called/call", { connection: "x", method: "POST", path });
    expect(textOf(html)).toContain(problem);
    expect(upstream.seen.length).toBe(before);
  });

  it("of a large answer only the beginning is read and shown", async () => {
    const large = await startUpstream((_, response) => {
      const piece = "x".repeat(64 * 1024);
      const write = () => {
        while (!response.destroyed && response.write(piece));
        if (!response.destroyed) response.once("drain", write);
      };
      write();
    });
    await visitor.post("/new-provider", sent({ id: "endless", addresses: { api: large.url }, check: undefined }));
    const connection = await connect("endless", "right");
    const { html } = await visitor.post("/providers/endless/call", { connection, method: "GET", path: "/" });
    expect(html.length).toBeLessThan(250_000);
    expect(html).toContain("more characters");
    await large.close();
  });
});

describe("the catalogue in the dashboard", () => {
  it("providers are found by name, category and offer, and marked by what they offer", async () => {
    const own = await platform("POST", "/providers", acme({ id: "marked", name: "Marked" }));
    const shown = async (query: string) => textOf((await visitor.get(`/integrations/new?${query}`)).html);
    expect(await shown("q=marked")).toContain("Marked Your own billing Set up Marked");
    expect(await shown("q=github")).toMatch(/GitHub Unified git/);
    expect(await shown("category=billing")).toContain("Marked");
    expect(await shown("category=billing")).not.toContain("GitHub");
    const proxyOnly = await shown("offer=proxy");
    const catalogue = (await platform("GET", "/providers")).filter((one: any) => one.origin === "catalogue");
    for (const { name } of catalogue) expect(proxyOnly).toContain(`${name} Proxy only`);
    expect(proxyOnly).not.toContain("GitHub");
    expect(await shown("q=no-such-provider")).toContain("No provider matches");
    expect(own.origin).toBe("workspace");
  });
});

describe.runIf(browser)("the editor in a browser", () => {
  async function openPage(path: string): Promise<{ page: Page; refusals: string[] }> {
    const context = await browser!.newContext();
    context.setDefaultTimeout(60_000);
    const refusals: string[] = [];
    context.on("console", (message) => {
      if (/Content Security|Refused/.test(message.text())) refusals.push(message.text());
    });
    const page = await context.newPage();
    await page.goto(`${service.url}/dashboard/sign-in?link=${await newLink(service)}`);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.waitForURL("**/dashboard");
    await page.goto(`${service.url}/dashboard${path}`);
    return { page, refusals };
  }

  it("what is wrong is listed while somebody types, and a valid document is created, called and deleted", async () => {
    const { page, refusals } = await openPage("/new-provider");
    const editor = page.getByLabel("Document");
    const check = page.locator("#document-check");
    await check.getByText("The document is valid.").waitFor();
    await editor.fill('{ "id": "typed" ');
    await check.getByText("document: is not valid JSON").waitFor();
    await editor.fill(JSON.stringify(acme({ id: "typed", name: undefined, extra: "<img src=x>" })));
    await check.getByText("2 to correct:").waitFor();
    expect(await check.getByRole("listitem").allTextContents()).toEqual([
      "name: is required",
      expect.stringContaining("extra: is unknown"),
    ]);
    expect(await editor.getAttribute("aria-invalid")).toBe("true");
    await editor.fill(JSON.stringify(acme({ id: "typed" })));
    await check.getByText("The document is valid.").waitFor();
    await page.getByRole("button", { name: "Create the provider" }).click();
    await page.getByText("The provider was created.").waitFor();

    await connect("typed", "right");
    await page.reload();
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText('"path": "/v1/me"').waitFor();

    const { id } = (await platform("GET", "/integrations?limit=100")).find((one: any) => one.identifier === "typed");
    await platform("DELETE", `/integrations/${id}`);
    await page.getByRole("link", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete the provider" }).click();
    await page.getByText("The provider was deleted.").waitFor();
    expect(refusals).toEqual([]);
  });
});
