// The providers' official clients through the Proxy, against the sandbox, set up exactly as docs/proxy.md says.
import { afterAll, beforeAll, expect, it } from "vitest";
import { providers } from "../../src/providers/registry.gen.ts";
import { codeOf, runCode } from "../support/doc-code.ts";
import { startService, type TestService } from "../support/service.ts";
import { trials } from "./client-trials.ts";

let service: TestService;

beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT: "100000/60", UNIFIED_RATE_LIMIT: "100000/60" } });
});
afterAll(() => service?.close());

/** Key and connection as one credential, for clients that only take a token. */
const credential = (provider: string) => `${service.apiKey}.${service.connections[provider]}`;

it.each(providers.map(({ manifest }) => [manifest.id, manifest.check] as const))(
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

// What `jira.js`, `asana`, `pipedrive`, `intercom-client` and `@shortcut/client` send first if they are given the Proxy's
// address in place of the provider's host.
it.each([
  ["jira", "/rest/api/3/myself"],
  ["asana", "/api/1.0/users/me"],
  ["pipedrive", "/api/v2/persons"],
  ["pipedrive", "/api/v1/users/me"],
  ["intercom", "/me"],
  ["shortcut", "/api/v3/member"],
])("%s: the path %s of a client that is not installed here reaches the provider", async (provider, path) => {
  const headers = { authorization: `Bearer ${credential(provider)}` };
  const response = await fetch(`${service.url}/proxy${path}`, { headers });
  expect([response.status, await response.json()]).toEqual([200, expect.any(Object)]);
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
