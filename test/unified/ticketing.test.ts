// Behavior that only the ticketing providers have, over real HTTP: client → Plugboard → emulated provider.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/categories/index.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { type Client, createClient } from "../conformance/client.ts";
import { createPlatform, type Platform } from "../support/platform.ts";
import { clearFaults } from "../support/sandbox.ts";
import { startService, type TestService } from "../support/service.ts";

const listTickets = operations.find(({ id }) => id === "ticketing.listTickets")!;
let service: TestService;
beforeAll(async () => {
  service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60" } });
});
afterAll(() => service.close());
afterEach(() => clearFaults(service));

const clientOf = (id: string): Client => createClient(service, providers.find(({ manifest }) => manifest.id === id)!);

const tickets = async (client: Client, query: Record<string, string | number> = {}) => {
  const answered = await client.call(listTickets, {}, query);
  expect([answered.status, answered.text]).toEqual([200, expect.any(String)]);
  return answered.body.response as { data: any[]; metadata: { next: string | null } };
};

/** The paths that were called, without queries and ids. */
const paths = async (client: Client, work: () => Promise<unknown>) =>
  (await client.requests(work)).map(({ path }) => path.split("?")[0]!.replace(/[0-9a-f]{7,}/g, "*"));

describe("lists that read several places", () => {
  it.each([
    ["asana", ["/api/1.0/workspaces", "/api/1.0/projects", "/api/1.0/projects"], "/api/1.0/tasks"],
    ["clickup", ["/api/v2/team"], "/api/v2/team/*/task"],
    ["trello", ["/1/members/me/boards"], "/1/boards/*/cards"],
  ])("%s looks up the places of a list once, and makes no call per ticket", async (id, lookups, list) => {
    const client = clientOf(id);
    let next: string | null = null;
    const first = await paths(client, async () => {
      next = (await tickets(client, { limit: 100 })).metadata.next;
    });
    expect(first.slice(0, lookups.length)).toEqual(lookups);
    expect(new Set(first.slice(lookups.length))).toEqual(new Set([list]));
    expect(first.length).toBeLessThanOrEqual(lookups.length + 2);
    const second = await paths(client, () => tickets(client, { limit: 100, after: next! }));
    expect(new Set(second)).toEqual(new Set([list]));
    expect(second.length).toBeLessThanOrEqual(2);
  });

  it("the places of a list are looked up again after one of them failed, as when it was deleted", async () => {
    const client = clientOf("trello");
    const { metadata } = await tickets(client, { limit: 5 });
    const query = { limit: 5, after: metadata.next! };
    await client.fault({ path: "/1/boards/*", status: 404, times: 1 });
    expect((await client.call(listTickets, {}, query)).status).toBe(404);
    expect(await paths(client, () => tickets(client, query))).toEqual(["/1/members/me/boards", "/1/boards/*/cards"]);
  });
});

describe("a client's own params", () => {
  it.each([
    ["jira", { maxResults: "1", nextPageToken: "x" }],
    ["asana", { limit: "1", offset: "x", project: "1", workspace: "1", assignee: "me", opt_fields: "name" }],
    ["clickup", { page: "2" }],
    ["trello", { limit: "1", before: "2020-01-01", since: "2030-01-01" }],
    ["zendesk", { "page[size]": "1", "page[after]": "x", "page[before]": "x", page: "2", per_page: "1" }],
  ])("`params` cannot change the paging at %s", async (id, params) => {
    const client = clientOf(id);
    const plain = await tickets(client, { limit: 30 });
    expect(plain.data).toHaveLength(30);
    expect((await tickets(client, { limit: 30, params: JSON.stringify(params) })).data).toEqual(plain.data);
  });

  it.each([
    ["jira", { jql: 'project is not EMPTY AND status = "完了"' }, ["完了"]],
    ["clickup", { include_closed: false }, ["in Prüfung", "released 🚀", "to do"]],
    ["trello", { filter: "closed" }, ["archived"]],
  ])("`params` can filter the list at %s", async (id, params, statuses) => {
    const { data } = await tickets(clientOf(id), { limit: 30, params: JSON.stringify(params) });
    expect(data).toHaveLength(30);
    expect([...new Set(data.map(({ status }) => status))].sort()).toEqual(statuses);
  });

  it.each([
    ["asana", { modified_since: "2030-01-01T00:00:00.000Z" }],
    ["clickup", { date_updated_gt: Date.parse("2030-01-01") }],
  ])("the provider's own filter by time can be used through `params` at %s", async (id, params) => {
    expect((await tickets(clientOf(id), { limit: 30, params: JSON.stringify(params) })).data).toEqual([]);
  });

  it("`params` that the provider refuses return its own error", async () => {
    const answered = await clientOf("jira").call(listTickets, {}, { params: '{"jql":"ORDER BY created"}' });
    expect(answered.status).toBe(400);
    expect(answered.body.errorMessages[0]).toMatch(/^Unbounded JQL queries are not allowed here/);
  });
});

it("tickets have a second address, with the same key, parameters and answers", async () => {
  const ask = async (path: string, key = service.apiKey) => {
    const headers = { authorization: `Bearer ${key}`, "SVC-Connection-ID": service.connections.jira! };
    const response = await fetch(`${service.url}/unified/v1/${path}`, { headers });
    return [response.status, await response.json()];
  };
  for (const query of ["?limit=3", "?limit=0"])
    expect(await ask(`pm/issues${query}`)).toEqual(await ask(`ticketing/tickets${query}`));
  expect(await ask("pm/issues", "sk_wrong")).toMatchObject([401, {}]);
});

