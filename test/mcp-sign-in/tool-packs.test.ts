// Tool packs of the clients that people sign in: who gives them, what they leave, and what gets around them.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { textOf } from "../mcp/support.ts";
import { createPlatform, type Platform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";
import {
  type Application,
  answerOf,
  callTool,
  connectAccount,
  type Decision,
  decide,
  listTools,
  newApplication,
  newClient,
  newTokens,
  offered,
  reachConsent,
  reachUserConsent,
  type TestClient,
  toolNames,
} from "./support.ts";

const READS_CRM = { name: "Sales", access: "read", categories: ["crm"], hide: ["crm.contact.email"] };

let service: TestService;
let platform: Platform;
let client: TestClient;
let application: Application;
let user: TestClient;

beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT: "1000000/60" } });
  platform = createPlatform(service, service.apiKey);
  application = await newApplication(service, "application", ["hubspot", "github"]);
  client = await newClient(service, { resource: `${service.url}/unified/v1/mcp/w/${service.clientId}` });
  user = await newClient(service, { name: "User's client", resource: application.resource });
});
afterAll(() => service?.close());

const newPack = async (pack: object, on = platform): Promise<string> =>
  (await on("POST", "/v1/tool-packs", pack)).body.id;
const newKey = async (body: object, on = platform): Promise<string> =>
  (await on("POST", "/v1/api-keys", body)).body.api_key;
const newestGrant = async (on = platform) => (await on("GET", "/v1/mcp-grants?order=newest&limit=1")).body[0];

/** Somebody with accounts, who allows the client to use all of them. */
async function allowAll(external_id: string, proof: { tool_pack_id?: string | null } = {}, decision: Decision = {}) {
  const { browser, page } = await reachUserConsent(user, application, { external_id, ...proof });
  const code = answerOf(await decide(browser, page, { connections: offered(page), ...decision })).get("code")!;
  const { access_token } = (await user.redeem(code)).body;
  return { page, token: access_token as string, grant: await newestGrant(application.platform) };
}

describe("the tool pack of the workspace", () => {
  let packId: string;
  beforeAll(async () => {
    packId = await newPack(READS_CRM);
    await platform("PATCH", "/v1/workspace", { mcp_tool_pack_id: packId });
  });
  afterAll(async () => void (await platform("PATCH", "/v1/workspace", { mcp_tool_pack_id: null })));

  it("is explained before somebody decides, who chooses among the accounts that it leaves something to do with", async () => {
    const { page } = await reachConsent(client);
    for (const limit of ["It can only read.", "It can only use CRM.", "It does not see these fields: contact email."])
      expect(page.html).toContain(`<li>${limit}</li>`);
    expect(page.html).not.toContain('name="access"');
    expect(page.html).not.toContain('name="call_api"');
    expect(offered(page)).toContain(service.connections.hubspot);
    expect(offered(page)).not.toContain(service.connections.github);
  });

  it("is that of every new grant, and holds whatever the form says", async () => {
    const connection = service.connections.hubspot!;
    const sent = { connections: [connection, service.connections.github!], access: "write", callApi: true } as const;
    const { access_token } = await newTokens(client, sent);
    expect(await newestGrant()).toMatchObject({
      tool_pack_id: packId,
      access: "read",
      call_api: false,
      connection_ids: [connection],
    });
    const single = await toolNames(client.resource, access_token, connection);
    expect(single).toEqual(["crm_list_contacts", "crm_list_companies", "crm_list_deals"]);
    expect(await toolNames(client.resource, access_token)).toEqual(["list_accounts", ...single]);
  });

  it("hides its fields in every tool, also over all accounts", async () => {
    const connection = service.connections.hubspot!;
    const { access_token } = await newTokens(client, { connections: [connection] });
    const call = (args: object, connectionId?: string) =>
      callTool(client.resource, access_token, "crm_list_contacts", args, connectionId);
    for (const result of [await call({}, connection), await call({ account: "hubspot" })]) {
      expect(result.structuredContent.response.data.length).toBeGreaterThan(5);
      expect(JSON.stringify(result)).not.toMatch(/@|_raw/);
    }
    for (const [name, value] of Object.entries({ include_raw: true, params: {}, email: "a@example.com" }))
      expect(textOf(await call({ account: "hubspot", [name]: value }))).toContain(`\`${name}\` is not allowed`);
    const list = await (await listTools(client.resource, access_token, connection)).text();
    expect(list).not.toMatch(/email|include_raw/);
  });

  it("must be one of the workspace, and cannot be deleted while it is", async () => {
    const foreign = await newPack(READS_CRM, application.platform);
    for (const mcp_tool_pack_id of [foreign, "tp_none"])
      expect((await platform("PATCH", "/v1/workspace", { mcp_tool_pack_id })).body).toMatchObject({
        errors: { mcp_tool_pack_id: [`There is no tool pack ${mcp_tool_pack_id} in this workspace`] },
      });
    const refused = await platform("DELETE", `/v1/tool-packs/${packId}`);
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining("it is used by workspace setting mcp_tool_pack_id"),
    ]);
  });
});

