import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { AuthType } from "../../src/contracts/authentication.ts";
import type { Provider } from "../../src/contracts/provider.ts";
import { askedSettings } from "../../src/engine/connection/settings.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { emulators } from "../../src/providers/sandboxes.gen.ts";
import { startService, type TestService } from "../support/service.ts";
import { type Application, createApplication, validValues } from "./support/application.ts";
import { launchChromium } from "./support/chromium.ts";

const browser = await launchChromium();

/** The first provider with this type of authentication that asks for settings, or that does not. */
const pick = (type: AuthType, asksForSettings: boolean): Provider =>
  providers.find(
    ({ manifest }) => manifest.auth[type] && asksForSettings === askedSettings(manifest, type).length > 0,
  )!;

const consenting = pick("oauth2", false);
const keyed = pick("api_key", false);
const named = pick("basic", true);
const valuesOf = (provider: Provider, type: AuthType) =>
  validValues(provider, type, emulators[provider.manifest.id]?.settings);

const MINUTE = 60_000;

/** A client application that shows the query it was called with. */
const site = createServer((request, response) => {
  response.setHeader("content-type", "text/html");
  response.end(`<!doctype html><title>Application</title><p>Back with ${request.url?.replaceAll("&", "&amp;")}`);
});

let service: TestService;
let redirectUri: string;
/** Created once, because a new context is slow. */
let main: { context: BrowserContext; page: Page };
/** The page that the test is on. */
let page: Page;
/** Security errors that the browser logged. */
let securityErrors: string[];

beforeAll(async () => {
  if (!browser) return;
  site.listen(0, "127.0.0.1");
  await once(site, "listening");
  redirectUri = `http://127.0.0.1:${(site.address() as AddressInfo).port}/back`;
  service = await startService();
  main = await newContext();
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
  site.closeAllConnections();
  site.close();
});
beforeEach(async () => {
  if (!browser) return;
  page = main.page;
  securityErrors = [];
  await main.context.clearCookies();
});
afterEach(async () => {
  vi.useRealTimers();
  if (page !== main?.page) await page?.context().close();
});

async function newContext(options: object = {}) {
  const context = await browser!.newContext({ javaScriptEnabled: false, ...options });
  const first = await context.newPage();
  first.setDefaultTimeout(60_000);
  first.on(
    "console",
    (message) => void (/Content Security|Refused/.test(message.text()) && securityErrors.push(message.text())),
  );
  return { context, page: first };
}

const applicationOf = (provider: Provider, type: AuthType) =>
  createApplication(service, provider, type, { redirectUris: [redirectUri] });

const begin = (application: Application, parameters: Record<string, string> = {}) =>
  page.goto(application.authorizeUrl({ redirect_uri: redirectUri, state: "s", ...parameters }));

const click = (name: string) => page.getByRole("button", { name }).click();

async function fill(values: Record<string, string>) {
  for (const [name, value] of Object.entries(values)) {
    const field = page.locator(`#${name}`);
    if (await field.count()) await field.fill(value);
  }
}

/** Waits for an address. Polls, because a second click cancels the navigation events of the first. */
const reach = (start: string) => expect.poll(() => page.url()).toContain(start);

/** Waits for the redirect to the application and returns its query. */
async function applicationQuery(): Promise<URLSearchParams> {
  await reach(redirectUri);
  return new URL(page.url()).searchParams;
}

async function expectConnected(application: Application): Promise<void> {
  const parameters = await applicationQuery();
  expect(parameters.get("state")).toBe("s");
  const redeemed = await application.redeem(parameters.get("code")!, redirectUri);
  expect(redeemed.status).toBe(200);
  expect((await application.call(redeemed.body.connection_id)).status).toBe(200);
}

const heading = () => page.getByRole("heading", { level: 1 }).textContent();

const ways: { name: string; provider: Provider; type: AuthType }[] = [
  { name: "consent", provider: consenting, type: "oauth2" },
  { name: "consent with a setting", provider: pick("oauth2", true), type: "oauth2" },
  { name: "key", provider: keyed, type: "api_key" },
  { name: "name and password with a setting", provider: named, type: "basic" },
];

