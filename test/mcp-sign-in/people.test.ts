// People of the identity provider who sign in for an MCP client, by way of the dashboard.
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { Browser, type Page } from "../access/support/browser.ts";
import { type Issuer, oidcEnv, proveWhoIs, startIssuer } from "../access/support/real-issuer.ts";
import { createPlatform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";
import { answerOf, decide, listTools, newClient, type TestClient } from "./support.ts";

const DAY = 86_400_000;

let issuer: Issuer;
let service: TestService;
let client: TestClient;
beforeAll(async () => {
  issuer = await startIssuer({
    ada: { name: "Ada Lovelace", email: "ada@example.com", email_verified: true, groups: ["devs"] },
    vera: { name: "Vera", email: "vera@example.com", email_verified: true, groups: ["support"] },
  });
  service = await startService({ env: oidcEnv(issuer, "devs=developer@sandbox,support=viewer@sandbox") });
  issuer.register(service.config.dashboardUrl);
  client = await newClient(service);
});
afterAll(async () => {
  await service?.close();
  await issuer?.close();
});
afterEach(() => void vi.useRealTimers());

const linkIn = (page: Page, pattern: RegExp) => pattern.exec(page.html)![1]!.replaceAll("&amp;", "&");

/** Follows the buttons from the client's request to where the dashboard leads. */
async function signIn(login: string): Promise<{ browser: Browser; page: Page }> {
  const browser = new Browser();
  const first = await browser.open(client.authorizeUrl());
  const dashboard = await browser.open(linkIn(first, /href="([^"]*\/mcp-sign-ins\/[^"]*)"/));
  const asked = await browser.open(linkIn(dashboard, /<a class="button primary" href="([^"]+)"/));
  return { browser, page: await proveWhoIs(browser, asked, login) };
}

it("somebody with a role signs in with their own account, and what they allow ends after 30 days", async () => {
  const { browser, page } = await signIn("ada");
  expect(page.html).toContain("<strong>Ada Lovelace</strong>");
  const connection = service.connections.github!;
  const code = answerOf(await decide(browser, page, { connections: [connection] })).get("code")!;
  const { access_token, refresh_token } = (await client.redeem(code)).body;
  expect((await listTools(client.resource, access_token, connection)).status).toBe(200);
  const [grant] = (await createPlatform(service, service.apiKey)("GET", "/v1/mcp-grants")).body;
  expect(grant.actor).toEqual({ kind: "person", id: `${issuer.url}#ada`, name: "Ada Lovelace" });
  let token = refresh_token;
  const start = Date.now();
  for (const days of [15, 29]) {
    vi.useFakeTimers({ toFake: ["Date"], now: start + days * DAY });
    const { status, body } = await client.refresh(token);
    expect([days, status]).toEqual([days, 200]);
    token = body.refresh_token;
  }
  vi.useFakeTimers({ toFake: ["Date"], now: start + 30 * DAY + 1_000 });
  expect((await client.refresh(token)).body.error).toBe("invalid_grant");
});

it("the dashboard can be opened twice for the same sign-in", async () => {
  const { browser, page } = await signIn("ada");
  const request = new URL(page.url).searchParams.get("request")!.split(".")[0];
  const again = await browser.open(`${service.config.dashboardUrl}/mcp-sign-ins/${request}`);
  expect([again.status, again.url]).toEqual([200, page.url]);
});

it("somebody who may only look allows nothing", async () => {
  const { page } = await signIn("vera");
  expect([page.status, page.html.includes("This needs the role developer")]).toEqual([403, true]);
});
