// Connect sessions in a real browser: the choice of a provider by keyboard, the pop-up, and what other pages learn.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { startService, type TestService } from "../support/service.ts";
import { createAgent } from "./support/agent.ts";
import { type Application, agree, createApplication, validValues } from "./support/application.ts";
import { MINUTE } from "./support/attack.ts";
import { launchChromium } from "./support/chromium.ts";
import { createSession } from "./support/session.ts";
import { ledger, quirk, toyCatalogue, toySettings } from "./support/toy-providers.ts";

const browser = await launchChromium();
const axe = readFileSync(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const basicValues = validValues(ledger, "basic", toySettings.ledger);
const oauthValues = validValues(quirk, "oauth2", toySettings.quirk);

/** The example of the docs, which the application's server serves. */
const [, example = ""] = /```html\n(.*?)```/s.exec(
  readFileSync(new URL("../../docs/connecting.md", import.meta.url), "utf8"),
)!;

let service: TestService;
let application: Application;
let site: Server;
/** The same server under another origin, which is not registered. */
let siteUrl: string;
let otherOrigin: string;
/** What the next session of the example page is created with. */
let sessionFields: Record<string, unknown>;
/** The link of the session that the application's server created last. */
let lastLink: string | undefined;
let contexts: BrowserContext[] = [];

beforeAll(async () => {
  if (!browser) return;
  service = await startService({ catalogue: toyCatalogue });
  site = createServer(async (request, response) => {
    if (request.method === "POST") {
      lastLink = (await createSession(application, sessionFields)).url;
      return void response.end(lastLink);
    }
    response.setHeader("content-type", "text/html");
    // Separates the page from every window of another origin that it opens.
    if (request.url === "/?separated") response.setHeader("cross-origin-opener-policy", "same-origin");
    response.end(example.replaceAll("http://127.0.0.1:8080", service.url));
  });
  site.listen(0, "127.0.0.1");
  await once(site, "listening");
  const { port } = site.address() as AddressInfo;
  siteUrl = `http://127.0.0.1:${port}/`;
  otherOrigin = `http://localhost:${port}/`;
  application = await createApplication(service, ledger, "basic", { redirectUris: [`${siteUrl}back`] });
  await application.platform("POST", "/integrations", {
    identifier: "quirk",
    name: "Quirk for work",
    type: "oauth2",
    base_url: "sandbox",
    client_id: "a client",
    client_secret: "made up",
  });
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
  site?.closeAllConnections();
  site?.close();
});
afterEach(async () => {
  vi.useRealTimers();
  for (const context of contexts) await context.close();
  contexts = [];
});

async function newPage(options: object = {}): Promise<Page> {
  const context = await browser!.newContext(options);
  contexts.push(context);
  context.setDefaultTimeout(60_000);
  return context.newPage();
}

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const click = (page: Page, name: string) => page.getByRole("button", { name }).click();

async function fill(page: Page, values: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    const field = page.locator(`#${name}`);
    if (await field.count()) await field.fill(value);
  }
}

/** Presses Tab until an element with this text has the focus, at most as often as a page has elements. */
async function tabTo(page: Page, text: string): Promise<void> {
  const focused = () => page.locator(":focus");
  for (let presses = 0; presses < 20; presses++) {
    await page.keyboard.press("Tab");
    if ((await focused().count()) && (await focused().textContent())?.includes(text)) return;
  }
  throw new Error(`Tab does not lead to "${text}"`);
}