describe("an application that signs its users in", () => {
  it("decides about each of them, whatever the workspace's tool pack is", async () => {
    const [everybody, some] = [
      await newPack({ name: "Everybody", access: "read" }, application.platform),
      await newPack({ name: "Some", access: "write", tools: ["crm_list_deals"] }, application.platform),
    ];
    await connectAccount(application, "user-1", "hubspot");
    await application.platform("PATCH", "/v1/workspace", { mcp_tool_pack_id: everybody });
    const packOf = async (proof: object) => (await allowAll("user-1", proof)).grant.tool_pack_id;
    expect(await packOf({})).toBe(everybody);
    expect(await packOf({ tool_pack_id: some })).toBe(some);
    expect(await packOf({ tool_pack_id: null })).toBeNull();
    await application.platform("PATCH", "/v1/workspace", { mcp_tool_pack_id: null });
    expect(await packOf({})).toBeNull();
  });

  it.each<[string, () => Promise<[key: string, pack: string | null]>, number]>([
    ["of another workspace", async () => [application.key, await newPack(READS_CRM)], 400],
    ["that does not exist", async () => [application.key, "tp_none"], 400],
    ["with a key that is bound to the user", async () => [await boundKey(), null], 403],
  ])("cannot name a tool pack %s", async (_, given, status) => {
    const [key, tool_pack_id] = await given();
    const proof = { external_id: "user-1", tool_pack_id };
    await expect(reachUserConsent(user, { platform: createPlatform(service, key) }, proof)).rejects.toThrow(
      status === 403 ? "cannot choose" : "There is no tool pack",
    );
  });
  const boundKey = () => newKey({ scopes: ["connections:write"], external_id: "user-1" }, application.platform);

  it("cannot change the tool pack of a request that it has proven", async () => {
    const pack = await newPack(READS_CRM, application.platform);
    const { page } = await reachUserConsent(user, application, { external_id: "user-1", tool_pack_id: pack });
    const request = /request=(msi_\w+)/.exec(page.url)![1];
    const proof = { external_id: "user-1", tool_pack_id: null };
    expect((await application.platform("POST", `/v1/mcp-sign-ins/${request}`, proof)).status).toBe(409);
  });

  it("nothing is allowed if the tool pack is deleted before the user decides", async () => {
    await connectAccount(application, "user-2", "hubspot");
    const pack = await newPack(READS_CRM, application.platform);
    const proof = { external_id: "user-2", tool_pack_id: pack };
    const { browser, page } = await reachUserConsent(user, application, proof);
    expect((await application.platform("DELETE", `/v1/tool-packs/${pack}`)).status).toBe(200);
    const decided = await decide(browser, page);
    expect([decided.status, decided.location, decided.html.includes("was deleted")]).toEqual([400, undefined, true]);
  });
});

