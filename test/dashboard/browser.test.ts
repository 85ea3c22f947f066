// The dashboard in a real browser: the whole story by keyboard alone, and everything without scripts.
import type { BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../auth/support/chromium.ts";
import { createStrictPlatform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";
import { newLink } from "./support/visitor.ts";

const browser = await launchChromium();

const PATIENCE = { timeout: 60_000 };
let service: TestService;
let contexts: BrowserContext[] = [];
/** What the browser refused because of the content security policy. */
let refusals: string[] = [];
beforeAll(async () => {
  if (browser) service = await startService();
});
afterEach(async () => {
  expect(refusals).toEqual([]);
  refusals = [];
  await Promise.all(contexts.map((context) => context.close()));
  contexts = [];
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

async function newPage(options: object = {}): Promise<Page> {
  const context = await browser!.newContext(options);
  contexts.push(context);
  context.setDefaultTimeout(PATIENCE.timeout);
  context.on("console", (message) => {
    if (/Content Security|Refused/.test(message.text())) refusals.push(message.text());
  });
  return context.newPage();
}

const linkUrl = async () => `${service.url}/dashboard/sign-in?link=${await newLink(service)}`;

/** A page of the dashboard, for somebody who has signed in. */
async function openPage(path: string): Promise<Page> {
  const page = await newPage();
  await page.goto(await linkUrl());
  await page.getByRole("button", { name: "Continue" }).click();
  await page.goto(`${service.url}/dashboard${path}`);
  return page;
}

// What the Tab key stops at.
const STOPS = 'a[href], button, input:not([type="hidden"]), select, textarea, summary, [tabindex="0"]';
// Text, because the type checker knows no browser.
const IS_SETTLED = '!document.querySelector("[autofocus]") || document.activeElement !== document.body';

/** Uses a page with the keyboard only. */
function keyboardOn(page: Page) {
  /** How many stops of the Tab key the target is away: negative if it is before the focus, which may be at no stop. */
  const distanceTo = (target: Locator) =>
    target.evaluate((element, selector) => {
      const { document } = globalThis as any;
      const stops = [...document.querySelectorAll(selector)].filter((stop) => stop.checkVisibility());
      const focus = stops.indexOf(document.activeElement);
      return focus < 0 ? undefined : stops.indexOf(element) - focus;
    }, STOPS);

  /** Moves the focus to an element with the Tab key. */
  async function tabTo(target: Locator): Promise<void> {
    await target.waitFor();
    // The browser may focus a field by itself, a moment after the page has loaded.
    await expect.poll(() => page.evaluate(IS_SETTLED), PATIENCE).toBe(true);
    for (let round = 0; round < 9; round++) {
      // Nothing has the focus at first. And a field for a time has several stops, so the distance is corrected.
      const distance = (await distanceTo(target)) ?? 1;
      if (distance === 0) return;
      const key = distance > 0 ? "Tab" : "Shift+Tab";
      for (let stop = 0; stop < Math.abs(distance); stop++) await page.keyboard.press(key);
    }
    throw new Error(`the keyboard does not reach ${target}`);
  }

  /** Presses Enter, and waits for the page that follows. */
  async function follow(target: Locator): Promise<void> {
    await tabTo(target);
    await Promise.all([page.waitForEvent("load", PATIENCE), page.keyboard.press("Enter")]);
  }

  return {
    tabTo,
    follow,
    link: (name: string | RegExp) => follow(page.getByRole("link", { name, exact: true }).first()),
    button: (name: string) => follow(page.getByRole("button", { name, exact: true })),
    /** Clears a field and types into it. */
    async type(label: string, text: string): Promise<void> {
      await tabTo(page.getByLabel(label, { exact: true }));
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type(text);
    },
    /** Chooses an option with the arrow keys. */
    async choose(label: string, text: string): Promise<void> {
      const select = page.getByLabel(label, { exact: true }).first();
      const options = await select.locator("option").allTextContents();
      const wanted = options.findIndex((option) => option.startsWith(text));
      if (wanted < 0) throw new Error(`${label} has no ${text}`);
      await tabTo(select);
      await page.keyboard.press("Home");
      for (let step = 0; step < wanted; step++) await page.keyboard.press("ArrowDown");
      expect(await select.evaluate((element: any) => element.selectedIndex)).toBe(wanted);
    },
    /** Opens a link in a new tab, and returns the page there. */
    async open(name: string): Promise<Page> {
      await tabTo(page.getByRole("link", { name }));
      const [opened] = await Promise.all([page.context().waitForEvent("page"), page.keyboard.press("Enter")]);
      await opened.waitForLoadState();
      return opened;
    },
  };
}

const heading = (page: Page) => page.getByRole("heading", { level: 1 }).textContent();
const textOf = async (page: Page) => (await page.locator("main").textContent())!.replace(/\s+/g, " ");

/** The user's side: the page of the link, the provider's consent, and the page that says that it is done. */
async function connect(page: Page): Promise<void> {
  await keyboardOn(page).button("Continue to Slack");
  await keyboardOn(page).button("Allow");
  await expect.poll(() => textOf(page), PATIENCE).toMatch(/connected/i);
  await page.close();
}

describe.runIf(browser)("the dashboard in a browser", () => {
  it("a broken connection is found and made to work again from the link on, by keyboard alone", async () => {
    const page = await newPage();
    const keyboard = keyboardOn(page);
    await page.goto(await linkUrl());
    await keyboard.button("Continue to the dashboard");
    expect(await heading(page)).toBe("Overview");

    // Connect the sandbox's Slack.
    await keyboard.link("Connections");
    await keyboard.link("Connect an account");
    await keyboard.choose("Provider", "Slack");
    await keyboard.type("External id", "customer-4711");
    await keyboard.button("Make a link");
    await connect(await keyboard.open("Connect an account now"));

    // Find it, and send a message.
    await keyboard.link("Connections");
    await keyboard.type("External id or connection id", "customer-4711");
    await keyboard.button("Search");
    await keyboard.link("customer-4711");
    await keyboard.link("Explore");
    await keyboard.choose("Operation", "chat · List channels");
    await keyboard.button("Choose");
    await keyboard.button("Send");
    const { data } = JSON.parse((await page.locator("#normalized").textContent())!);
    await keyboard.choose("Operation", "chat · Send");
    // The page still has the form of the previous operation.
    await page.getByText("Select Choose first").waitFor();
    expect(await page.getByRole("button", { name: "Send" }).isDisabled()).toBe(true);
    await keyboard.button("Choose");
    await keyboard.type("channel_id", data[0].id);
    await keyboard.type("text", "Sent from the explorer");
    await keyboard.button("Send");
    expect(await textOf(page)).toContain("chat.sendMessage succeeded");

    // It is in the request log, with what was called.
    await service.parts.requestLog.flush();
    await keyboard.link("In the request log");
    await keyboard.link(/^POST .*\/message$/);
    expect(await textOf(page)).toMatch(/chat\.postMessage/);

    // The access is withdrawn: a test call fails, and the connection is flagged.
    await keyboard.link("Sandbox");
    await keyboard.choose("Provider", "Slack");
    await keyboard.choose("What happens", "The access is withdrawn");
    await keyboard.button("Make it fail");
    await keyboard.link("Connections");
    await keyboard.type("External id or connection id", "customer-4711");
    await keyboard.button("Search");
    await keyboard.link("customer-4711");
    await keyboard.button("Test call");
    const broken = await textOf(page);
    expect(broken).toContain("The account has to be connected again.");
    expect(broken).toContain("the connection is no longer valid (invalid_refresh_token): connect again");
    await keyboard.link("Overview");
    expect(await textOf(page)).toMatch(/1\s+need attention[\s\S]*customer-4711/);

    // The user connects again, and it works.
    await keyboard.link("customer-4711");
    await keyboard.button("Reconnect link");
    await connect(await keyboard.open("Reconnect this account"));
    await keyboard.button("Test call");
    expect(await textOf(page)).toMatch(/identity\.getMe succeeded/);
    expect(await textOf(page)).not.toContain("has to be connected again");
    await keyboard.button("Sign out");
    expect(await heading(page)).toBe("Sign in");
  });

  it("without scripts, everything works as well", async () => {
    const key = await service.createWorkspace("no scripts");
    const page = await newPage({ javaScriptEnabled: false });
    const click = async (role: "button" | "link", name: string) => {
      await Promise.all([
        page.waitForEvent("load", PATIENCE),
        page.getByRole(role, { name, exact: true }).first().click(),
      ]);
    };
    await page.goto(`${service.url}/dashboard/integrations/new?q=github`);
    await page.getByLabel("API key").fill(key);
    await click("button", "Sign in");
    await click("button", "Try in sandbox GitHub");
    await click("link", "Connect an account");
    await page.getByLabel("External id").fill("someone");
    await click("button", "Make a link");
    await page.goto(await page.getByRole("textbox", { name: "Link" }).inputValue());
    await click("button", "Continue to GitHub");
    await click("button", "Allow");
    await page.goto(`${service.url}/dashboard/explorer`);
    await page.getByLabel("Operation").selectOption("git.listRepositories");
    await click("button", "Choose");
    await click("button", "Dry run");
    expect(await textOf(page)).toContain("Nothing was sent");
    await click("button", "Send");
    expect(await textOf(page)).toContain("git.listRepositories succeeded");
    await click("link", "API keys");
    await click("button", "Create a key");
    expect(await page.locator("#api-key").inputValue()).toMatch(/^sk_/);
    await click("link", "Settings");
    await page.getByLabel("Redirect URIs").fill("not an address");
    await click("button", "Save");
    expect(await page.locator("#redirect_uris-problem").textContent()).toContain("absolute URL");
    await click("link", "Connections");
    await click("link", "someone");
    await click("link", "Delete");
    await click("button", "Delete the connection");
    expect(await textOf(page)).toContain("The connection was deleted.");
    await click("button", "Sign out");
    expect(await heading(page)).toBe("Sign in");
  });

  it("a key gets scopes one by one by keyboard alone and without scripts, and their boxes are hidden until then", async () => {
    const page = await newPage({ javaScriptEnabled: false });
    const keyboard = keyboardOn(page);
    await page.goto(await linkUrl());
    await page.getByRole("button", { name: "Continue" }).click();
    await page.goto(`${service.url}/dashboard/keys`);
    const box = page.getByRole("checkbox", { name: "logs:read" });
    expect([await box.isVisible(), await page.getByLabel("Expiry date").isVisible()]).toEqual([false, false]);
    await keyboard.tabTo(page.getByLabel("Application server"));
    // From the first to the last.
    await page.keyboard.press("ArrowUp");
    expect(await page.getByLabel("Choose scopes").isChecked()).toBe(true);
    await keyboard.tabTo(box);
    await page.keyboard.press("Space");
    await keyboard.choose("Expires", "On a date");
    expect(await page.getByLabel("Expiry date").isVisible()).toBe(true);
    await keyboard.choose("Expires", "In 30 days");
    await keyboard.button("Create a key");
    expect(await page.locator("#api-key").inputValue()).toMatch(/^sk_/);
    expect(await page.locator("tbody tr").first().textContent()).toMatch(/logs:read.*in \d+ days/s);
  });

  it("on a phone, the navigation starts at the page that is open, and rows are cards with whole words", async () => {
    const page = await newPage({ viewport: { width: 375, height: 800 } });
    await page.goto(await linkUrl());
    await page.getByRole("button", { name: "Continue" }).click();
    await page.goto(`${service.url}/dashboard/settings`);
    // Text, because the type checker knows no browser.
    const box = (selector: string) =>
      page.evaluate<{ left: number; right: number; height: number }>(
        `document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect().toJSON()`,
      );
    const current = await box(".side [aria-current]");
    expect(current.left).toBeGreaterThanOrEqual(0);
    expect(current.right).toBeLessThanOrEqual(375);
    await page.goto(`${service.url}/dashboard/keys`);
    expect(await page.evaluate(`getComputedStyle(document.querySelector("td"), "::before").content`)).toBe('"Name"');
    expect(await page.getByRole("columnheader").count()).toBe(5);

    // A color is picked or typed.
    await page.goto(`${service.url}/dashboard/settings`);
    await page.getByLabel("Pick the color").fill("#123456");
    expect(await page.getByLabel("Color", { exact: true }).inputValue()).toBe("#123456");
    await page.getByLabel("Color", { exact: true }).fill("#abcdef");
    expect(await page.getByLabel("Pick the color").inputValue()).toBe("#abcdef");
  });

  it.each([
    ["/explorer", "git.createIssue"],
    ["/subscriptions/new", "git.listIssues"],
  ])("after Back on %s, the connection that is shown is the one that the form uses", async (path, operation) => {
    const { github, gitlab } = service.connections as { github: string; gitlab: string };
    const page = await openPage(`${path}?connection=${github}&operation=${operation}`);
    const select = page.getByLabel("Connection", { exact: true });
    const state = async () => [
      await select.inputValue(),
      await page.locator("form[method=post] [name=connection]").inputValue(),
      await page.locator("[data-chosen] button").first().isEnabled(),
    ];
    await select.selectOption(gitlab);
    expect(await state()).toEqual([gitlab, github, false]);
    await page.getByRole("button", { name: "Choose" }).click();
    await page.waitForURL((url) => url.searchParams.get("connection") === gitlab);
    expect(await state()).toEqual([gitlab, gitlab, true]);
    await page.goBack();
    expect(await state()).toEqual([github, github, true]);
    // A browser may also show the page exactly as it was left.
    await select.evaluate((element: any, value) => (element.value = value), gitlab);
    await page.evaluate('dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))');
    expect(await state()).toEqual([gitlab, github, false]);
  });

  it("an integration that requests no scopes still does after it was saved unchanged", async () => {
    const platform = createStrictPlatform(service, service.apiKey);
    const path = `/integrations/${service.integrations.github}`;
    await platform("PATCH", path, { scopes: [] });
    const page = await openPage(path);
    expect(await textOf(page)).toMatch(/Scopes ?None.*empty for none/);
    for (const [text, scopes] of [["", []] as const, ["repo", ["repo"]] as const, ["", null] as const]) {
      await page.goto(`${service.url}/dashboard${path}`);
      await page.getByLabel("Scopes", { exact: true }).fill(text);
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saved.").waitFor();
      expect((await platform("GET", path)).scopes).toEqual(scopes);
    }
  });

  it("saving a connection changes only what was edited, and keeps what the API changed meanwhile", async () => {
    const platform = createStrictPlatform(service, service.apiKey);
    const path = `/connections/${service.connections.jira}`;
    const stored = (plan: string) => ({ external_id: " lead", metadata: { plan, seats: 1 } });
    await platform("PATCH", path, stored("free"));
    const page = await openPage(path);
    const save = async (label: string, text: string, says: string) => {
      await page.getByLabel(label).fill(text);
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText(says).waitFor();
    };
    await save("Metadata", '{"plan": "pro", "seats": 1}', "Saved.");
    expect(await platform("GET", path)).toMatchObject(stored("pro"));

    await page.goto(`${service.url}/dashboard${path}`);
    await platform("PATCH", path, stored("changed by the API"));
    await save("External id", "x".repeat(300), "There is a problem");
    await save("External id", " edited ", "Saved.");
    expect(await platform("GET", path)).toMatchObject({ ...stored("changed by the API"), external_id: "edited" });
  });

  it("a long id or name pushes nothing out of view, and short words stay whole", async () => {
    const platform = createStrictPlatform(service, service.apiKey);
    await platform("PATCH", `/connections/${service.connections.front}`, { external_id: "0123456789abcdef".repeat(4) });
    await platform("PATCH", `/connections/${service.connections.box}`, { external_id: "customer_000004711" });
    await platform("POST", "/tool-packs", { name: "x".repeat(100), access: "read" });
    const page = await openPage("/connections");
    const excess = (element: string) => page.evaluate(`${element}.scrollWidth - ${element}.clientWidth`);
    for (const width of [1280, 1000, 380])
      for (const path of ["/connections", "/tool-packs"]) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(`${service.url}/dashboard${path}`);
        expect([width, path, await excess('document.querySelector(".table")')]).toEqual([width, path, 0]);
        const word = page.getByRole("link", { name: "customer_000004711" });
        if (path === "/connections") expect(await word.evaluate((link: any) => link.getClientRects().length)).toBe(1);
      }
    // A table that is too wide scrolls, and the page does not.
    await page.setViewportSize({ width: 1000, height: 900 });
    await page.evaluate('document.querySelector("td").style.minWidth = "2000px"');
    expect(await excess('document.querySelector(".table")')).toBeGreaterThan(1000);
    expect(await excess("document.documentElement")).toBe(0);
  });

  it("the buttons that copy do so", async () => {
    const page = await newPage({ permissions: ["clipboard-read", "clipboard-write"] });
    await page.goto(await linkUrl());
    await page.getByRole("button", { name: "Continue" }).click();
    await page.goto(`${service.url}/dashboard/settings`);
    await page.getByRole("button", { name: "Copy" }).click();
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()"), PATIENCE).toBe(service.clientId);
  });
});