/** Fills in the first page and submits it. */
async function sendFirstPage({ provider, type }: { provider: Provider; type: AuthType }, press = click) {
  await fill(valuesOf(provider, type));
  await press(type === "oauth2" ? "Continue" : "Connect");
}

describe.runIf(browser)("the connect flow in a browser without JavaScript", () => {
  it.each(ways)("an account is connected by $name and can be used", async (way) => {
    const application = await applicationOf(way.provider, way.type);
    await begin(application);
    expect(await heading()).toBe(`Connect ${way.provider.manifest.name}`);
    await sendFirstPage(way);
    if (way.type === "oauth2") {
      expect(await heading()).toContain("(sandbox)");
      await click("Allow");
    }
    await expectConnected(application);
    expect(securityErrors).toEqual([]);
  });

  it("a connection keeps its id when it is reconnected in a browser", async () => {
    const application = await applicationOf(keyed, "api_key");
    const { id } = await application.platform("POST", "/connections", {
      integration_id: application.integrationId,
      auth_token: "old",
    });
    expect((await application.call(id)).status).toBe(401);
    await begin(application, { connection_id: id });
    expect(await heading()).toBe(`Reconnect ${keyed.manifest.name}`);
    await sendFirstPage({ provider: keyed, type: "api_key" });
    const redeemed = await application.redeem((await applicationQuery()).get("code")!, redirectUri);
    expect(redeemed.body.connection_id).toBe(id);
    expect((await application.call(id)).status).toBe(200);
  });

  it("denying consent and canceling the first page both return to the application with access_denied", async () => {
    const application = await applicationOf(consenting, "oauth2");
    await begin(application);
    await click("Continue");
    await click("Deny");
    expect(Object.fromEntries(await applicationQuery())).toMatchObject({ error: "access_denied", state: "s" });
    await begin(application);
    await click("Cancel");
    expect(Object.fromEntries(await applicationQuery())).toMatchObject({ error: "access_denied", state: "s" });
  });

  it("a wrong key shows the provider's reason and an empty, focused field", async () => {
    const application = await applicationOf(keyed, "api_key");
    await begin(application);
    await page.getByLabel(keyed.manifest.auth.api_key!.label).fill("not the right one");
    await click("Connect");
    const alert = page.getByRole("alert");
    expect(await alert.textContent()).toContain(`${keyed.manifest.name} refused`);
    const field = page.getByLabel(keyed.manifest.auth.api_key!.label);
    expect(await field.inputValue()).toBe("");
    expect(await page.content()).not.toContain("not the right one");
    expect(await page.title()).toMatch(/^Error: /);
    // The field is focused, so typing needs no click.
    await page.keyboard.type(validValues(keyed, "api_key").key!);
    await page.keyboard.press("Enter");
    await expectConnected(application);
  });

  it("a page that was left open too long says so and links back to the start", async () => {
    const application = await applicationOf(consenting, "oauth2");
    await begin(application);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 11 * MINUTE });
    await click("Continue");
    expect(await heading()).toBe("This page has expired");
    await page.getByRole("link", { name: "Start again" }).click();
    await click("Continue");
    await click("Allow");
    await expectConnected(application);
  });

  it("consent that is given too late ends on a page that says so", async () => {
    const application = await applicationOf(consenting, "oauth2");
    await begin(application);
    await click("Continue");
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 11 * MINUTE });
    await click("Allow");
    expect(await heading()).toBe("This link has expired");
  });

  /** While the browser swaps processes after a navigation there is no history for a moment: nothing was done then. */
  const goBack = () =>
    vi.waitFor(() => page.goBack(), {
      timeout: 60_000,
      interval: 100,
    });

  it("the back button leads to pages that work or say why they do not", async () => {
    const application = await applicationOf(consenting, "oauth2");
    await begin(application);
    await click("Continue");
    await click("Allow");
    await expectConnected(application);
    // Back on the provider's page, whose state has been used.
    await goBack();
    expect(await heading()).toContain("(sandbox)");
    await click("Allow");
    expect(await heading()).toBe("This link has expired");
    // Back on the first page, from which a new connection can be made.
    await goBack();
    await goBack();
    expect(await heading()).toBe(`Connect ${consenting.manifest.name}`);
    await click("Continue");
    await click("Allow");
    await expectConnected(application);
  });

  it.each([ways[0]!, ways[2]!])("a double click creates one connection: $name", async (way) => {
    const application = await applicationOf(way.provider, way.type);
    const doubleClick = (name: string) => page.getByRole("button", { name }).dblclick({ noWaitAfter: true });
    const isBack = () => page.url().startsWith(redirectUri);
    const isOver = async () => (await page.getByRole("heading", { name: "This link has expired" }).count()) > 0;
    await begin(application);
    await sendFirstPage(way, doubleClick);
    if (way.type === "oauth2") {
      await reach("/sandbox/");
      await doubleClick("Allow");
      // The second click can cancel the navigation of the first after its answer was accepted. Then the browser shows the
      // page for the second click, which says that this step is over.
      await expect.poll(async () => isBack() || (await isOver())).toBe(true);
    }
    if (!(await isOver())) await expectConnected(application);
    await expect.poll(() => application.platform("GET", "/connections")).toHaveLength(1);
  });

  it("a flow that was started in another browser cannot be finished", async () => {
    const application = await applicationOf(consenting, "oauth2");
    await begin(application);
    await click("Continue");
    const consent = page.url();
    // The attacker's consent, finished in the victim's browser.
    ({ page } = await newContext());
    await page.goto(consent);
    await click("Allow");
    expect(await heading()).toBe("This cannot be completed here");
    expect(await application.platform("GET", "/connections")).toEqual([]);
  });
});

