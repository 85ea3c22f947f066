// The cases of somebody who supports users, in a real browser: from the overview to the cause, and to what to do next.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../auth/support/chromium.ts";
import { createPlatform } from "../support/platform.ts";
import { injectFault } from "../support/sandbox.ts";
import { startService, type TestService } from "../support/service.ts";
import { startUpstream, type Upstream } from "../support/upstream.ts";
import { newLink } from "./support/visitor.ts";

const browser = await launchChromium();
const LACKS_SCOPE = { message: "Resource not accessible by token", needed: "repo", token: "made-up-token-in-body" };

let service: TestService;
let upstream: Upstream;
let page: Page;
/** A connection to a server of our own. */
let own: string;
beforeAll(async () => {
  if (!browser) return;
  upstream = await startUpstream((_, response) =>
    response.writeHead(403, { "content-type": "application/json" }).end(JSON.stringify(LACKS_SCOPE)),
  );
  service = await startService({ env: { ALLOW_PRIVATE_UPSTREAMS: "true" } });
  const platform = createPlatform(service, service.apiKey);
  const integration = { identifier: "gitea", type: "api_key", base_url: upstream.url };
  await platform("DELETE", `/v1/integrations/${service.integrations.gitea}`);
  const { id } = (await platform("POST", "/v1/integrations", integration)).body;
  own = (await platform("POST", "/v1/connections", { integration_id: id, auth_token: "made-up-token" })).body.id;
  page = await (await browser.newContext()).newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(`${service.url}/dashboard/sign-in?link=${await newLink(service)}`);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL("**/dashboard");
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
  await upstream?.close();
});

async function call(connection: string, path: string): Promise<void> {
  const headers = {
    authorization: `Bearer ${service.apiKey}`,
    "SVC-Connection-ID": connection,
    "SVC-Max-Retries": "0",
  };
  await (await fetch(`${service.url}/unified${path}`, { headers })).text();
}

/** Goes from the overview to the newest error by one click, and returns what the page says. */
async function causeOfNewestError(): Promise<string | null> {
  const errors = page.getByRole("region", { name: "Latest errors" });
  await service.parts.requestLog.flush();
  await page.goto(`${service.url}/dashboard`);
  await errors.getByRole("link").first().click();
  return page.getByRole("region", { name: "Why it failed" }).textContent();
}

const cases: [name: string, fail: () => Promise<void>, ...says: RegExp[]][] = [
  [
    "a revoked token",
    async () => {
      await injectFault(service, { provider: "slack", revoke_tokens: true });
      await call(service.connections.slack!, "/v1/chat/channels");
    },
    /Error of: The provider/,
    /connect again: send a reconnect link/,
  ],
  [
    "an error of the provider",
    async () => {
      await injectFault(service, { provider: "github", status: 500, times: 1 });
      await call(service.connections.github!, "/v1/git/repos");
    },
    /Error of: The provider/,
    /The provider answered 500/,
    /Try again later/,
    /The provider's answer/,
  ],
  [
    "a rate limit of the provider",
    async () => {
      await injectFault(service, { provider: "github", status: 429, retry_after: 30, times: 1 });
      await call(service.connections.github!, "/v1/git/repos");
    },
    /Error of: The provider/,
    /asks to wait \(Retry-After: 30\)/,
    /The provider limits how often it may be called/,
  ],
  [
    "a missing scope",
    () => call(own, "/v1/git/repos"),
    /Error of: The provider/,
    /The provider answered 403/,
    /"needed": "repo"/,
    /"token": "\*\*\*"/,
    /add the scope to the integration/,
  ],
  [
    "a wrong parameter",
    () => call(service.connections.github!, "/v1/git/repos?limit=500"),
    /Error of: Your application/,
    /limit: must be <= 100/,
    /Query: limit=500/,
    /Correct the request/,
  ],
];

describe.skipIf(!browser)("why a request failed", () => {
  it.each(cases)("%s is found from the overview with one click, with what to do next", async (_, fail, ...says) => {
    await fail();
    await expect
      .poll(async () => {
        const text = await causeOfNewestError();
        return says.filter((pattern) => !pattern.test(text!));
      })
      .toEqual([]);
  });

  it("a request is opened in the explorer with the parameters that it had", async () => {
    await causeOfNewestError();
    await page.getByRole("link", { name: "Open in the explorer" }).click();
    expect(await page.getByLabel("limit").inputValue()).toBe("500");
    expect(await page.getByLabel("Connection").inputValue()).toBe(service.connections.github);
  });

  it("a connection whose latest requests failed is shown as failing, with its last error", async () => {
    for (let count = 0; count < 3; count++) await call(own, "/v1/git/repos");
    await expect
      .poll(async () => {
        await service.parts.requestLog.flush();
        await page.goto(`${service.url}/dashboard/connections/${own}`);
        return page.locator("main").textContent();
      })
      .toMatch(/Failing[\s\S]*Last error[\s\S]*provider_403[\s\S]*Events[\s\S]*connection.created[\s\S]*Subscriptions/);
    await page.goto(`${service.url}/dashboard/connections/${service.connections.linear}`);
    expect(await page.locator("main").textContent()).toContain("Works");
  });

  it("requests are found by external id, path, operation and time", async () => {
    const platform = createPlatform(service, service.apiKey);
    const { external_id } = (await platform("GET", `/v1/connections/${service.connections.github}`)).body;
    const found = async (query: string) => {
      await page.goto(`${service.url}/dashboard/requests?${query}`);
      return page.locator("tbody tr").count();
    };
    expect(await found(`external_id=${external_id}&path=git/repos&operation=git.listRepositories`)).toBeGreaterThan(0);
    expect(await found("external_id=nobody")).toBe(0);
    expect(await found("path=nowhere")).toBe(0);
    expect(await found("until=2020-01-01T00:00")).toBe(0);
    expect(await found("since=2020-01-01T00:00")).toBeGreaterThan(0);
    // Filters that are used are shown.
    expect(await page.getByLabel("From (UTC)").inputValue()).toBe("2020-01-01T00:00");
  });
});
