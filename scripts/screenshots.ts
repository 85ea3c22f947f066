// Makes the screenshots of the README: the overview of a sandbox with some traffic, light and dark.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { launchChromium } from "../test/auth/support/chromium.ts";
import { newLink } from "../test/dashboard/support/visitor.ts";
import { appendEntries } from "../test/support/log-entries.ts";
import { injectFault } from "../test/support/sandbox.ts";
import { startService } from "../test/support/service.ts";

const folder = join(import.meta.dirname, "../docs/images");
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
      error_source: status === 200 ? null : status === 502 ? "plugboard" : "provider",
      upstream: [],
      at: Date.now() - Math.round(ago * HOUR_MS * (0.9 + 0.1 * Math.sin(ago))),
    };
  });
}

const browser = await launchChromium();
if (!browser) throw new Error("there is no browser");
const service = await startService();
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
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.goto(`${service.url}/dashboard`);
    await page.screenshot({ path: join(folder, `dashboard-${colorScheme}.png`) });
  }
} finally {
  await browser.close();
  await service.close();
}
