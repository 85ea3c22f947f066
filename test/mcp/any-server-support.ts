import { Browser, type Page } from "../access/support/browser.ts";
import { hiddenFields } from "../auth/support/agent.ts";
import type { StrictPlatform } from "../support/platform.ts";
import { createStrictPlatform } from "../support/platform.ts";
import type { TestService } from "../support/service.ts";

export const BACK = "https://app.example/back";

export interface Application {
  key: string;
  clientId: string;
  platform: StrictPlatform;
  integration: string;
}

let applications = 0;

/** A workspace with an integration of any MCP server. */
export async function createApplication(
  service: TestService,
  integration: Record<string, unknown>,
): Promise<Application> {
  const key = await service.createWorkspace(`any-server-${++applications}`);
  const platform = createStrictPlatform(service, key);
  const { client_id } = await platform("PATCH", "/workspace", { redirect_uris: [BACK] });
  const { id } = await platform("POST", "/integrations", { identifier: "mcp", type: "oauth2", ...integration });
  return { key, clientId: client_id, platform, integration: id };
}

const local = (service: TestService, address: string) =>
  address.replace(service.config.urls.auth, `${service.url}/auth`);

/** Opens the connect page and continues. Returns the page with a problem, or where the browser is sent to. */
export async function startConnecting(service: TestService, application: Application, browser = new Browser()) {
  const query = new URLSearchParams({
    client_id: application.clientId,
    integration_id: application.integration,
    redirect_uri: BACK,
    // At a public address that is not the test's.
    redirected: "true",
  });
  const address = `${service.url}/auth/authorize?${query}`;
  const page = await browser.send(address);
  const form = { ...hiddenFields(page.html), decision: "continue" };
  return { browser, page, sent: await browser.send(address, { form }) };
}

/** From the authorization server back to the application. */
export async function comeBack(service: TestService, browser: Browser, from: Page): Promise<Page> {
  let page = from;
  for (let hop = 0; page.location && !page.location.startsWith(BACK) && hop < 10; hop++)
    page = await browser.send(local(service, page.location));
  return page;
}

/** Connects as a user who agrees, and returns the connection's id. */
export async function connect(service: TestService, application: Application): Promise<string> {
  const { browser, sent } = await startConnecting(service, application);
  return redeem(service, application, await comeBack(service, browser, sent));
}

export async function redeem(service: TestService, { key }: Application, page: Page): Promise<string> {
  const code = page.location && new URL(page.location).searchParams.get("code");
  if (!code) throw new Error(`no code: ${page.status} ${page.location ?? problemOf(page)}`);
  const response = await fetch(`${service.url}/auth/connection`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ code, redirect_uri: BACK }),
  });
  return ((await response.json()) as { connection_id: string }).connection_id;
}

/** What a page says is wrong. */
export const problemOf = ({ html }: Page): string => /<li>([^<]+)<\/li>/.exec(html)?.[1] ?? html;