describe.runIf(browser)("a connect session in a browser", () => {
  it("an account is chosen and connected by keyboard alone, without JavaScript", async () => {
    const { url } = await createSession(application, { external_id: "keyboard" });
    const page = await newPage({ javaScriptEnabled: false });
    await page.goto(url);
    await tabTo(page, "Quirk for work");
    await page.keyboard.press("Enter");
    await expect.poll(() => heading(page).textContent()).toBe("Connect Quirk");
    // The first field has the focus.
    await page.keyboard.type(oauthValues["setting-tenant"]!);
    await page.keyboard.press("Enter");
    await expect.poll(() => heading(page).textContent()).toContain("(sandbox)");
    await tabTo(page, "Allow");
    await page.keyboard.press("Enter");
    await expect.poll(() => heading(page).textContent()).toBe("Quirk is connected");
    const [connection] = await application.platform("GET", "/connections?external_id=keyboard");
    expect((await application.platform("GET", `/connections/${connection.id}`)).is_valid).toBe(true);
  });

  it("a connection is reconnected, once, and the link then works in no other browser", async () => {
    const { id } = await application.platform("POST", "/connections", {
      integration_id: application.integrationId,
      username: "old",
      password: "old",
      settings: toySettings.ledger,
    });
    const { url } = await application.platform("POST", "/connect-sessions", { connection_id: id });
    const page = await newPage();
    await page.goto(url);
    expect(await heading(page).textContent()).toBe("Reconnect Ledger & Sons");
    await fill(page, basicValues);
    await click(page, "Connect");
    await expect.poll(() => heading(page).textContent()).toBe("Ledger & Sons is connected");
    expect((await application.call(id)).status).toBe(200);
    await page.goto(url);
    expect(await heading(page).textContent()).toBe("Ledger & Sons is connected");
    const thief = await newPage();
    await thief.goto(url);
    expect(await heading(thief).textContent()).toBe("This cannot be completed here");
  });

  it("a link that is older than 30 minutes says so", async () => {
    const { url } = await createSession(application);
    const page = await newPage();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 31 * MINUTE });
    await page.goto(url);
    expect(await heading(page).textContent()).toBe("This link does not work");
  });

  it("no page has an accessibility problem, on a phone and a desktop, in light and in dark", async () => {
    const page = await newPage({ bypassCSP: true });
    const expectAccessible = async () => {
      await page.evaluate(axe);
      for (const width of [375, 1280])
        for (const colorScheme of ["light", "dark"] as const) {
          await page.setViewportSize({ width, height: 800 });
          await page.emulateMedia({ colorScheme });
          const { violations } = await page.evaluate<any>("axe.run()");
          expect(violations.map(({ id, nodes }: any) => [id, nodes.map((node: any) => node.html)])).toEqual([]);
          expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
        }
    };
    await page.goto((await createSession(application)).url);
    await expectAccessible();
    await page.getByRole("link", { name: "Cancel" }).click();
    await expectAccessible();
    await page.getByRole("link", { name: "Try again" }).click();
    await page.getByRole("link", { name: "Ledger" }).click();
    await expectAccessible();
    await fill(page, basicValues);
    await click(page, "Connect");
    await expect.poll(() => heading(page).textContent()).toContain("is connected");
    await expectAccessible();
  });
});

