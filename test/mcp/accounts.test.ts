// Unified MCP over all accounts of a person.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createStrictPlatform, type StrictPlatform } from "../support/platform.ts";
import { injectFault } from "../support/sandbox.ts";
import { startService, type TestService } from "../support/service.ts";
import { connectClient, connectModernClient, textOf } from "./support.ts";

const SANDBOX = { type: "oauth2", client_id: "sandbox", client_secret: "sandbox", base_url: "sandbox" };

let service: TestService;
let key: string;
let platform: StrictPlatform;
beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT: "100000/60" } });
  key = await service.createWorkspace("people");
  platform = createStrictPlatform(service, key);
  for (const identifier of [
    "github",
    "asana",
    "hubspot",
    "slack",
    "gitlab",
    "intercom",
    "google-drive",
    "google-calendar",
  ])
    await platform("POST", "/integrations", { ...SANDBOX, identifier });
});
afterAll(() => service?.close());

/** A person with accounts at these providers. */
async function personWith(...identifiers: string[]) {
  const external_id = `person-${randomUUID()}`;
  const integrations = await platform("GET", "/integrations?limit=100");
  const ids: string[] = [];
  for (const identifier of identifiers) {
    const { id } = integrations.find((one: any) => one.identifier === identifier);
    const created = await platform("POST", "/connections", {
      integration_id: id,
      external_id,
      auth_token: `sandbox-${randomUUID()}`,
    });
    ids.push(created.id);
  }
  return { external_id, ids };
}

const addressOf = (external_id: string, query: Record<string, string> = {}) =>
  `${service.url}/unified/v1/mcp?${new URLSearchParams({ external_id, ...query })}`;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const open = (external_id: string, query: Record<string, string> = {}, token = key) =>
  connectModernClient(addressOf(external_id, query), bearer(token));
const namesOf = ({ tools }: { tools: { name: string }[] }) => tools.map(({ name }) => name);
/** A person with more tools than are listed. */
const personWithMany = () =>
  personWith("github", "asana", "hubspot", "slack", "intercom", "google-drive", "google-calendar");
const dataOf = (result: object) => (result as { structuredContent: any }).structuredContent;

