// The providers' official clients through the Proxy, against the sandbox, set up exactly as docs/proxy.md says.
import { afterAll, beforeAll, expect, it } from "vitest";
import { providers } from "../../src/providers/registry.gen.ts";
import { codeOf, runCode } from "../support/doc-code.ts";
import { requestsDuring } from "../support/sandbox.ts";
import { startService, type TestService } from "../support/service.ts";
import { trials } from "./client-trials.ts";

let service: TestService;

beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT: "100000/60", UNIFIED_RATE_LIMIT: "100000/60" } });
});
afterAll(() => service?.close());

/** Key and connection as one credential, for clients that only take a token. */
const credential = (provider: string) => `${service.apiKey}.${service.connections[provider]}`;

it.each(providers.flatMap(({ manifest }) => (manifest.check ? [[manifest.id, manifest.check] as const] : [])))(
  "%s answers its credential check through the Proxy",
  async (id, { to = "api", method, path, query, locked, body, headers }) => {
    const parameters = Object.entries({ ...query, ...locked }).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    const response = await fetch(`${service.url}/proxy/@${to}${path}?${new URLSearchParams(parameters)}`, {
      method,
      headers: {
        authorization: `Bearer ${credential(id)}`,
        ...(body ? { "content-type": "application/json" } : {}),
        ...headers,
      },
      body: body ? JSON.stringify(body) : null,
    });
    expect([response.status, await response.text()]).toEqual([200, expect.stringMatching(/./)]);
  },
);

const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
});

// What clients that are not installed here send first if they are given the Proxy's address in place of the provider's,
// and key and connection in place of the credential.
it.each<[client: string, provider: string, path: (token: string) => string, headers?: (token: string) => object]>([
  ["asana", "asana", () => "/api/1.0/users/me", (token) => ({ authorization: `Bearer ${token}` })],
  ["bitbucket", "bitbucket", () => "/2.0/user", (token) => basic("name", token)],
  ["clickup.js", "clickup", () => "/api/v2/user", (token) => ({ authorization: token })],
  ["intercom-client", "intercom", () => "/me", (token) => ({ authorization: `Bearer ${token}` })],
  ["jira.js", "jira", () => "/rest/api/3/myself", (token) => basic("me@example.com", token)],
  ["node-freshdesk-api", "freshdesk", () => "/api/v2/tickets", (token) => basic(token, "X")],
  ["node-zendesk with an API token", "zendesk", () => "/api/v2/users/me.json", (token) => basic("me/token", token)],
  ["pipedrive", "pipedrive", () => "/api/v2/persons", (token) => ({ "x-api-token": token })],
  ["pipedrive, older", "pipedrive", (token) => `/api/v1/users/me?api_token=${token}`],
  ["python-gitlab", "gitlab", () => "/api/v4/user", (token) => ({ "private-token": token })],
  ["@shortcut/client", "shortcut", () => "/api/v3/member", (token) => ({ "shortcut-token": token })],
  ["trello.js", "trello", (token) => `/1/members/me?key=any&token=${token}`],
  ["py-trello", "trello", (token) => `/1/members/me?key=${token}&token=${token}`],
  [
    "an OAuth header of Trello",
    "trello",
    () => "/1/members/me",
    (token) => ({ authorization: `OAuth oauth_consumer_key="any", oauth_token="${token}"` }),
  ],
  [
    "zcrmsdk",
    "zoho",
    () => "/crm/v8/users?type=CurrentUser",
    (token) => ({ authorization: `Zoho-oauthtoken ${token}` }),
  ],
  ["jsforce's identity", "salesforce", (token) => `/services/oauth2/userinfo?oauth_token=${token}`],
])("what %s sends reaches %s, and the key goes no further", async (_, provider, path, headers = () => ({})) => {
  const token = credential(provider);
  const seen = await requestsDuring(service, provider, async () => {
    const response = await fetch(`${service.url}/proxy${path(token)}`, { headers: { ...headers(token) } });
    expect([response.status, await response.json()]).toEqual([200, expect.any(Object)]);
  });
  expect(seen).toHaveLength(1);
  // The recorder masks credentials except for their ends, which are those of the connection's id here.
  expect(JSON.stringify(seen)).not.toMatch(new RegExp(`sk_|conn_|${token.slice(-4)}`));
  expect(service.logs()).not.toContain(service.apiKey);
});

it("GraphQL clients that send a bare token reach monday and Linear", async () => {
  for (const [provider, query] of [
    ["monday", "query { me { id } }"],
    ["linear", "query { viewer { id } }"],
  ] as const) {
    const headers = { authorization: credential(provider), "content-type": "application/json" };
    const response = await fetch(`${service.url}/proxy`, { method: "POST", headers, body: JSON.stringify({ query }) });
    expect([provider, response.status, ((await response.json()) as any).errors]).toEqual([provider, 200, undefined]);
  }
});

const setUps = codeOf("docs/proxy.md").map((code) => [code.packages[0]!, code] as const);

it("docs/proxy.md has the set-up of exactly the clients that are tested, at least twelve", () => {
  expect(setUps.map(([name]) => name).sort()).toEqual(Object.keys(trials).sort());
  expect(setUps.length).toBeGreaterThanOrEqual(12);
});

it.each(setUps)("%s works through the Proxy unchanged", async (name, code) => {
  const { provider, load, run } = trials[name]!;
  await run(await runCode(code, { load, proxy: `${service.url}/proxy`, token: credential(provider) }), service);
});