describe.runIf(browser)("the pop-up of the example page", () => {
  const result = (page: Page) => page.locator("#result").textContent();

  /** Opens the pop-up by the example's button, with the given choice. */
  async function openPopup(page: Page, fields: Record<string, unknown>): Promise<Page> {
    sessionFields = fields;
    if (page.url() !== siteUrl) await page.goto(siteUrl);
    const opened = page.waitForEvent("popup");
    await click(page, "Connect an account");
    return opened;
  }

  it("the pop-up is opened and closed, and its result is shown", async () => {
    const page = await newPage();
    const popup = await openPopup(page, { external_id: "popup" });
    await popup.getByRole("link", { name: "Quirk for work" }).click();
    await fill(popup, oauthValues);
    await click(popup, "Continue");
    const closed = popup.waitForEvent("close");
    await click(popup, "Allow");
    await closed;
    const [{ id }] = await application.platform("GET", "/connections?external_id=popup");
    await expect.poll(() => result(page)).toBe(`Connected quirk as ${id}`);
  });

  it("the pop-up reports that the user canceled or closed it, and can be opened again", async () => {
    const page = await newPage();
    const popup = await openPopup(page, { external_id: "canceled" });
    await popup.getByRole("link", { name: "Cancel" }).click();
    await expect.poll(() => result(page)).toBe("Not connected: The user canceled");
    await expect.poll(() => popup.isClosed()).toBe(true);
    const second = await openPopup(page, { external_id: "canceled" });
    await heading(second).waitFor();
    await second.close();
    await expect.poll(() => result(page)).toBe("Not connected: The window was closed");
    expect(await application.platform("GET", "/connections?external_id=canceled")).toEqual([]);
  });

  it("the pop-up gives its result although it was separated from the page that opened it", async () => {
    const page = await newPage();
    // The browser of the test says that every page has the focus; a user's has given it to the pop-up.
    await page.addInitScript("document.hasFocus = () => false");
    sessionFields = { external_id: "separated", integrations: ["quirk"] };
    lastLink = undefined;
    await page.goto(`${siteUrl}?separated`);
    await click(page, "Connect an account");
    await expect.poll(() => lastLink).toBeDefined();
    await agree(createAgent(service.url), lastLink!, oauthValues);
    const [{ id }] = await application.platform("GET", "/connections?external_id=separated");
    await expect.poll(() => result(page)).toBe(`Connected quirk as ${id}`);
  });

  it("the pop-up reports nothing to a page of an origin that is not registered", async () => {
    const page = await newPage();
    await page.goto(otherOrigin);
    await page.evaluate("window.heard = []; addEventListener('message', ({ data }) => heard.push(data))");
    const { url } = await createSession(application, { external_id: "overheard", integrations: ["ledger"] });
    const opened = page.waitForEvent("popup");
    await page.evaluate(`void window.open(${JSON.stringify(url)})`);
    const popup = await opened;
    await fill(popup, basicValues);
    await click(popup, "Connect");
    await expect.poll(() => heading(popup).textContent()).toBe("Ledger & Sons is connected");
    await popup.waitForLoadState("load");
    // Messages arrive in order: one that the page's script had sent would be first.
    await popup.evaluate(`opener.postMessage("sent by the test", ${JSON.stringify(otherOrigin)})`);
    await expect.poll(() => page.evaluate("heard")).toEqual(["sent by the test"]);
    const asked = page.evaluate(`fetch(${JSON.stringify(url.replace("/connect?", "/connect/result?"))})`);
    await expect(asked).rejects.toThrow(/Failed to fetch/);
  });

  it("the page ignores messages of other windows and of other kinds", async () => {
    const page = await newPage();
    const popup = await openPopup(page, { external_id: "forged" });
    await heading(popup).waitFor();
    const forged = { type: "plugboard.connect", status: "connected", connection_id: "forged" };
    await page.evaluate(`postMessage(${JSON.stringify(forged)}, "*")`);
    await popup.evaluate(`opener.postMessage({ type: "other", status: "connected" }, ${JSON.stringify(siteUrl)})`);
    // The cancellation is sent after them, so they have arrived.
    await popup.getByRole("link", { name: "Cancel" }).click();
    await expect.poll(() => result(page)).toBe("Not connected: The user canceled");
  });
});

describe("the files for applications", () => {
  it("the script has at most 4 kB, pages of every origin may load it, and its types are served", async () => {
    const own = await startService({ catalogue: toyCatalogue });
    const script = await fetch(`${own.url}/auth/connect.js`);
    expect(Buffer.byteLength(await script.text())).toBeLessThanOrEqual(4096);
    expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(script.headers.get("access-control-allow-origin")).toBe("*");
    const types = await (await fetch(`${own.url}/auth/connect.d.ts`)).text();
    expect(types).toContain("export function connect(");
    await own.close();
    expect(example.split("\n").length - 1).toBeLessThanOrEqual(20);
  });
});
