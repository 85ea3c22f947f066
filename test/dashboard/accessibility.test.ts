// axe-core on every page of the dashboard and on the API reference, on a phone and on a screen, light and dark; and how
// much a browser loads.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../auth/support/chromium.ts";
import { createStrictPlatform } from "../support/platform.ts";
import { injectFault } from "../support/sandbox.ts";
import { startService, type TestService } from "../support/service.ts";
import { newLink } from "./support/visitor.ts";

const browser = await launchChromium();
const axe = readFileSync(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

interface Violation {
  id: string;
  nodes: { target: string[]; html: string; failureSummary: string }[];
}

let service: TestService;
let page: Page;
beforeAll(async () => {
  if (!browser) return;
  service = await startService({ env: { ALLOW_PRIVATE_UPSTREAMS: "true" } });
  page = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(`${service.url}/dashboard/sign-in?link=${await newLink(service)}`);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL("**/dashboard");
  await prepare();
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

/** Something to show on every page: requests, errors, a fault, and a connection that needs attention. */
async function prepare(): Promise<void> {
  const headers = { authorization: `Bearer ${service.apiKey}`, "SVC-Connection-ID": service.connections.slack! };
  await fetch(`${service.url}/unified/v1/chat/channels?limit=2`, { headers });
  await injectFault(service, { provider: "slack", revoke_tokens: true });
  await fetch(`${service.url}/unified/v1/chat/channels?limit=2`, { headers });
  await injectFault(service, { provider: "github", status: 500, times: 9 });
  await service.parts.requestLog.flush();
}

/** A connection of the provider by a document. */
async function connectAcme(): Promise<void> {
  const platform = createStrictPlatform(service, service.apiKey);
  const { id } = await platform("POST", "/integrations", { identifier: "acme", type: "api_key" });
  await platform("POST", "/connections", { integration_id: id, auth_token: "made-up", external_id: "u-1" });
}

const open = (path: string) => page.goto(`${service.url}/dashboard${path}`);
const press = (name: string) =>
  Promise.all([page.waitForEvent("load"), page.getByRole("button", { name, exact: true }).click()]);

/** Each page by name, and how to get there. */
const pages: Record<string, () => Promise<unknown>> = {
  overview: () => open(""),
  // Filters keep the tables short: axe looks at every cell.
  connections: () => open("/connections?health=invalid"),
  "connections, none found": () => open("/connections?external_id=nobody"),
  "a connection": () => open(`/connections/${service.connections.slack}`),
  "a connection after a test call": () =>
    open(`/connections/${service.connections.jira}`).then(() => press("Test call")),
  "a reconnect link": () => open(`/connections/${service.connections.slack}`).then(() => press("Reconnect link")),
  "deleting a connection": () => open(`/connections/${service.connections.slack}/delete`),
  "connecting an account": () => open("/connect"),
  integrations: () => open("/integrations"),
  catalogue: () => open("/integrations/new?q=git"),
  "a new integration": () => open("/integrations/new/slack"),
  "a new integration of an MCP server": () => open("/integrations/new/mcp"),
  "an integration": () => open(`/integrations/${service.integrations.slack}`),
  "own providers, none yet": () => open("/providers"),
  "a new provider with mistakes": async () => {
    await open("/new-provider");
    await page.getByLabel("Document").fill('{ "id": "Acme" }');
    await page.getByText("to correct:").waitFor();
    await press("Create the provider");
  },
  "a provider by a document": async () => {
    await open("/new-provider");
    const document = await page.getByLabel("Document").inputValue();
    await page
      .getByLabel("Document")
      .fill(document.replace("https://api.acme.example/v1", `${service.url}/sandbox/github`));
    await press("Create the provider");
  },
  "a provider after a test call": async () => {
    await connectAcme();
    await open("/providers/acme");
    await press("Send");
  },
  "own providers": () => open("/providers"),
  "deleting a provider that is used": () => open("/providers/acme/delete").then(() => press("Delete the provider")),
  "custom fields": () =>
    open(`/custom-fields?connection=${service.connections.zendesk}&operation=helpdesk.listTickets`),
  "declaring a custom field with a mistake": async () => {
    await open(
      `/custom-fields/new?connection=${service.connections.hubspot}&operation=crm.listContacts&path=/properties/tier`,
    );
    await page.getByLabel("Name").fill("Tier!");
    await press("Declare the field");
  },
  explorer: () => open(`/explorer?connection=${service.connections.slack}&operation=chat.sendMessage`),
  "a result in the explorer": () =>
    open(`/explorer?connection=${service.connections.linear}&operation=tasks.listTasks`).then(() => press("Send")),
  requests: () => open("/requests"),
  "a request": () => open("/requests").then(() => page.locator("td a").first().click()),
  events: () => open(`/events?connection_id=${service.connections.slack}`),
  "subscribing to a list": () =>
    open(`/subscriptions/new?connection=${service.connections.github}&operation=git.listIssues`),
  "a subscription": async () => {
    await open(`/subscriptions/new?connection=${service.connections.linear}&operation=tasks.listTasks`);
    await press("Subscribe");
  },
  subscriptions: () => open("/subscriptions"),
  "deleting a subscription": async () => {
    await open("/subscriptions");
    await page.locator("td a").first().click();
    await page.locator('a[href$="/delete"]').first().click();
  },
  "a webhook": async () => {
    await open("/webhooks");
    await page.getByLabel("Name").fill("Receiver");
    await page.getByLabel("URL").fill("http://127.0.0.1:1/hook");
    await press("Create the webhook");
    await page.getByRole("link", { name: "Receiver" }).click();
    await press("Send a test event");
  },
  webhooks: () => open("/webhooks"),
  "deleting a webhook": async () => {
    await open("/webhooks");
    await page.getByRole("link", { name: "Receiver" }).click();
    await page.locator('a[href$="/delete"]').first().click();
  },
  "the audit log": () => open("/audit"),
  "API keys": () => open("/keys").then(() => press("Create a key")),
  "API keys with mistakes": async () => {
    await open("/keys");
    await page.getByLabel("Choose scopes").check();
    await page.getByLabel("Expires", { exact: true }).selectOption("date");
    await press("Create a key");
  },
  "tool packs with a mistake": async () => {
    await open("/tool-packs");
    await page.getByLabel("Name").fill("Sales");
    await page.getByText("CRM", { exact: true }).click();
    await page.getByLabel("Hidden fields").fill("crm.contact.emial");
    await press("Create the tool pack");
  },
  "tool packs": async () => {
    await page.getByLabel("Hidden fields").fill("crm.contact.email");
    await press("Create the tool pack");
  },
  "deleting a tool pack": () => page.locator('a[href$="/delete"]').first().click(),
  "an API key with a tool pack": async () => {
    await open("/keys");
    await page.getByLabel("Agent with a tool pack").check();
    await press("Create a key");
  },
  "deleting an API key": () => open("/keys").then(() => page.locator('a[href$="/delete"]').first().click()),
  "deleting an integration": () => open(`/integrations/${service.integrations.slack}/delete`),
  "settings with a mistake": async () => {
    await open("/settings");
    await page.getByLabel("Redirect URIs").fill("nonsense");
    await press("Save");
  },
  sandbox: () => open("/sandbox?seen=linear"),
  "not found": () => open("/nowhere"),
};

// Text, because the type checker knows no browser.
const OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
/** One of these views of each page, in turn: the components of the pages are the same, and so each is seen in all four. */
const views = [
  { width: 375, colorScheme: "light" },
  { width: 1280, colorScheme: "dark" },
  { width: 1280, colorScheme: "light" },
  { width: 375, colorScheme: "dark" },
] as const;
let turn = 0;

async function expectAccessible(name: string): Promise<void> {
  const { width, colorScheme } = views[turn++ % views.length]!;
  await page.setViewportSize({ width, height: 800 });
  await page.emulateMedia({ colorScheme });
  await page.evaluate(axe);
  const { violations } = await page.evaluate<{ violations: Violation[] }>(
    `axe.run(document, { resultTypes: ["violations"] })`,
  );
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(" ")}: ${failureSummary}`),
  );
  expect(found, `${name}, ${width} px, ${colorScheme}`).toEqual([]);
  // Nothing is wider than any of the screens.
  const other = width === 375 ? 1280 : 375;
  expect(await page.evaluate(OVERFLOW), `${name} is wider than ${width} px`).toBe(0);
  await page.setViewportSize({ width: other, height: 800 });
  expect(await page.evaluate(OVERFLOW), `${name} is wider than ${other} px`).toBe(0);
}

describe.runIf(browser)("accessibility of the dashboard", () => {
  it.each(Object.keys(pages))("axe finds no violation on the page: %s", async (name) => {
    await pages[name]!();
    await expectAccessible(name);
  });

  it("axe finds no violation on the pages for signing in", async () => {
    await open(`/sign-in?link=${await newLink(service)}`);
    await expectAccessible("sign-in link");
    await open("/sign-in?link=old");
    await expectAccessible("sign-in");
  });

  it("axe would find a violation", async () => {
    await open("/nowhere");
    await page.evaluate(axe);
    await page.evaluate(`document.querySelector("h1").insertAdjacentHTML("afterend", "<img src=''>")`);
    const { violations } = await page.evaluate<{ violations: Violation[] }>("axe.run()");
    expect(violations.map(({ id }) => id)).toContain("image-alt");
  });

  it("a page loads only its own assets, and those are small", async () => {
    const requested: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    await open("/connections");
    await open("/explorer");
    expect(requested.filter((url) => !url.startsWith(`${service.url}/dashboard`))).toEqual([]);
    const folder = join(import.meta.dirname, "../../src/surfaces/dashboard/assets");
    const bytes = readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
    expect(bytes).toBeLessThan(60_000);
  });
});

describe.runIf(browser)("accessibility of the guides", () => {
  // The largest tables are left out: axe looks at every cell.
  it.each(["quickstarts", "configuration", "providers/README"])(
    "axe finds no violation in the guide %s",
    async (name) => {
      await page.goto(`${service.url}/docs/guides/${name}`);
      await expectAccessible(name);
    },
  );
});

describe.runIf(browser)("the API reference in a browser", () => {
  async function openReference(query: string, width: number, colorScheme: "light" | "dark"): Promise<void> {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await page.goto(`${service.url}/docs${query}`);
    await page.waitForSelector('[class*="copy-button"]', { state: "attached" });
    // What is further down is rendered when it is scrolled to.
    await page.mouse.wheel(0, 4_000);
    await page.waitForSelector("ul.endpoints", { state: "attached" });
    await page.evaluate(axe);
  }

  async function findings(rules = ""): Promise<string[]> {
    const { violations } = await page.evaluate<{ violations: Violation[] }>(
      `axe.run(document, { resultTypes: ["violations"]${rules} })`,
    );
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id} at ${html}: ${failureSummary}`),
    );
  }

  it("the API reference works under its policy, and axe finds nothing", async () => {
    const blocked: string[] = [];
    page.on("console", (message) => {
      if (message.text().includes("Content Security Policy")) blocked.push(message.text());
    });
    page.on("pageerror", ({ message }) => blocked.push(message));
    // The page is built step by step, and text that is still fading in has no contrast: what stays counts.
    await openReference("", 375, "dark");
    await expect.poll(() => findings()).toEqual([]);
    await openReference("?api=platform", 1280, "light");
    await expect.poll(() => findings()).toEqual([]);

    await page.locator("button", { hasText: "Test Request" }).first().click();
    await page.locator("button", { hasText: "Send" }).first().click();
    await page.getByText("401 Unauthorized").first().waitFor();
    expect(blocked).toEqual([]);
  });
});
