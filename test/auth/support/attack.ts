import { expect, vi } from "vitest";
import type { Provider } from "../../../src/contracts/provider.ts";
import { providers } from "../../../src/providers/registry.gen.ts";
import { emulators } from "../../../src/providers/sandboxes.gen.ts";
import { startService, type TestService } from "../../support/service.ts";
import { type Agent, createAgent, hiddenFields, type Page, pageOf } from "./agent.ts";
import { type Application, createApplication } from "./application.ts";

export const MINUTE = 60_000;
export const MARKUP = `"'><script>alert(1)</script><img src=x onerror=alert(1)>`;

/** Moves this process's clock forward; timers are not affected. */
export function later(milliseconds: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + milliseconds });
}

export type Outcome = Pick<Page, "status" | "headers" | "text">;

/** One request; redirects are not followed. */
export async function ask(agent: Agent, url: string | URL, init?: RequestInit): Promise<Outcome> {
  const response = await agent.ask(url, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Submits a form. */
export const send = (agent: Agent, url: string | URL, fields: Record<string, string>, headers = {}) =>
  ask(agent, url, { method: "POST", body: new URLSearchParams({ decision: "continue", ...fields }), headers });

/** The attempt ended on an error page: nothing was handed over and nothing redirects. */
export function expectErrorPage(outcome: Outcome): void {
  expect(outcome.status).toBeGreaterThanOrEqual(400);
  expect(outcome.status).toBeLessThan(500);
  expect(outcome.headers.get("location")).toBeNull();
  expect(outcome.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expectSafe(outcome);
}

/** The attempt was reported to the application at its registered address, and nothing was handed over. */
export function expectErrorAtApplication({ status, headers }: Outcome): URLSearchParams {
  expect(status).toBe(302);
  const target = new URL(headers.get("location")!);
  expect(target.origin + target.pathname).toBe("https://app.example/back");
  expect(target.searchParams.get("kept")).toBe("1");
  expect(target.searchParams.get("error")).toMatch(/^\w+$/);
  expect(target.searchParams.get("error_description")).toBeTruthy();
  expect(target.searchParams.has("code")).toBe(false);
  return target.searchParams;
}

const POLICY =
  /^default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action ('none'|'self' https:( http:)?)$/;

/** No script or style can be injected, and no other site can frame the page or learn its address. */
export function expectSafe({ headers, text }: Outcome): void {
  expect(headers.get("content-security-policy")).toMatch(POLICY);
  expect(headers.get("x-frame-options")).toBe("DENY");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("injected")).toBeNull();
  expect(text).not.toMatch(/<(script|style|img|iframe)|<[^>]*\s(on\w+|style)=|<[^>]*javascript:/i);
}

export const openPage = async (agent: Agent, url: string): Promise<Page> => pageOf(await agent.open(url));

const emulated = providers.filter(({ manifest }) => emulators[manifest.id]);
const consenting = emulated.filter(({ manifest: { auth } }) => auth.oauth2 && auth.oauth2.pkce !== false);

/** Two applications on one service: the one under attack, and another workspace's. */
export interface Scene {
  service: TestService;
  provider: Provider;
  keyed: Provider;
  victim: Application;
  stranger: Application;
  /** Connects with an API key, which its form asks for. */
  forms: Application;
  /** A second integration of the victim, at another provider. */
  otherIntegration: { id: string };
  newAgent(): Agent;
  /** Consents at the provider; returns the callback address that the provider redirects to. */
  consent(agent: Agent, url?: string, change?: (consent: URL) => void): Promise<URL>;
}

export async function createScene(): Promise<Scene> {
  const service = await startService();
  const [provider, other] = consenting as [Provider, Provider];
  const keyed = emulated.find(({ manifest }) => manifest.auth.api_key)!;
  const victim = await createApplication(service, provider, "oauth2");
  const otherIntegration = await victim.platform("POST", "/integrations", {
    identifier: other.manifest.id,
    type: "oauth2",
    client_id: "a client",
    client_secret: "made up",
    base_url: "sandbox",
  });
  return {
    service,
    provider,
    keyed,
    victim,
    stranger: await createApplication(service, provider, "oauth2", { redirectUris: ["https://stranger.example/back"] }),
    forms: await createApplication(service, keyed, "api_key"),
    otherIntegration,
    newAgent: () => createAgent(service.url),
    async consent(agent, url = victim.authorizeUrl(), change = () => {}) {
      const page = await openPage(agent, url);
      const sent = await send(agent, page.url, hiddenFields(page.text));
      const consent = new URL(sent.headers.get("location")!);
      change(consent);
      const allowed = await ask(agent, consent, { method: "POST", body: new URLSearchParams({ decision: "allow" }) });
      return new URL(allowed.headers.get("location")!);
    },
  };
}
