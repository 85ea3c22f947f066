// Makes the screenshots of the README: the overview of a sandbox with some traffic, light and dark. With the name of a
// folder, it makes one of every page instead, as phones and as desktops show it, to look at.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { launchChromium } from "../test/auth/support/chromium.ts";
import { newLink } from "../test/dashboard/support/visitor.ts";
import { appendEntries } from "../test/support/log-entries.ts";
import { injectFault } from "../test/support/sandbox.ts";
import { startService } from "../test/support/service.ts";

const [wanted] = process.argv.slice(2);
const folder = wanted ?? join(import.meta.dirname, "../docs/images");
const HOUR_MS = 3_600_000;

/** A day of requests, with more of them at noon and some errors. */
function entriesOf(workspace_id: string, connection_id: string) {
  return Array.from({ length: 1_200 }, (_, index) => {
    const ago = (index / 1_200) * 24;
    const status = index % 37 === 0 ? 502 : index % 29 === 0 ? 404 : 200;
    return {
      workspace_id,
      connection_id,
      request_id: `request-${index}`,
      surface: index % 5 === 0 ? "proxy" : "unified",
      method: "GET",
      path: "/unified/v1/tasks/tasks",
      status,
      outcome: status === 200 ? null : status === 502 ? "upstream_unreachable" : "provider_404",
      duration_ms: 40 + ((index * 7919) % 160),
      upstream_calls: 1,
      integration_id: null,
      error_source: status === 200 ? null : "provider",
      upstream: [],
      at: Date.now() - Math.round(ago * HOUR_MS * (0.9 + 0.1 * Math.sin(ago))),
    };
  });
}

/** The path of every page, each with something to show. */
async function everyPage(page: Page): Promise<Record<string, string>> {
  const { slack, github, linear } = service.connections;
  const press = (name: string) =>
    Promise.all([page.waitForEvent("load"), page.getByRole("button", { name, exact: true }).click()]);
  const open = (path: string) => page.goto(`${service.url}/dashboard${path}`);
  const first = async (list: string) => {
    await open(list);
    return (await page.locator("td a").first().getAttribute("href"))!;
  };
  await open(`/subscriptions/new?connection=${linear}&operation=tasks.listTasks`);
  await page.getByLabel("Also create an event").check();
  await press("Subscribe");
  await open("/webhooks");
  await page.getByLabel("Name").fill("Production");
  await page.getByLabel("URL").fill("http://127.0.0.1:1/hook");
  await press("Create the webhook");
  await page.getByRole("link", { name: "Production" }).click();
  await press("Send a test event");
  await open("/connect");
  await page.getByLabel("External id").fill("customer-4711");
  await press("Make a link");
  const chooser = await page.getByRole("textbox", { name: "Link" }).inputValue();
  return {
    overview: "/dashboard",
    connections: "/dashboard/connections",
    connection: `/dashboard/connections/${slack}`,
    connect: "/dashboard/connect",
    integrations: "/dashboard/integrations",
    catalogue: "/dashboard/integrations/new",
    "new-integration": "/dashboard/integrations/new/github",
    "new-app": "/dashboard/integrations/new/github?type=github_app",
    providers: "/dashboard/providers",
    provider: "/dashboard/providers/stripe",
    "new-provider": "/dashboard/new-provider",
    audit: "/dashboard/audit",
    integration: `/dashboard/integrations/${service.integrations.github}`,
    explorer: `/dashboard/explorer?connection=${github}&operation=git.listIssues`,
    "explorer-write": `/dashboard/explorer?connection=${linear}&operation=tasks.createTask`,
    requests: "/dashboard/requests",
    request: await first("/requests"),
    events: "/dashboard/events",
    subscriptions: "/dashboard/subscriptions",
    "new-subscription": `/dashboard/subscriptions/new?connection=${github}&operation=git.listIssues`,
    subscription: await first("/subscriptions"),
    webhooks: "/dashboard/webhooks",
    webhook: await first("/webhooks"),
    keys: "/dashboard/keys",
    "key-delete": await first("/keys"),
    settings: "/dashboard/settings",
    sandbox: "/dashboard/sandbox",
    chooser,
    guide: "/docs/guides/events",
    "guide-table": "/docs/guides/coverage",
    docs: "/docs",
  };
}

const browser = await launchChromium();
if (!browser) throw new Error("there is no browser");
const service = await startService({ env: { ALLOW_PRIVATE_UPSTREAMS: "true" } });
try {
  const { id } = (await service.store.workspaces.byName("sandbox"))!;
  await appendEntries(service.store, "log_screenshots", entriesOf(id, service.connections.linear!) as never);
  const call = (provider: string, path: string) =>
    fetch(`${service.url}/unified/v1${path}`, {
      headers: { authorization: `Bearer ${service.apiKey}`, "SVC-Connection-ID": service.connections[provider]! },
    });
  await injectFault(service, { provider: "slack", revoke_tokens: true });
  await call("slack", "/chat/channels");
  await service.store.connections.update(service.connections.slack!, { external_id: "customer-4711" });
  await call("jira", "/tasks/tasks?limit=5");
  await call("github", "/git/repos?limit=5");
  await service.parts.requestLog.flush();

  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await page.goto(`${service.url}/dashboard/sign-in?link=${await newLink(service)}`);
  await page.getByRole("button", { name: "Continue" }).click();
  mkdirSync(folder, { recursive: true });
  const pages = wanted ? await everyPage(page) : { dashboard: "/dashboard" };
  for (const colorScheme of ["light", "dark"] as const)
    for (const width of wanted ? [375, 1280] : [1280])
      for (const [name, path] of Object.entries(pages)) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await page.setViewportSize({ width, height: 800 });
        await page.goto(new URL(path, service.url).href);
        await page.waitForLoadState("networkidle");
        const file = [name, ...(wanted ? [width] : []), colorScheme].join("-");
        await page.screenshot({ path: join(folder, `${file}.png`), fullPage: wanted !== undefined });
      }
} finally {
  await browser.close();
  await service.close();
}
