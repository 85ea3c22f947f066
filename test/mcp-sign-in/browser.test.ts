// Sign-in for an MCP client in a real browser without JavaScript: the pages by keyboard, on a phone and in the dark, and
// what comes of them.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launchChromium } from "../auth/support/chromium.ts";
import { newLink } from "../dashboard/support/visitor.ts";
import { textOf } from "../mcp/support.ts";
import { createPlatform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";
import { callTool, listTools, newClient, type TestClient } from "./support.ts";

const axe = readFileSync(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const browser = await launchChromium();

/** The client's own page, and the application's sign-in page. */
const site = createServer(async (request, response) => {
  response.setHeader("content-type", "text/html");
  const { pathname, searchParams } = new URL(request.url!, origin);
  if (pathname !== "/sign-in") return response.end("<!doctype html><title>Client</title><h1>Back</h1>");
  const proof = await createPlatform(service, applicationKey)(
    "POST",
    `/v1/mcp-sign-ins/${searchParams.get("request")}`,
    {
      external_id: "user-7",
    },
  );
  response.writeHead(302, { location: proof.body.url }).end();
});
let origin: string;
let service: TestService;
let applicationKey: string;
let client: TestClient;
let page: Page;
let securityErrors: string[];

beforeAll(async () => {
  if (!browser) return;
  site.listen(0, "127.0.0.1");
  await once(site, "listening");
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  service = await startService();
  client = await newClient(service, { name: "Desktop client", redirectUri: `${origin}/callback` });
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
  site.closeAllConnections();
  site.close();
});
beforeEach(async () => {
  if (!browser) return;
  securityErrors = [];
  await page?.context().close();
  page = await newPage();
});

async function newPage(options: object = {}): Promise<Page> {
  const context = await browser!.newContext({ javaScriptEnabled: false, ...options });
  const opened = await context.newPage();
  opened.setDefaultTimeout(60_000);
  opened.on(
    "console",
    (message) => void (/Content Security|Refused/.test(message.text()) && securityErrors.push(message.text())),
  );
  return opened;
}

const heading = () => page.getByRole("heading", { level: 1 }).textContent();
const click = (name: string) => page.getByRole("button", { name }).click();
const accountOf = (id: string) => page.locator(`input[value="${id}"]`);

async function signInWithKey() {
  await page.getByLabel("API key").fill(service.apiKey);
  await click("Continue with the key");
}

async function answer(): Promise<URLSearchParams> {
  await expect.poll(() => page.url()).toContain(client.redirectUri);
  return new URL(page.url()).searchParams;
}

describe.runIf(browser)("somebody who signs in for a client", () => {
  it("proves who they are with a key, chooses accounts and allows it", async () => {
    const connection = service.connections.github!;
    await page.goto(client.authorizeUrl());
    expect(await heading()).toBe("Sign in");
    await signInWithKey();
    expect(await heading()).toBe("Allow Desktop client to use your accounts?");
    expect(await page.locator("main").textContent()).toContain("127.0.0.1, a program on your own machine");
    await accountOf(connection).check();
    await page.getByLabel("read, and also create, change and send").check();
    await click("Allow");
    const { access_token } = (await client.redeem((await answer()).get("code")!)).body;
    expect((await listTools(client.resource, access_token, connection)).status).toBe(200);
    expect(securityErrors).toEqual([]);
  });

  it("refuses", async () => {
    await page.goto(client.authorizeUrl());
    await signInWithKey();
    await click("Deny");
    expect((await answer()).get("error")).toBe("access_denied");
  });

  it("proves who they are in the dashboard, and revokes it there", async () => {
    const connection = service.connections.linear!;
    await page.goto(`${service.url}/dashboard/sign-in?link=${await newLink(service)}`);
    await click("Continue to the dashboard");
    await page.goto(client.authorizeUrl());
    await page.getByRole("link", { name: "Continue with the dashboard" }).click();
    expect(await heading()).toBe("Allow Desktop client to use your accounts?");
    await accountOf(connection).check();
    await click("Allow");
    const { access_token, refresh_token } = (await client.redeem((await answer()).get("code")!)).body;
    expect((await listTools(client.resource, access_token, connection)).status).toBe(200);
    await page.goto(`${service.url}/dashboard/mcp`);
    await page.getByRole("button", { name: "Revoke the access of Desktop client" }).first().click();
    expect(await page.getByRole("status").textContent()).toBe("The access was revoked.");
    expect((await listTools(client.resource, access_token, connection)).status).toBe(401);
    expect((await client.refresh(refresh_token)).body.error).toBe("invalid_grant");
  });

  it("decides by keyboard alone", async () => {
    await page.goto(client.authorizeUrl());
    await signInWithKey();
    await page.locator('input[name="connection"]').first().focus();
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Allow" }).focus();
    await page.keyboard.press("Enter");
    expect((await answer()).get("code")).toMatch(/^pbc_/);
  });

  it("is told what is missing, at the accounts", async () => {
    await page.goto(client.authorizeUrl());
    await signInWithKey();
    await click("Allow");
    expect(await page.getByRole("alert").textContent()).toContain("Choose at least one account");
  });

  it("sees pages without accessibility problems, on a phone and a desktop, in light and in dark", async () => {
    for (const width of [320, 1280]) {
      await page.context().close();
      page = await newPage({ javaScriptEnabled: true, bypassCSP: true, viewport: { width, height: 800 } });
      await page.goto(client.authorizeUrl());
      await inspect();
      await signInWithKey();
      await inspect();
    }
  });

  it("is told what a tool pack limits, on a page without accessibility problems", async () => {
    const platform = createPlatform(service, service.apiKey);
    const pack = { name: "Sales", access: "read", categories: ["crm", "tasks"], hide: ["crm.contact.email"] };
    const { id } = (await platform("POST", "/v1/tool-packs", pack)).body;
    await platform("PATCH", "/v1/workspace", { mcp_tool_pack_id: id });
    await page.context().close();
    page = await newPage({ javaScriptEnabled: true, bypassCSP: true, viewport: { width: 320, height: 800 } });
    await page.goto(client.authorizeUrl());
    await signInWithKey();
    await platform("PATCH", "/v1/workspace", { mcp_tool_pack_id: null });
    expect(await page.getByRole("heading", { name: "Limits" }).count()).toBe(1);
    expect(await page.getByRole("listitem").allTextContents()).toContain("It can only use CRM, Tasks.");
    expect(await page.getByRole("radio").count()).toBe(0);
    await inspect();
  });

  it("lets a client call the services' own APIs by keyboard alone", async () => {
    await page.goto(client.authorizeUrl());
    await signInWithKey();
    await page.locator('input[name="connection"]').first().focus();
    await page.keyboard.press("Space");
    await page.getByLabel("only read").focus();
    await page.keyboard.press("Tab");
    const box = page.getByLabel("also call the services' own APIs");
    expect(await box.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    await page.keyboard.press("Space");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await client.redeem((await answer()).get("code")!);
    const [grant] = (await createPlatform(service, service.apiKey)("GET", "/v1/mcp-grants?order=newest&limit=1")).body;
    expect(grant).toMatchObject({ access: "read", call_api: true });
  });

  async function inspect() {
    await page.evaluate(axe);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const { violations } = await page.evaluate<any>("axe.run()");
      expect(violations.map(({ id, nodes }: any) => [id, nodes.map(({ html }: any) => html)])).toEqual([]);
      const overflow = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
      expect(overflow).toBeLessThanOrEqual(0);
    }
  }
});

describe.runIf(browser)("a user of an application that signs its own users in", () => {
  it("comes back from there, connects an account and allows it", async () => {
    applicationKey = await service.createWorkspace("application");
    const own = createPlatform(service, applicationKey);
    const workspace = (await own("PATCH", "/v1/workspace", { mcp_sign_in_url: `${origin}/sign-in` })).body;
    await own("POST", "/v1/integrations", { identifier: "linear", type: "api_key", base_url: "sandbox" });
    const resource = `${service.url}/unified/v1/mcp/w/${workspace.client_id}`;
    client = await newClient(service, { name: "Desktop client", redirectUri: `${origin}/callback`, resource });
    await page.goto(client.authorizeUrl());
    expect(await page.locator("main").textContent()).toContain("as user-7");
    await click("Connect another account");
    await page.locator("#key").fill(service.sandbox.credentials("linear", "api_key").credentials.token!);
    await click("Connect");
    expect(await heading()).toBe("Allow Desktop client to use your accounts?");
    expect(await page.getByLabel("Linear").isChecked()).toBe(true);
    await click("Allow");
    const { access_token } = (await client.redeem((await answer()).get("code")!)).body;
    const [connection] = (await own("GET", "/v1/connections?external_id=user-7")).body;
    expect((await listTools(resource, access_token, connection.id)).status).toBe(200);
    expect(securityErrors).toEqual([]);

    await own("POST", "/v1/integrations", { identifier: "github", type: "api_key", base_url: "sandbox" });
    const call = () => callTool(resource, access_token, "connect_account", { account: "github" });
    await page.goto(/open this link: (\S+)/.exec(textOf(await call()))![1]!);
    expect(await page.locator("main").textContent()).toContain(
      "Desktop client (127.0.0.1, a program on your own machine) can then use it",
    );
    await page.locator("#key").fill(service.sandbox.credentials("github", "api_key").credentials.token!);
    await click("Connect");
    expect(await heading()).toBe("GitHub is connected");
    expect((await call()).structuredContent).toEqual({ connected: "github" });
  });
});
