// The connect form in a real browser, with everything that the other ways to authenticate ask for.
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rsaKey } from "../support/keys.ts";
import { startService, type TestService } from "../support/service.ts";
import { createApplication } from "./support/application.ts";
import { launchChromium } from "./support/chromium.ts";
import { type Kind, kindCatalogue, kinds, toProvider } from "./support/issued-providers.ts";
import { createSession } from "./support/session.ts";

const browser = await launchChromium();
const axe = readFileSync(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

describe.runIf(browser)("the connect form in a browser", () => {
  let service: TestService;
  let page: Page;
  beforeAll(async () => {
    service = await startService({ catalogue: kindCatalogue });
    page = await browser!.newPage({ bypassCSP: true, viewport: { width: 360, height: 800 } });
    page.setDefaultTimeout(60_000);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  async function open(id: string): Promise<Kind> {
    const kind = kinds.find(({ document }) => document.id === id)!;
    const application = await createApplication(service, toProvider(kind), kind.type);
    await page.goto((await createSession(application)).url);
    return kind;
  }

  async function expectAccessible(): Promise<void> {
    await page.evaluate(axe);
    const { violations } = await page.evaluate<any>("axe.run()");
    expect(violations).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  }

  it("a private key is pasted into a field with several lines, and a wrong one is named", async () => {
    await open("assertion");
    await expectAccessible();
    await page.getByLabel("Account").fill("acme");
    const key = page.getByLabel("Private key");
    expect(await key.evaluate((element) => element.tagName)).toBe("TEXTAREA");
    await key.fill("not a key");
    await page.getByRole("button", { name: "Connect" }).click();
    expect(await page.getByRole("alert").textContent()).toContain("Private key: This must be the whole key");
    expect(await page.getByLabel("Private key").inputValue()).toBe("");
    expect(await page.getByLabel("Account").inputValue()).toBe("acme");
    await expectAccessible();
    await page.getByLabel("Private key").fill(rsaKey);
    await page.getByRole("button", { name: "Connect" }).click();
    await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toContain("is connected");
  });

  it("a key that is a user name is hidden like a password", async () => {
    await open("name-only");
    expect(await page.getByLabel("API key").getAttribute("type")).toBe("password");
    await expectAccessible();
  });

  it("choices are a list, and what is optional may stay empty", async () => {
    await open("open");
    await expectAccessible();
    expect(await page.getByLabel("Language (optional)").locator("option").allTextContents()).toEqual([
      "Choose",
      "en",
      "de",
    ]);
    await page.getByRole("button", { name: "Connect" }).click();
    await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toContain("is connected");
  });
});
