// Signing in at the identity provider in a real browser, with its own rules about cookies, forms and redirects.
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchChromium } from "../auth/support/chromium.ts";
import { startService, type TestService } from "../support/service.ts";
import { type Issuer, oidcEnv, startIssuer } from "./support/real-issuer.ts";

const browser = await launchChromium();
const axe = readFileSync(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

/** What axe finds on a page, and how much wider than the screen it is. */
async function problemsOf(page: Page): Promise<unknown> {
  await page.evaluate(axe);
  const found = "axe.run(document).then(({ violations }) => violations.map(({ id }) => id))";
  const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
  return [await page.evaluate(found), overflow];
}
const NONE = [[], 0];

let issuer: Issuer;
let service: TestService;
beforeAll(async () => {
  if (!browser) return;
  issuer = await startIssuer({
    grace: { name: "Grace Hopper", email: "grace@example.com", groups: ["devs", "support"] },
    nobody: { name: "A name without any space".replaceAll(" ", "-").repeat(3) },
  });
  service = await startService({ env: oidcEnv(issuer, "devs=developer@staging,support=viewer@production") });
  issuer.register(service.config.dashboardUrl);
  for (const name of ["staging", "production"]) await service.createWorkspace(name);
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
  await issuer?.close();
});

it.skipIf(!browser)(
  "somebody signs in, switches the workspace on a phone, and signs out here and at the issuer",
  async () => {
    const context = await browser!.newContext({ viewport: { width: 390, height: 800 } });
    context.setDefaultTimeout(60_000);
    const refusals: string[] = [];
    context.on("console", (message) => {
      if (/Content Security|Refused/.test(message.text())) refusals.push(message.text());
    });
    const page = await context.newPage();
    const { host } = new URL(issuer.url);
    await page.goto(`${service.url}/dashboard/webhooks`);
    await page.getByRole("link", { name: `Sign in with ${host}` }).click();
    await page.locator('input[name="login"]').fill("grace");
    await page.locator('input[name="password"]').fill("any");
    await page.getByRole("button", { name: "Sign-in" }).click();
    await page.waitForURL(`${service.url}/dashboard/webhooks`);
    const who = page.locator(".who");
    expect(await who.textContent()).toMatch(/Grace Hopper\s*developer/);
    const workspace = page.getByLabel("Workspace");
    expect(await workspace.locator("option").allTextContents()).toEqual(["production (viewer)", "staging (developer)"]);
    expect(await problemsOf(page)).toEqual(NONE);

    await workspace.selectOption("production (viewer)");
    await page.getByRole("button", { name: "Switch" }).click();
    await page.waitForURL(`${service.url}/dashboard`);
    expect(await who.textContent()).toMatch(/Grace Hopper\s*viewer/);

    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("link", { name: "sign out there too" }).waitFor();
    expect(await problemsOf(page)).toEqual(NONE);
    await page.getByRole("link", { name: "sign out there too" }).click();
    await page.getByRole("button", { name: "Yes, sign me out" }).click();
    await page.waitForURL(`${service.url}/dashboard/sign-in`);
    await page.getByRole("link", { name: `Sign in with ${host}` }).click();
    await page.locator('input[name="login"]').fill("nobody");
    await page.locator('input[name="password"]').fill("any");
    await page.getByRole("button", { name: "Sign-in" }).click();
    await page.getByRole("heading", { name: "You have no role here" }).waitFor();
    expect(await problemsOf(page)).toEqual(NONE);
    expect(refusals.filter((text) => !text.includes(host))).toEqual([]);
    await context.close();
  },
);