describe("the order of tickets", () => {
  it.each(["jira", "clickup"])("tickets are newest first at %s", async (id) => {
    const { data } = await tickets(clientOf(id), { limit: 100 });
    const times = data.map(({ created_at }) => created_at);
    expect(times).toEqual(times.toSorted().reverse());
  });

  it("tickets are newest first on each board of Trello, whatever the order of its pages", async () => {
    const client = clientOf("trello");
    const all = await client.walk(listTickets, {}, [100]);
    const jumps = all.filter((ticket, index) => index > 0 && ticket.id > all[index - 1].id);
    // Only where the next board begins.
    expect(jumps).toHaveLength(1);
  });
});

describe("Jira's two addresses", () => {
  const GATEWAY = /^\/ex\/jira\/[\w-]{36}\/rest\/api\/3\/search\/jql/;
  const SITE = /^\/rest\/api\/3\/search\/jql/;
  const settings = {
    cloud_id: "1324a887-45db-4bf4-8e99-ef0ff456d421",
    site_url: "https://sandbox.atlassian.net",
  };
  let platform: Platform;
  const integrate = async (type: string) => {
    const key = await service.createWorkspace(`jira with ${type} ${Math.random()}`);
    platform = createPlatform(service, key);
    const client = type === "oauth2" ? { client_id: "a client", client_secret: "a made-up one" } : {};
    const created = await platform("POST", "/v1/integrations", {
      identifier: "jira",
      type,
      base_url: "sandbox",
      ...client,
    });
    expect(created.status).toBe(201);
    return { key, integration_id: created.body.id as string };
  };
  const call = (key: string, connection: string) =>
    fetch(`${service.url}/unified/v1/ticketing/tickets?limit=2`, {
      headers: { authorization: `Bearer ${key}`, "SVC-Connection-ID": connection, "SVC-Max-Retries": "0" },
    });
  const searchesDuring = async (work: () => Promise<unknown>) =>
    (await clientOf("jira").requests(work)).map(({ path }) => path).filter((path) => path.includes("/search/jql"));

  it("Jira is called at the gateway with OAuth, and at the site with an API token", async () => {
    const basic = await integrate("basic");
    const connected = await platform("POST", "/v1/connections", {
      integration_id: basic.integration_id,
      username: "sandbox@example.com",
      password: "sandbox-made-up",
      settings: { site: "acme" },
    });
    let answered: any;
    const bySite = await searchesDuring(async () => {
      answered = await (await call(basic.key, connected.body.id)).json();
    });
    expect(bySite).toEqual([expect.stringMatching(SITE)]);
    expect(answered.response.data[0].url).toMatch(/^https:\/\/acme\.atlassian\.net\/browse\/\S+-\d+$/);
    const byGateway = await searchesDuring(() => tickets(clientOf("jira"), { limit: 2 }));
    expect(byGateway).toEqual([expect.stringMatching(GATEWAY)]);
  });

  it("Jira needs the site with an API token, and reads the cloud ID for an imported OAuth token", async () => {
    const basic = await integrate("basic");
    const without = await platform("POST", "/v1/connections", {
      integration_id: basic.integration_id,
      username: "sandbox@example.com",
      password: "sandbox-made-up",
    });
    expect(without).toMatchObject({
      status: 400,
      body: { errors: { settings: [expect.stringContaining("Jira site")] } },
    });

    const oauth = await integrate("oauth2");
    const importToken = (auth_token: string) =>
      platform("POST", "/v1/connections", { integration_id: oauth.integration_id, auth_token });
    const { credentials } = service.sandbox.credentials("jira", "oauth2");
    const imported = await importToken(credentials.token!);
    expect(imported.status).toBe(201);
    const stored = await service.parts.store.connections.load(imported.body.id);
    expect(stored?.connection.settings).toEqual(settings);
    expect((await call(oauth.key, imported.body.id)).status).toBe(200);
    const refused = await importToken("invalid");
    expect([refused.status, refused.body.errors.settings[0]]).toEqual([
      400,
      expect.stringContaining("Jira refused: Unauthorized"),
    ]);
  });

  it("a Jira connection stays valid while the client secret is wrong, and becomes invalid with its refresh token", async () => {
    const { key, integration_id } = await integrate("oauth2");
    const { credentials } = service.sandbox.credentials("jira", "oauth2");
    const connected = await platform("POST", "/v1/connections", {
      integration_id,
      auth_token: credentials.token,
      refresh_token: credentials.refresh_token,
      settings,
    });
    const isValid = async () => (await platform("GET", `/v1/connections/${connected.body.id}`)).body.is_valid;
    const withSecret = (client_secret: string) =>
      platform("PATCH", `/v1/integrations/${integration_id}`, { client_secret });
    await withSecret("a wrong one");
    await clientOf("jira").fault({ expire_tokens: true, times: 1 });
    expect((await call(key, connected.body.id)).status).toBe(401);
    expect(await isValid()).toBe(true);
    await withSecret("a made-up one");
    expect((await call(key, connected.body.id)).status).toBe(200);
    await service.parts.store.connections.update(connected.body.id, {
      credentials: { token: "revoked", refresh_token: "also revoked" },
    });
    await service.parts.coordination.invalidate("connection", connected.body.id);
    expect((await call(key, connected.body.id)).status).toBe(404);
    expect(await isValid()).toBe(false);
  });
});
