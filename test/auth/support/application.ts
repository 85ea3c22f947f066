import { operations } from "../../../src/categories/index.ts";
import type { AuthType } from "../../../src/contracts/authentication.ts";
import type { Provider } from "../../../src/contracts/provider.ts";
import { rsaKey } from "../../support/keys.ts";
import { createStrictPlatform, type StrictPlatform } from "../../support/platform.ts";
import type { TestService } from "../../support/service.ts";
import { type Agent, type Arrival, createAgent, leftFor, pageOf } from "./agent.ts";

export const REDIRECT_URI = "https://app.example/back?kept=1";

export interface Application {
  service: TestService;
  apiKey: string;
  clientId: string;
  integrationId: string;
  platform: StrictPlatform;
  authorizeUrl(parameters?: Record<string, string | undefined>): string;
  redeem(code: string, redirectUri?: string): Promise<{ status: number; body: any }>;
  /** Reads the provider's first list without path parameters, over a connection. */
  call(connectionId: string): Promise<{ status: number; body: any }>;
}

let applications = 0;

/** A client application: a new workspace with one integration that leads to the sandbox. */
export async function createApplication(
  service: TestService,
  provider: Provider,
  type: AuthType,
  options: { integration?: Record<string, unknown>; redirectUris?: string[] } = {},
): Promise<Application> {
  const { id } = provider.manifest;
  const apiKey = await service.createWorkspace(`Application ${++applications}`);
  const platform = createStrictPlatform(service, apiKey);
  const { client_id: clientId } = await platform("PATCH", "/workspace", {
    redirect_uris: options.redirectUris ?? [REDIRECT_URI],
  });
  const client = type === "oauth2" || type === "github_app" ? { client_id: "a client", client_secret: "made up" } : {};
  const app = type === "github_app" ? { private_key: rsaKey, settings: { app_slug: "acme-app" } } : {};
  const integration = await platform("POST", "/integrations", {
    identifier: id,
    type,
    base_url: "sandbox",
    ...client,
    ...app,
    ...options.integration,
  });

  return {
    service,
    apiKey,
    clientId,
    integrationId: integration.id,
    platform,
    authorizeUrl(parameters = {}) {
      const all = { client_id: clientId, integration_id: id, redirect_uri: REDIRECT_URI, ...parameters };
      const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
      return `${service.config.urls.auth}/authorize?${new URLSearchParams(given)}`;
    },
    async redeem(code, redirect_uri = REDIRECT_URI) {
      const response = await fetch(`${service.url}/auth/connection`, {
        method: "POST",
        headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
        body: JSON.stringify({ code, redirect_uri }),
      });
      return { status: response.status, body: await response.json() };
    },
    async call(connectionId) {
      const response = await fetch(`${service.url}/unified${simpleList(provider).route}?limit=2`, {
        headers: { authorization: `Bearer ${apiKey}`, "svc-connection-id": connectionId },
      });
      return { status: response.status, body: await response.json() };
    },
  };
}

/** The provider's first list without path parameters. */
export function simpleList({ categories, manifest }: Provider) {
  const served = categories.flatMap(({ category, operations }) =>
    Object.keys(operations).map((name) => `${category}.${name}`),
  );
  const found = operations.find(
    ({ id, kind, parameters }) => kind === "list" && parameters.length === 0 && served.includes(id),
  );
  if (!found) throw new Error(`${manifest.id} has no list without parameters`);
  return found;
}

/** Form values that the sandbox accepts. */
export function validValues({ manifest }: Provider, type: AuthType, settings: Record<string, string> = {}) {
  const values: Record<string, string> = {};
  for (const name of Object.keys(manifest.settings ?? {})) values[`setting-${name}`] = settings[name] ?? "";
  if (type === "api_key") values.key = "sandbox-key-of-a-test";
  if (type === "basic") Object.assign(values, { username: "user@example.com", password: "sandbox-password" });
  return values;
}

/** Follows a connect link to its end as a user who agrees to everything. */
export async function agree(agent: Agent, url: string, values: Record<string, string> = {}): Promise<Arrival> {
  const start = pageOf(await agent.open(url));
  const next = await agent.submit(start, { decision: "continue", ...values });
  return next.page?.text.includes('value="allow"') ? agent.submit(next.page, { decision: "allow" }) : next;
}

/** Connects an account and returns its connection. */
export async function connectAccount(
  application: Application,
  parameters: Record<string, string | undefined> = {},
  values: Record<string, string> = {},
): Promise<{ connection_id: string; external_id: string | null; integration_id: string }> {
  const agent = createAgent(application.service.url);
  const end = leftFor(await agree(agent, application.authorizeUrl(parameters), values));
  const { status, body } = await application.redeem(end.searchParams.get("code") ?? "");
  if (status !== 200) throw new Error(`${end}: ${status} ${JSON.stringify(body)}`);
  return body;
}