describe("one address for all accounts", () => {
  it("a person's accounts have one set of tools, each with the accounts that it works with", async () => {
    const { external_id } = await personWith("github", "gitlab", "asana");
    for (const connect of [connectClient, connectModernClient]) {
      const { client, close } = await connect(addressOf(external_id, { tools: "all" }), bearer(key));
      const { tools } = await client.listTools();
      const accountsOf = (name: string) =>
        (tools.find((tool) => tool.name === name) as any).inputSchema.properties.account;
      expect(tools[0]!.name).toBe("list_accounts");
      expect(accountsOf("git_list_issues").enum).toEqual(["github", "gitlab"]);
      expect(accountsOf("tasks_list_tasks").enum).toEqual(["asana"]);
      expect(namesOf({ tools })).not.toContain("crm_list_contacts");
      for (const account of ["github", "gitlab"]) {
        const result = await client.callTool({ name: "git_list_repositories", arguments: { account, limit: 2 } });
        expect(dataOf(result).response.data).toHaveLength(2);
      }
      await close();
    }
  });

  it("list_accounts says what each account can do, and what can be connected", async () => {
    const { external_id } = await personWith("github", "asana");
    const { client, close } = await open(external_id);
    const { accounts, can_be_connected } = dataOf(await client.callTool({ name: "list_accounts", arguments: {} }));
    expect(accounts.map(({ account, works }: any) => [account, works])).toEqual([
      ["github", true],
      ["asana", true],
    ]);
    expect(accounts[0].read_tools).toContain("git_list_repositories");
    expect(accounts[0].write_tools).toContain("git_create_issue");
    expect(accounts[1].read_tools).not.toContain("git_list_repositories");
    expect(can_be_connected.sort()).toEqual([
      "gitlab",
      "google-calendar",
      "google-drive",
      "hubspot",
      "intercom",
      "slack",
    ]);
    await close();
  });

  it("accounts at the same provider have names of their own", async () => {
    const { external_id, ids } = await personWith("github", "github");
    const { client, close } = await open(external_id);
    const { accounts } = dataOf(await client.callTool({ name: "list_accounts", arguments: {} }));
    const names = accounts.map(({ account }: any) => account);
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name).toMatch(/^github \(.+\)$/);
    await client.callTool({ name: "git_list_repositories", arguments: { account: names[1], limit: 1 } });
    await service.parts.requestLog.flush();
    const [entry] = await platform("GET", `/logs?connection_id=${ids[1]}&limit=1`);
    expect(entry).toMatchObject({ operation: "git.listRepositories", mcp_client: "modern test", person: external_id });
    await close();
  });

  it("a call without an account, with an unknown one or with one that cannot do it says which can", async () => {
    const { external_id } = await personWith("github", "asana");
    const { client, close } = await open(external_id);
    const errorOf = async (args: object) => {
      const result = await client.callTool({ name: "git_list_repositories", arguments: { limit: 1, ...args } });
      expect(result.isError).toBe(true);
      return textOf(result);
    };
    expect(await errorOf({})).toMatch(/`account` is required: one of github, asana/);
    expect(await errorOf({ account: "nothing" })).toMatch(
      /There is no account nothing\. The accounts are github, asana/,
    );
    expect(await errorOf({ account: "asana" })).toBe("asana cannot do this. git_list_repositories works with github.");
    await close();
  });

  it("from 40 tools on there is a search instead of the list, unless the client wants all", async () => {
    const { external_id } = await personWithMany();
    const { client, close } = await open(external_id);
    expect(namesOf(await client.listTools()).slice(0, 3)).toEqual(["list_accounts", "search_tools", "call_tool"]);
    const { tools } = dataOf(
      await client.callTool({ name: "search_tools", arguments: { query: "list repositories" } }),
    );
    expect(tools[0]).toMatchObject({ name: "git_list_repositories", inputSchema: { required: ["account"] } });
    const found = dataOf(
      await client.callTool({ name: "search_tools", arguments: { query: "contacts", account: "hubspot" } }),
    );
    expect(namesOf(found)).toContain("crm_list_contacts");
    const args = { name: "git_list_repositories", arguments: { account: "github", limit: 3 } };
    expect(dataOf(await client.callTool({ name: "call_tool", arguments: args })).response.data).toHaveLength(3);
    const unknown = await client.callTool({ name: "call_tool", arguments: { name: "nothing", arguments: {} } });
    expect(textOf(unknown)).toContain("search_tools");
    await close();
    const all = await open(external_id, { tools: "all" });
    expect(namesOf(await all.client.listTools()).length).toBeGreaterThan(40);
    await all.close();
  });

  it.each([
    ["find a company", "crm_list_companies"],
    ["branch", "git_list_branches"],
    ["show me the repository", "git_list_repositories"],
    ["releases", "git_list_releases"],
    ["who am i", "identity_get_me"],
  ])("a search for %j finds %s first", async (query, name) => {
    const { external_id } = await personWithMany();
    const { client, close } = await open(external_id);
    const result = await client.callTool({ name: "search_tools", arguments: { query } });
    expect(namesOf(dataOf(result))[0]).toBe(name);
    await close();
  });

  it("a search for an unknown account names the accounts", async () => {
    const { external_id } = await personWithMany();
    const { client, close } = await open(external_id);
    for (const account of ["GitHub", "gitlab"]) {
      const result = await client.callTool({ name: "search_tools", arguments: { query: "issue", account } });
      expect(textOf(result)).toBe(
        `There is no account ${account}. The accounts are github, asana, hubspot, slack, intercom, google-drive, google-calendar.`,
      );
    }
    await close();
  });

  it("tools that are no operations refuse arguments that they do not have, lack or have of another type", async () => {
    const { external_id } = await personWithMany();
    const { client, close } = await open(external_id);
    const api = { account: "github", path: "/user" };
    const found = { name: "identity_get_me", arguments: { account: "github" } };
    for (const [name, args, message] of [
      ["list_accounts", { account: "github" }, "`account` is not an argument of list_accounts, which takes none"],
      [
        "search_tools",
        { query: "x", limit: 1 },
        "`limit` is not an argument of search_tools, which takes query, account",
      ],
      ["search_tools", {}, "`query` is required"],
      ["call_tool", { ...found, limit: 1 }, "`limit` is not an argument of call_tool, which takes name, arguments"],
      ["call_tool", { name: "identity_get_me" }, "`arguments` is required"],
      ["connect_account", {}, "`account` is required: one of gitlab"],
      [
        "call_api",
        { ...api, params: { q: 1 } },
        "`params` is not an argument of call_api, which takes account, method, path",
      ],
      ["call_api", { ...api, params: null }, "`params` is not an argument of call_api"],
      ["call_api", { ...api, query: ["a"] }, "`query` must be an object"],
      ["call_api", { account: "github", path: 1 }, "`path` must be a text"],
    ] as const) {
      const result = await client.callTool({ name, arguments: args });
      expect([name, args, result.isError, textOf(result)]).toEqual([
        name,
        args,
        true,
        expect.stringContaining(message),
      ]);
      expect(textOf(result)).toContain("Correct the arguments and call again.");
    }
    const given = { ...api, method: null, query: null, body: null };
    expect(dataOf(await client.callTool({ name: "call_api", arguments: given })).status).toBe(200);
    await close();
  });

  it("categories, tools and access narrow what is offered", async () => {
    const { external_id } = await personWith("github", "asana");
    const listed = async (query: Record<string, string>) => {
      const { client, close } = await open(external_id, query);
      const names = namesOf(await client.listTools());
      await close();
      return names.filter((name) => !["list_accounts", "connect_account", "call_api"].includes(name));
    };
    expect((await listed({ categories: "git" })).every((name) => name.startsWith("git_"))).toBe(true);
    expect(await listed({ tools: "git_list_issues,tasks_create_task" })).toEqual([
      "git_list_issues",
      "tasks_create_task",
    ]);
    const reads = await listed({ access: "read" });
    expect(reads).toContain("git_list_issues");
    expect(reads.filter((name) => /_(create|update|send|add)_/.test(name))).toEqual([]);
    const { client, close } = await open(external_id, { access: "read" });
    const refused = client.callTool({
      name: "git_create_issue",
      arguments: { account: "github", repo: "x", title: "x" },
    });
    await expect(refused).rejects.toThrow("Unknown tool git_create_issue");
    await close();
  });

  const post = async (address: string, token = key) => {
    const response = await fetch(address, {
      method: "POST",
      headers: { ...bearer(token), "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
    return { status: response.status, body: (await response.json()) as any };
  };

  it("a query that names no category, tool or access is refused with the field", async () => {
    const { external_id } = await personWith("github");
    for (const [name, value] of Object.entries({ categories: "gti", tools: "git_list", access: "all" })) {
      const { status, body } = await post(addressOf(external_id, { [name]: value }));
      expect([status, body.errors[0].path]).toEqual([400, ["query", name]]);
    }
  });

  it("a parameter that an address does not take is refused instead of offering everything", async () => {
    const { external_id, ids } = await personWith("github");
    for (const token of [key, `${key}.${ids[0]}`])
      for (const [name, meant] of [
        ["acces", ": did you mean access?"],
        ["category", ", which takes external_id, categories, tools, access"],
      ] as const) {
        const { status, body } = await post(addressOf(external_id, { [name]: "read" }), token);
        expect([status, body.errors[0].path]).toEqual([400, ["query", name]]);
        expect(body.errors[0].detail).toContain(`is not a parameter of this address${meant}`);
      }
  });

  it("a list that is given twice counts together, and what has one value is refused", async () => {
    const { external_id } = await personWith("github", "asana");
    const { body } = await post(`${addressOf(external_id)}&categories=git&categories=tasks`);
    expect(namesOf(body.result)).toEqual(expect.arrayContaining(["git_list_issues", "tasks_list_tasks"]));
    expect((await post(`${addressOf(external_id, { tools: "all" })}&tools=git_list_issues`)).status).toBe(400);
    for (const [name, value] of Object.entries({ access: "read", external_id })) {
      const twice = await post(`${addressOf(external_id, { access: "write" })}&${name}=${value}`);
      expect([twice.status, twice.body.errors[0].path]).toEqual([400, ["query", name]]);
    }
  });

  it("a key that is bound to a person offers that person's accounts only, without a query", async () => {
    const [one, other] = [await personWith("github"), await personWith("asana")];
    const { api_key: own } = await platform("POST", "/api-keys", {
      scopes: ["mcp", "connections:write"],
      external_id: one.external_id,
    });
    const { client, close } = await connectModernClient(`${service.url}/unified/v1/mcp`, bearer(own));
    const { accounts } = dataOf(await client.callTool({ name: "list_accounts", arguments: {} }));
    expect(accounts.map(({ account }: any) => account)).toEqual(["github"]);
    await close();
    const foreign = await open(other.external_id, {}, own);
    expect(dataOf(await foreign.client.callTool({ name: "list_accounts", arguments: {} })).accounts).toEqual([]);
    expect(namesOf(await foreign.client.listTools())).not.toContain("connect_account");
    await foreign.close();
  });
});

describe("call_api", () => {
  it("call_api reaches the provider's own paths, for keys with the scope proxy", async () => {
    const { external_id } = await personWith("github", "asana");
    const { client, close } = await open(external_id);
    const call = (args: object) => client.callTool({ name: "call_api", arguments: { account: "github", ...args } });
    expect(dataOf(await call({ path: "/user" }))).toMatchObject({ status: 200, body: { login: expect.any(String) } });
    const listed = dataOf(await call({ path: "/user/repos", query: { per_page: "2" } }));
    expect(listed.body).toHaveLength(2);
    const missing = await call({ path: "/repos/nobody/nothing" });
    expect([missing.isError, textOf(missing)]).toEqual([true, expect.stringMatching(/^GitHub responded with 404/)]);
    await service.parts.requestLog.flush();
    const [entry] = await platform("GET", "/logs?surface=unified&outcome=provider_404&limit=1");
    expect(entry).toMatchObject({ operation: "call_api", error_source: "provider", person: external_id });
    for (const [wrong, field] of [
      [{ path: "user" }, "path"],
      [{ path: "/user?x=1" }, "path"],
      [{ path: "/../admin" }, "path"],
      [{ path: "/user", method: "TRACE" }, "method"],
      [{ path: "/user", query: { filter: { state: "open" } } }, "query"],
      [{ path: "/user", body: {} }, "body"],
    ] as const)
      expect(textOf(await call(wrong))).toContain(`\`${field}\``);
    await close();
  });

  it("call_api refuses to write with an idempotency key, because it would write every time", async () => {
    const { external_id } = await personWith("github", "slack");
    const { client, close } = await open(external_id);
    const call = (args: Record<string, unknown>) =>
      client.callTool({ name: "call_api", arguments: args, _meta: { "plugboard/idempotency-key": randomUUID() } });
    for (const write of [
      { account: "github", method: "POST", path: "/user/repos", body: { name: "x" } },
      { account: "slack", path: "/auth.test" },
    ])
      expect(textOf(await call(write))).toContain("`plugboard/idempotency-key` does not protect call_api");
    expect(dataOf(await call({ account: "github", path: "/user" })).status).toBe(200);
    await close();
  });

  it("call_api only reads with access=read, and is not offered without the scope proxy", async () => {
    const { external_id } = await personWith("github");
    const { client, close } = await open(external_id, { access: "read" });
    const refused = await client.callTool({
      name: "call_api",
      arguments: { account: "github", method: "POST", path: "/user/repos", body: { name: "x" } },
    });
    expect(textOf(refused)).toContain("`method` must be GET, HEAD");
    await close();
    const { api_key: weak } = await platform("POST", "/api-keys", { scopes: ["mcp"] });
    const without = await open(external_id, {}, weak);
    expect(namesOf(await without.client.listTools())).not.toContain("call_api");
    await without.close();
  });
});

describe("connecting in the conversation", () => {
  const call = { name: "git_list_repositories", arguments: { account: "gitlab", limit: 1 } };

  it("a call on an account that is not connected asks the person to connect it, and is repeated afterwards", async () => {
    const { external_id } = await personWith("github");
    const asked: string[] = [];
    const { client, close } = await connectModernClient(addressOf(external_id), bearer(key), async ({ url }) => {
      asked.push(url);
      const integrations = await platform("GET", "/integrations?limit=100");
      const { id } = integrations.find(({ identifier }: any) => identifier === "gitlab");
      const auth_token = `sandbox-${randomUUID()}`;
      await platform("POST", "/connections", { integration_id: id, external_id, auth_token });
      return "accept";
    });
    const result = await client.callTool(call);
    expect(dataOf(result).response.data).toHaveLength(1);
    expect(asked).toHaveLength(1);
    const page = await fetch(asked[0]!);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("GitLab")]);
    await close();
  });

  it("connect_account connects a service whose tools nobody has yet", async () => {
    const { external_id } = await personWith("github");
    const { client, close } = await connectModernClient(addressOf(external_id), bearer(key), async () => {
      const integrations = await platform("GET", "/integrations?limit=100");
      const { id } = integrations.find(({ identifier }: any) => identifier === "slack");
      const auth_token = `sandbox-${randomUUID()}`;
      await platform("POST", "/connections", { integration_id: id, external_id, auth_token });
      return "accept";
    });
    expect(dataOf(await client.callTool({ name: "connect_account", arguments: { account: "slack" } }))).toEqual({
      connected: "slack",
    });
    expect(namesOf(await client.listTools({}, { cacheMode: "refresh" }))).toContain("chat_list_channels");
    await close();
  });

  it("a person who declines is not asked again, and the model is told", async () => {
    const { external_id } = await personWith("github");
    let asked = 0;
    const { client, close } = await connectModernClient(addressOf(external_id), bearer(key), async () => {
      asked += 1;
      return "decline";
    });
    const result = await client.callTool(call);
    expect([asked, result.isError, textOf(result)]).toEqual([
      1,
      true,
      expect.stringContaining("did not connect gitlab"),
    ]);
    await close();
  });

  it("a link is in the audit log", async () => {
    const { external_id } = await personWith("github");
    const { client, close } = await open(external_id);
    const session = /session=(cs_\w+)/.exec(textOf(await client.callTool(call)))![1];
    const entries = await platform("GET", "/audit?action=connect_session.create&limit=100");
    expect(entries.map(({ target }: any) => target.id)).toContain(session);
    await close();
  });

  it("older clients, and clients that cannot open links, get the link as text", async () => {
    const { external_id } = await personWith("github");
    for (const connect of [connectClient, connectModernClient]) {
      const { client, close } = await connect(addressOf(external_id), bearer(key));
      const result = await client.callTool(call);
      expect([result.isError, textOf(result)]).toEqual([
        true,
        expect.stringMatching(/open this link: http\S+\/auth\/connect/),
      ]);
      await close();
    }
  });

  it("an account that the provider no longer accepts is connected again by the same link", async () => {
    const { external_id, ids } = await personWith("github");
    await injectFault(service, { provider: "github", path: "/user/repos", status: 401, times: 10 });
    const { client, close } = await connectClient(addressOf(external_id), bearer(key));
    const text = textOf(await client.callTool({ name: "git_list_repositories", arguments: { account: "github" } }));
    const url = new URL(/http\S+/.exec(text)![0]);
    const [session] = url.searchParams.get("session")!.split(".");
    expect(await service.store.connectSessions.get(session!)).toMatchObject({ connection_id: ids[0] });
    await close();
  });

  it("a key that must not connect accounts gets no link", async () => {
    const { external_id } = await personWith("github");
    const { api_key: weak } = await platform("POST", "/api-keys", { scopes: ["mcp"] });
    const { client, close } = await open(external_id, {}, weak);
    expect(textOf(await client.callTool(call))).toBe("gitlab is not connected: the user has to connect it first.");
    await close();
  });
});
