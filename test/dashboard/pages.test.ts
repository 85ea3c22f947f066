import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rsaKey } from "../support/keys.ts";
import { createPlatform } from "../support/platform.ts";
import { clearFaults, injectFault } from "../support/sandbox.ts";
import { startService, type TestService } from "../support/service.ts";
import { hiddenValue, newLink, signIn, Visitor } from "./support/visitor.ts";

let service: TestService;
let visitor: Visitor;
/** An empty workspace. */
let stranger: Visitor;
beforeAll(async () => {
  service = await startService();
  await service.createWorkspace("empty");
  await service.createWorkspace("steps");
  [visitor, stranger] = await Promise.all([signIn(service), signIn(service, "empty")]);
});
afterAll(() => service.close());

/** The text of a page as a reader sees it. */
const textOf = (html: string) =>
  html
    .replace(/<head>[\s\S]*?<\/head>/, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
const read = async (path: string, on = visitor) => {
  const { status, html } = await on.get(path);
  expect(status, path).toBe(200);
  return textOf(html);
};
/** Follows the redirect of a form that was accepted. */
async function submit(path: string, fields: Record<string, string>, on = visitor): Promise<string> {
  const { status, location, html } = await on.post(path, fields);
  expect(status, textOf(html)).toBe(303);
  return location!.replace("/dashboard", "");
}
const problemAt = (html: string, field: string) => new RegExp(`id="${field}-problem">([^<]*)<`).exec(html)?.[1];

describe("the connections page", () => {
  it("the connections page leads from an external id to the connection, and from there to the provider's own answer", async () => {
    const connection = await service.store.connections.create({
      ...(await service.store.connections.get(await workspaceId(), service.connections.gitlab!))!,
      id: "conn_brokenCustomer000000000001",
      external_id: "customer-4711",
      credentials: { access_token: "revoked", refresh_token: "revoked" } as never,
    });
    const list = await visitor.get("/connections?external_id=customer-4711");
    expect(textOf(list.html)).toMatch(/customer-4711 conn_brokenCustomer\w+ GitLab/);
    expect(list.html.match(/href="\/dashboard\/connections\/conn_/g)).toHaveLength(1);
    const result = await visitor.post(`/connections/${connection.id}/test`);
    expect(result.status).toBe(200);
    expect(textOf(result.html)).toMatch(/The test call identity\.\w+ failed/);
  });

  it("a connection id in the search field leads straight to its page", async () => {
    const id = service.connections.slack!;
    expect(await visitor.get(`/connections?external_id=${id}`)).toMatchObject({
      status: 303,
      location: `/dashboard/connections/${id}`,
    });
  });

  it("the connections page filters by provider and state, and says why a connection is invalid", async () => {
    const id = service.connections.asana!;
    await service.store.connections.update(id, { is_valid: false, invalid_reason: "the user revoked the access" });
    await service.parts.coordination.invalidate("connection", id);
    const invalid = await read("/connections?health=invalid");
    expect(invalid).toContain("the user revoked the access");
    expect(invalid).not.toMatch(/Slack Works/);
    expect(await read("/connections?health=valid&provider=slack")).toMatch(/Slack Works/);
    expect(await read("/connections?health=valid&provider=asana")).toContain("No connection matches");
    expect(await read(`/connections/${id}`)).toContain("The account has to be connected again. the user revoked");
    expect(await read("")).toContain("the user revoked the access");
    expect(await read(`/explorer?connection=${id}`)).toMatch(/the user revoked the access.*make a reconnect link/s);
  });

  it("the connections page pages through connections, newest first", async () => {
    const api = new Map<string, number>();
    let path: string | undefined = "/connections";
    for (let page = 0; path && page < 10; page++) {
      const { html } = await visitor.get(path);
      for (const [, id] of html.matchAll(/href="\/dashboard\/connections\/(conn_\w+)"/g))
        api.set(id!, (api.get(id!) ?? 0) + 1);
      path = /href="\/dashboard([^"]+)" rel="next"/.exec(html)?.[1]?.replaceAll("&amp;", "&");
    }
    const all = await service.store.connections.list(await workspaceId(), { offset: 0, limit: 1000 }, {});
    expect([...api.keys()]).toEqual(all.map(({ id }) => id).reverse());
    expect(new Set(api.values())).toEqual(new Set([1]));
  });

  it("the connections of the sandbox have names of their own", async () => {
    const page = await visitor.get(`/connections/${service.connections.github}`);
    expect(page.html).toContain("<title>GitHub sandbox · Plugboard</title>");
    const list = await service.store.connections.list(await workspaceId(), { offset: 0, limit: 100 }, {});
    const names = list.map(({ external_id }) => external_id).filter((name) => name?.endsWith("sandbox"));
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(30);
  });

  it("every page of an empty workspace says what to do next", async () => {
    expect(await read("/connections", stranger)).toMatch(/No connections yet Connect an account/);
    expect(await read("/integrations", stranger)).toMatch(/No integrations yet Add one from the catalogue/);
    expect(await read("", stranger)).toContain("No requests yet");
  });
});

describe("every page", () => {
  it.each([
    "",
    "/connections",
    "/integrations",
    "/integrations/new",
    "/explorer",
    "/requests",
    "/subscriptions",
    "/keys",
    "/settings",
  ])("/dashboard%s takes a few statements, however much there is to show", async (path) => {
    const visit = async () => {
      const before = service.store.statements;
      expect((await visitor.get(path)).status).toBe(200);
      return service.store.statements - before;
    };
    // The least of several: what runs in the background counts as well, and the first visit fills caches. The log is read
    // a few batches at a time, until there is enough to show.
    expect(Math.min(await visit(), await visit(), await visit())).toBeLessThanOrEqual(20);
  });
});

describe("the first steps", () => {
  /** The steps of the overview, and whether each is ticked. */
  const steps = async (on: Visitor) => {
    const { html } = await on.get("");
    const found = html.matchAll(/<li class="(done)?">.*?<a href="[^"]+">([^<]+)<\/a>/g);
    return Object.fromEntries([...found].map(([, done, text]) => [text, done === "done"]));
  };

  it("the first steps are ticked one by one, and stay until there is a key and a call of the Unified API", async () => {
    const own = await signIn(service, "steps");
    const expected = {
      "Add an integration": false,
      "Connect an account": false,
      "Make a call": false,
      "Create an API key": true,
    };
    expect(await steps(own)).toEqual(expected);
    await submit("/integrations/new/github/sandbox", {}, own);
    expect(await steps(own)).toEqual({ ...expected, "Add an integration": true });
    const { id } = (await service.store.workspaces.byName("steps"))!;
    const sandboxed = (await service.store.connections.get(await workspaceId(), service.connections.github!))!;
    const connection = await service.store.connections.create({
      ...sandboxed,
      id: "conn_firstSteps0000000000000001",
      workspace_id: id,
      integration_id: (await service.store.integrations.list(id, { offset: 0, limit: 1 }))[0]!.id,
    });
    const connected = { ...expected, "Add an integration": true, "Connect an account": true };
    expect(await steps(own)).toEqual(connected);
    const call = (limit: string) =>
      own.post("/explorer", {
        connection: connection.id,
        operation: "git.listRepositories",
        "query.limit": limit,
        do: "send",
      });
    // A call that fails is not the last step.
    await call("1000");
    await service.parts.requestLog.flush();
    expect(await steps(own)).toEqual(connected);
    await call("1");
    await service.parts.requestLog.flush();
    expect(await steps(own)).toEqual({});
  });
});

const workspaceId = async () => (await service.store.workspaces.byName("sandbox"))!.id;

describe("the pages of requests", () => {
  it("reads of the Platform API are left out of overview and requests, unless they are asked for", async () => {
    const call = createPlatform(service, service.apiKey);
    await call("GET", "/v1/workspace");
    await call("PATCH", "/v1/workspace", {});
    const shown = async (path: string) => {
      await service.parts.requestLog.flush();
      return (await visitor.get(path)).html;
    };
    await expect
      .poll(() => shown("/requests?surface=platform"))
      .toContain('GET <span class="mono">/platform/v1/workspace');
    for (const path of ["", "/requests"]) {
      const html = await shown(path);
      expect(html).not.toContain('GET <span class="mono">/platform');
      expect(html).toContain('PATCH <span class="mono">/platform/v1/workspace');
    }
    expect(await shown("/requests?platform_reads=true")).toContain('GET <span class="mono">/platform/v1/workspace');
  });

  it("a response that did not end has the reason in words, in the list and on its own page", async () => {
    service.parts.requestLog.add({
      at: Date.now(),
      workspace_id: await workspaceId(),
      connection_id: null,
      integration_id: null,
      request_id: "disconnected",
      surface: "proxy",
      method: "GET",
      path: "/proxy/slow",
      status: 499,
      outcome: "client_disconnected",
      error_source: null,
      duration_ms: 5_000,
      upstream_calls: 1,
      upstream: [],
    });
    await service.parts.requestLog.flush();
    const { html } = await visitor.get("/requests?request_id=disconnected");
    expect(textOf(html)).toContain("/proxy/slow The client disconnected before it had the whole response");
    const [, path] = /href="\/dashboard(\/requests\/log_\w+)"/.exec(html)!;
    expect(await read(path!)).toContain("Outcome The client disconnected before it had the whole response");
  });
});

describe("the page of a connection", () => {
  it("a test call shows the record next to the provider's own answer", async () => {
    const { status, html } = await visitor.post(`/connections/${service.connections.github}/test`);
    expect(status).toBe(200);
    expect(textOf(html)).toMatch(/The test call identity\.\w+ succeeded 200/);
    const [normalized, raw] = ["normalized", "raw"].map((id) =>
      JSON.parse(new RegExp(`<pre id="${id}"[^>]*>([^<]*)<`).exec(html)![1]!.replaceAll("&quot;", '"')),
    );
    expect(Object.keys(normalized.data)).toEqual(["id", "name", "email", "avatar_url", "custom"]);
    expect(raw).toMatchObject({ login: expect.any(String) });
  });

  it("a test call that the provider refuses shows its own answer", async () => {
    await injectFault(service, { provider: "github", status: 403, times: 1 });
    const { html } = await visitor.post(`/connections/${service.connections.github}/test`);
    await clearFaults(service);
    expect(textOf(html)).toContain("The provider answered with 403. This is its own answer, unchanged.");
  });

  it("external id and metadata can be changed, and a mistake is shown next to its field", async () => {
    const path = `/connections/${service.connections.trello}`;
    const wrong = await visitor.post(path, { external_id: "x".repeat(300), metadata: "{}" });
    expect([wrong.status, problemAt(wrong.html, "external_id")]).toEqual([400, expect.stringContaining("255")]);
    const broken = await visitor.post(path, { external_id: "mine", metadata: "{not json" });
    expect([broken.status, problemAt(broken.html, "metadata")]).toEqual([400, "Must be a JSON object"]);
    expect(broken.html).toContain("{not json");
    const next = await submit(path, { external_id: "mine", metadata: '{"plan": "pro"}' });
    expect(await read(next)).toMatch(/Saved\..*mine/);
    const saved = await service.store.connections.get(await workspaceId(), service.connections.trello!);
    expect(saved).toMatchObject({ external_id: "mine", metadata: { plan: "pro" } });
    await submit(path, { external_id: "", metadata: "" });
  });

  it("a connection is deleted only after a page that says what happens", async () => {
    const id = service.connections.zendesk!;
    expect(await read(`/connections/${id}/delete`)).toContain("stops working immediately");
    expect(await read(await submit(`/connections/${id}/delete`, {}))).toContain("The connection was deleted.");
    expect((await visitor.get(`/connections/${id}`)).status).toBe(404);
  });
});

describe("the integrations pages", () => {
  it("an integration is added from the catalogue with what to register, changed and deleted", async () => {
    const catalogue = await read("/integrations/new?q=git&category=git", stranger);
    for (const name of ["GitHub", "GitLab", "Gitea"]) expect(catalogue).toContain(name);
    expect(catalogue).not.toContain("Slack");
    const setUp = await stranger.get("/integrations/new/github");
    expect(setUp.html).toContain(`value="${service.config.urls.auth}/callback"`);
    expect(textOf(setUp.html)).toMatch(/Redirect URL .* Scopes/);

    const refused = await stranger.post("/integrations/new/github", {
      type: "oauth2",
      client_id: "abc",
      scopes: "a b",
    });
    expect([refused.status, problemAt(refused.html, "client_secret")]).toEqual([400, "Required for type oauth2"]);
    expect(refused.html).toContain('value="abc"');

    const form = { type: "oauth2", client_id: "abc", client_secret: "hush", scopes: "repo, user", name: "Internal" };
    const created = await submit("/integrations/new/github", form, stranger);
    const page = await stranger.get(created);
    expect(textOf(page.html)).toMatch(/GitHub: Internal .*Stored, encrypted .*repo user/);
    expect(page.html).not.toContain("hush");

    const [path] = created.split("?") as [string];
    const wrong = await stranger.post(path, { type: "oauth2", base_url: "http://127.0.0.1:1" });
    expect([wrong.status, problemAt(wrong.html, "base_url")]).toEqual([400, expect.any(String)]);
    expect(page.html).toMatch(/name="client_id" required type="text" value="abc"/);
    const withoutClient = await stranger.post(path, { type: "oauth2", name: "Renamed" });
    expect(problemAt(withoutClient.html, "client_id")).toBe("Required for type oauth2");
    await submit(path, { type: "oauth2", name: "Renamed", client_id: "other" }, stranger);
    expect(await read(path, stranger)).toContain("Client ID other");
    expect(await read(path, stranger)).toMatch(/GitHub: Renamed .*Stored, encrypted/);
    expect(await read(`${path}/delete`, stranger)).toContain("none of them can be used");
    await submit(`${path}/delete`, {}, stranger);
    expect((await stranger.get(path)).status).toBe(404);
  });

  it("an integration of a GitHub App is set up with its key and its name, which are kept unless they are given again", async () => {
    const setUp = await stranger.get("/integrations/new/github?type=github_app");
    expect(setUp.html).toContain(`value="${service.config.urls.auth}/callback"`);
    expect(setUp.html).toMatch(/<textarea id="private_key"[^>]*required/);
    const form = { type: "github_app", client_id: "Iv1", client_secret: "hush", private_key: rsaKey, name: "App" };
    const refused = await stranger.post("/integrations/new/github", {
      ...form,
      private_key: "x",
      "setting-app_slug": "A b",
    });
    expect(refused.status).toBe(400);
    expect(problemAt(refused.html, "private_key")).toContain("not a private key");
    expect(problemAt(refused.html, "setting-app_slug")).toContain("Must be: App name");
    const created = await submit("/integrations/new/github", { ...form, "setting-app_slug": "acme-app" }, stranger);
    const [path] = created.split("?") as [string];
    expect(await read(path, stranger)).toMatch(/Private key Stored, encrypted .*App name acme-app/);
    await submit(
      path,
      { type: "github_app", client_id: "Iv1", private_key: "", "setting-app_slug": "other" },
      stranger,
    );
    const page = await stranger.get(path);
    expect(textOf(page.html)).toMatch(/Private key Stored, encrypted .*App name other/);
    expect(page.html).not.toContain("BEGIN PRIVATE");
  });

  it("an MCP server is set up by its address, with or without a client, and says what happens then", async () => {
    const setUp = await stranger.get("/integrations/new/mcp");
    expect(textOf(setUp.html)).toMatch(/Mostly nothing has to be registered/);
    expect(setUp.html).toMatch(/name="mcp_url" required/);
    expect(setUp.html).not.toMatch(/name="client_id" required|name="base_url"/);
    const refused = await stranger.post("/integrations/new/mcp", { type: "oauth2", mcp_url: "" });
    expect(problemAt(refused.html, "mcp_url")).toBe("Required: the address of the MCP server");

    const form = { type: "oauth2", name: "Notes", mcp_url: "https://mcp.example/mcp" };
    const [path] = (await submit("/integrations/new/mcp", form, stranger)).split("?") as [string];
    expect(await read(path, stranger)).toMatch(/MCP server: Notes .*Talks to https:\/\/mcp\.example\/mcp/);
    await submit(path, { ...form, client_id: "by-hand" }, stranger);
    expect(await read(path, stranger)).toContain("Client ID by-hand");

    const [tried] = (await submit("/integrations/new/mcp/sandbox", {}, stranger)).split("?") as [string];
    expect(await read(tried, stranger)).toMatch(/Talks to Sandbox .*Client secret None/);
    const kept = hiddenValue((await stranger.get(tried)).html, "base_url");
    await submit(tried, { type: "oauth2", base_url: kept, name: "Renamed" }, stranger);
    expect(await read(tried, stranger)).toMatch(/MCP server: Renamed .*Talks to Sandbox/);
  });

  it("a test call of an MCP server says where its tools are", async () => {
    const page = await visitor.post(`/connections/${service.connections.mcp}/test`);
    expect(textOf(page.html)).toContain("An MCP server has no operations. Its tools are at /mcp");
  });

  it("a provider can be tried in the sandbox with one click", async () => {
    const created = await submit("/integrations/new/slack/sandbox", {}, stranger);
    expect(await read(created, stranger)).toMatch(/The integration was created.*Talks to Sandbox/);
    expect(await read("/integrations", stranger)).toContain("Slack");
  });

  it("an unknown provider and a deleted integration are a 404", async () => {
    for (const path of ["/integrations/new/nobody", "/integrations/int_unknown"])
      expect((await visitor.get(path)).status).toBe(404);
  });
});

describe("the API keys page", () => {
  it("a key is shown once, listed by its first characters, and deleted", async () => {
    const { html, status } = await visitor.post("/keys", { name: "Deployment" });
    const key = /id="api-key"[^>]* value="(sk_\w+)"/.exec(html)![1]!;
    expect(status).toBe(200);
    const call = () => fetch(`${service.url}/platform/v1/workspace`, { headers: { authorization: `Bearer ${key}` } });
    expect((await call()).status).toBe(200);
    const list = (await visitor.get("/keys")).html;
    expect(textOf(list)).toContain(`Deployment ${key.slice(0, 9)}…`);
    expect(list).not.toContain(key);
    const keys = await service.store.keys.list(await workspaceId(), { offset: 0, limit: 100 });
    const { id } = keys.find(({ name }) => name === "Deployment")!;
    expect(await read(`/keys/${id}/delete`)).toMatch(/Delete the key Deployment\? .*sk_\w+… are refused immediately/);
    await submit(`/keys/${id}/delete`, {});
    expect((await call()).status).toBe(401);
  });

  it("a name that is too long is refused next to its field", async () => {
    const { status, html } = await visitor.post("/keys", { name: "x".repeat(300) });
    expect([status, problemAt(html, "name")]).toEqual([400, expect.stringContaining("200")]);
  });
});

describe("the settings page", () => {
  it("the settings page changes the workspace, and shows a mistake next to its field", async () => {
    const wrong = await stranger.post("/settings", {
      name: "",
      redirect_uris: "https://a.example.com\njavascript:alert(1)",
    });
    expect(wrong.status).toBe(400);
    expect(problemAt(wrong.html, "redirect_uris")).toContain("1: Must not be a javascript: URL");
    expect(problemAt(wrong.html, "name")).toBeDefined();
    expect(wrong.html).toContain("<title>Error: Settings");
    const fields = { name: "Renamed", redirect_uris: " https://a.example.com/back \n\nhttps://b.example.com/\n" };
    const page = await stranger.get(await submit("/settings", fields, stranger));
    expect(textOf(page.html)).toMatch(/Workspace Renamed .*Saved\./);
    expect(page.html).toContain("https://a.example.com/back\nhttps://b.example.com/");
    await submit("/settings", { name: "empty", redirect_uris: "" }, stranger);
  });

  it("the settings show the logo, whose host is the only other one that a page may load from", async () => {
    const policyOf = async (path: string) => (await stranger.get(path)).headers.get("content-security-policy");
    expect(await policyOf("/settings")).toContain("img-src 'self';");
    const logo_url = "https://cdn.example.com/logo.svg?v=1&a=b";
    await submit("/settings", { name: "empty", logo_url, redirect_uris: "" }, stranger);
    expect((await stranger.get("/settings")).html).toContain(
      '<img class="logo" src="https://cdn.example.com/logo.svg?v=1&amp;a=b"',
    );
    expect(await policyOf("/settings")).toContain("img-src 'self' https://cdn.example.com;");
    expect(await policyOf("/connections")).toContain("img-src 'self';");
    await submit("/settings", { name: "empty", redirect_uris: "" }, stranger);
  });

  it("a link of a renamed workspace still signs in", async () => {
    const late = new Visitor(service);
    expect((await late.post("/sign-in", { link: await newLink(service, "empty") })).status).toBe(303);
  });
});