describe.runIf(browser)("the pages of the connect flow", () => {
  it("the pages of the connect flow cannot be framed", async () => {
    const application = await applicationOf(consenting, "oauth2");
    const url = application.authorizeUrl({ redirect_uri: redirectUri });
    await page.goto(redirectUri);
    await page.setContent(`<iframe src="${url.replaceAll("&", "&amp;")}"></iframe>`);
    await expect.poll(() => securityErrors.join()).toMatch(/frame-ancestors|X-Frame-Options/);
    const [, frame] = page.frames();
    expect(await frame?.locator("form").count()).toBe(0);
  });

  it.each(["light", "dark"] as const)(
    "the pages have labels and enough contrast in the %s color scheme",
    async (colorScheme) => {
      ({ page } = await newContext({ colorScheme, javaScriptEnabled: true }));
      const application = await applicationOf(named, "basic");
      await begin(application);
      await click("Cancel").then(() => applicationQuery());
      await begin(application);
      await fill({ ...valuesOf(named, "basic"), password: "wrong" });
      await click("Connect");
      await page.getByRole("alert").waitFor();
      expect(await page.locator("html").getAttribute("lang")).toBe("en");
      const { username, password } = named.manifest.auth.basic!;
      for (const label of [username, password!]) expect(await page.getByLabel(label, { exact: true }).count()).toBe(1);
      expect(await lowContrast()).toEqual([]);
      await page.goto(`${service.url}/auth/authorize`);
      expect(await lowContrast()).toEqual([]);
    },
  );

  it("the pages fit a screen of 320 pixels", async () => {
    ({ page } = await newContext({ viewport: { width: 320, height: 480 }, javaScriptEnabled: true }));
    await begin(await applicationOf(named, "basic"));
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
  });

  /** Elements whose contrast is below WCAG's 4.5 : 1. */
  const lowContrast = (): Promise<unknown> =>
    page.evaluate(`(() => {
      const numbers = (color) => color.match(/[\\d.]+/g).map(Number);
      const light = ([r, g, b]) => [r, g, b]
        .map((part) => part / 255)
        .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
        .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
      const behind = (element) => {
        const color = numbers(getComputedStyle(element).backgroundColor);
        return color[3] === 0 && element.parentElement ? behind(element.parentElement) : color;
      };
      const texts = [...document.querySelectorAll("h1, h2, p, a, li, label, button, input, footer, strong")];
      return texts.filter((element) => {
        const [one, other] = [numbers(getComputedStyle(element).color), behind(element)].map(light).sort((a, b) => b - a);
        return (one + 0.05) / (other + 0.05) < 4.5;
      }).map((element) => element.outerHTML);
    })()`);
});