describe("the tool pack of a grant", () => {
  it("is changed for the next call, with an entry in the audit log, and keeps what the person allowed", async () => {
    await connectAccount(application, "user-4", "github");
    const { grant, token } = await allowAll("user-4", {}, { access: "write", callApi: true });
    const own = application.platform;
    const names = () => toolNames(user.resource, token);
    expect(await names()).toEqual(expect.arrayContaining(["git_create_issue", "call_api"]));
    const tool_pack_id = await newPack({ name: "Reads", access: "read", categories: ["git"] }, own);
    const changed = await own("PATCH", `/v1/mcp-grants/${grant.id}`, { tool_pack_id });
    expect(changed).toMatchObject({
      status: 200,
      body: { ...grant, tool_pack_id, last_used_at: changed.body.last_used_at },
    });
    expect((await own("GET", `/v1/mcp-grants/${grant.id}`)).body).toMatchObject({ tool_pack_id });
    expect(await names()).toContain("git_list_issues");
    for (const gone of ["git_create_issue", "identity_get_me", "call_api"]) expect(await names()).not.toContain(gone);
    for (const [name, args] of [
      ["call_api", { account: "github", path: "/user" }],
      ["git_create_issue", { account: "github", repo: "octo-org/api", title: "x" }],
    ] as const)
      expect(await callTool(user.resource, token, name, args)).toMatchObject({ error: { code: -32602 } });
    const refused = await own("DELETE", `/v1/tool-packs/${tool_pack_id}`);
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining("used by MCP client User's client")]);
    await own("PATCH", `/v1/mcp-grants/${grant.id}`, { tool_pack_id: null });
    expect(await names()).toEqual(expect.arrayContaining(["git_create_issue", "call_api"]));
    const entries = (await own("GET", `/v1/audit?target=${grant.id}&action=mcp_grant.update`)).body;
    expect(entries.map(({ changes }: any) => changes)).toEqual([["tool_pack_id"], ["tool_pack_id"]]);
    expect((await own("DELETE", `/v1/tool-packs/${tool_pack_id}`)).status).toBe(200);
  });

  it("a change of the tool pack itself holds for its grants", async () => {
    await connectAccount(application, "user-5", "github");
    const pack = await newPack({ name: "Writes", access: "write" }, application.platform);
    const { token } = await allowAll("user-5", { tool_pack_id: pack }, { access: "write" });
    expect(await toolNames(user.resource, token)).toContain("git_create_issue");
    await application.platform("PATCH", `/v1/tool-packs/${pack}`, { access: "read" });
    expect(await toolNames(user.resource, token)).not.toContain("git_create_issue");
  });

  it.each<[string, object | undefined, object, number]>([
    ["to one of another workspace", undefined, { tool_pack_id: "FOREIGN" }, 400],
    ["to one that does not exist", undefined, { tool_pack_id: "tp_none" }, 400],
    ["without saying to which", undefined, {}, 400],
    ["together with something else", undefined, { tool_pack_id: null, access: "write" }, 400],
    ["with a key that may only revoke it", { scopes: ["connections:write"] }, { tool_pack_id: null }, 403],
    ["with a bound key", { scopes: ["*"], external_id: "user-6" }, { tool_pack_id: null }, 403],
  ])("is not changed %s", async (_, key, body, status) => {
    await connectAccount(application, "user-6", "github");
    const { grant } = await allowAll("user-6");
    const foreign = await newPack(READS_CRM);
    const own = key ? createPlatform(service, await newKey(key, application.platform)) : application.platform;
    const text = JSON.stringify(body).replace("FOREIGN", foreign);
    const answer = await own("PATCH", `/v1/mcp-grants/${grant.id}`, text, { "content-type": "application/json" });
    expect(answer.status).toBe(status);
    const now = (await application.platform("GET", `/v1/mcp-grants/${grant.id}`)).body;
    expect([now.tool_pack_id, now.access]).toEqual([null, "read"]);
  });

  it("of another workspace is neither seen nor changed", async () => {
    await connectAccount(application, "user-6", "github");
    const { grant } = await allowAll("user-6");
    expect((await platform("GET", `/v1/mcp-grants/${grant.id}`)).status).toBe(404);
    expect((await platform("PATCH", `/v1/mcp-grants/${grant.id}`, { tool_pack_id: null })).status).toBe(404);
    const bound = await newKey({ scopes: ["connections:read"], external_id: "user-7" }, application.platform);
    expect((await createPlatform(service, bound)("GET", `/v1/mcp-grants/${grant.id}`)).status).toBe(404);
  });
});

describe("a key with a tool pack", () => {
  it("signs a client in, whose grant has the pack, even if the workspace has another", async () => {
    const [own, other] = [await newPack(READS_CRM), await newPack({ name: "Everything", access: "write" })];
    await platform("PATCH", "/v1/workspace", { mcp_tool_pack_id: other });
    const key = await newKey({ tool_pack_id: own });
    const connection = service.connections.hubspot!;
    const sent = { connections: [connection], access: "write", callApi: true } as const;
    const { access_token } = await newTokens(client, sent, key);
    await platform("PATCH", "/v1/workspace", { mcp_tool_pack_id: null });
    expect(await newestGrant()).toMatchObject({ tool_pack_id: own, access: "read", call_api: false });
    const names = await toolNames(client.resource, access_token);
    expect(names).toEqual(["list_accounts", "crm_list_contacts", "crm_list_companies", "crm_list_deals"]);
    for (const path of ["/mcp", "/proxy/crm/v3/objects/contacts", "/platform/v1/tool-packs"])
      expect((await listTools(`${service.url}${path}`, access_token, connection)).status).toBe(401);
  });

  it("tools that are found by searching have no hidden fields either, nor has the list of accounts", async () => {
    const hide = ["crm.contact.email", "identity.account.email", "identity.account.name"];
    const key = await newKey({ tool_pack_id: await newPack({ name: "Hides", access: "write", hide }) });
    const providers = ["hubspot", "github", "asana", "slack", "zendesk", "google-drive", "google-calendar"];
    const connections = providers.map((provider) => service.connections[provider]!);
    const { access_token } = await newTokens(client, { connections, access: "write" }, key);
    const call = (name: string, args: object = {}) => callTool(client.resource, access_token, name, args);
    expect(await toolNames(client.resource, access_token)).toEqual(["list_accounts", "search_tools", "call_tool"]);
    const found = JSON.stringify(await call("search_tools", { query: "list contacts", account: "hubspot" }));
    expect(found).toContain("crm_list_contacts");
    expect(found).not.toMatch(/email|include_raw|"params/);
    const contacts = { name: "crm_list_contacts", arguments: { account: "hubspot" } };
    expect(JSON.stringify(await call("call_tool", contacts))).not.toMatch(/@/);
    const refused = { ...contacts, arguments: { account: "hubspot", email: "a@example.com" } };
    expect(textOf(await call("call_tool", refused))).toContain("`email` is not allowed");
    const { accounts } = (await call("list_accounts")).structuredContent;
    expect(accounts.map((one: any) => one.user)).toEqual(accounts.map(() => null));
  });
});
