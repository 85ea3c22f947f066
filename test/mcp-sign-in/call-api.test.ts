// Whether a client may call the services' own APIs: a choice of its own, which nothing else includes.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signIn as openDashboard } from "../dashboard/support/visitor.ts";
import { textOf } from "../mcp/support.ts";
import { createPlatform, type Platform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";
import {
  type Application,
  callTool,
  connectAccount,
  newApplication,
  newClient,
  newTokens,
  reachConsent,
  reachUserConsent,
  type TestClient,
  toolNames,
} from "./support.ts";

let service: TestService;
let platform: Platform;
let client: TestClient;
let application: Application;
beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT: "1000000/60" } });
  platform = createPlatform(service, service.apiKey);
  application = await newApplication(service, "application", ["github"]);
  client = await newClient(service, {
    name: "API client",
    resource: `${service.url}/unified/v1/mcp/w/${service.clientId}`,
  });
});
afterAll(() => service?.close());

const newKey = async (body: object, on = platform): Promise<string> =>
  (await on("POST", "/v1/api-keys", body)).body.api_key;
const callApi = (token: string, args: object) => callTool(client.resource, token, "call_api", args);
const github = () => service.connections.github!;
const newest = async () => (await platform("GET", "/v1/mcp-grants?order=newest&limit=1")).body[0];
const CREATE = { account: "github", method: "POST", path: "/user/repos", body: { name: "x" } };
const sentToGithub = async () =>
  ((await (await fetch(`${service.url}/sandbox/_requests?provider=github`)).json()) as any[]).filter(
    ({ method }) => method !== "GET",
  );

it("is asked for, off by default, and not part of the right to write", async () => {
  const { page } = await reachConsent(client);
  expect(page.html).toContain("also call the services' own APIs");
  expect(page.html).not.toMatch(/name="call_api"[^>]*checked/);
  const { access_token } = await newTokens(client, { connections: [github()], access: "write" });
  expect(await newest()).toMatchObject({ access: "write", call_api: false });
  expect(await toolNames(client.resource, access_token)).not.toContain("call_api");
  expect(await callApi(access_token, { account: "github", path: "/user" })).toMatchObject({ error: { code: -32602 } });
  const found = { name: "call_api", arguments: { account: "github", path: "/user" } };
  expect(JSON.stringify(await callTool(client.resource, access_token, "call_tool", found))).toContain("Unknown tool");
});

it("somebody who allows it lets the client call the provider's own paths, and the lists say so", async () => {
  const { access_token } = await newTokens(client, { connections: [github()], access: "write", callApi: true });
  expect(await newest()).toMatchObject({ access: "write", call_api: true });
  expect((await callApi(access_token, { account: "github", path: "/user" })).structuredContent.status).toBe(200);
  expect((await callApi(access_token, CREATE)).isError).toBe(true);
  expect(await sentToGithub()).toContainEqual(expect.objectContaining({ method: "POST", path: "/user/repos" }));
  const { html } = await (await openDashboard(service)).get("/mcp");
  expect(html).toContain("Calls APIs");
});

describe("with the right to read, call_api only reads", () => {
  let token: string;
  beforeAll(async () => {
    const connections = [github(), service.connections.slack!];
    token = (await newTokens(client, { connections, callApi: true })).access_token;
  });

  it.each(["POST", "PUT", "PATCH", "DELETE", "post", "TRACE", "CONNECT", "GET\r\nX: y"])(
    "%s is refused",
    async (method) => {
      const before = (await sentToGithub()).length;
      expect(textOf(await callApi(token, { ...CREATE, method }))).toContain("`method` must be GET, HEAD");
      expect(await sentToGithub()).toHaveLength(before);
    },
  );

  it("GET works", async () => {
    expect((await callApi(token, { account: "github", path: "/user" })).structuredContent.status).toBe(200);
  });

  it("an API at which GET writes is not called at all", async () => {
    const tools = (await callTool(client.resource, token, "list_accounts")).structuredContent;
    expect(tools.accounts.map(({ account }: any) => account)).toContain("slack");
    const query = { channel: "C1", text: "hello" };
    for (const path of ["/chat.postMessage", "/api/chat.postMessage", "//chat.postMessage", "/auth.test"])
      expect(textOf(await callApi(token, { account: "slack", path, query }))).toContain("slack cannot be called here");
    const sent = (await (await fetch(`${service.url}/sandbox/_requests?provider=slack`)).json()) as any[];
    expect(sent.filter(({ path }) => path.includes("postMessage"))).toEqual([]);
  });

  it("`?access=write` in the address adds nothing", async () => {
    const address = `${client.resource}?access=write`;
    expect(textOf(await callTool(address, token, "call_api", CREATE))).toContain("`method` must be GET, HEAD");
  });

  it("an account that was not chosen is not called", async () => {
    expect(textOf(await callApi(token, { account: "linear", path: "/graphql" }))).not.toContain("200");
  });
});

describe("it is not offered, and not given if a form asks for it", () => {
  it.each<[string, () => Promise<string>]>([
    ["with a key that lacks the scope proxy", () => newKey({ scopes: ["mcp"] })],
    ["with a key that has a tool pack", () => newPackKey()],
  ])("%s", async (_, key) => {
    const api_key = await key();
    expect((await reachConsent(client, { key: api_key })).page.html).not.toContain('name="call_api"');
    const { access_token } = await newTokens(client, { connections: [github()], callApi: true }, api_key);
    expect((await newest()).call_api).toBe(false);
    expect(await toolNames(client.resource, access_token)).not.toContain("call_api");
  });
  const newPackKey = async () =>
    newKey({ tool_pack_id: (await platform("POST", "/v1/tool-packs", { name: "All", access: "write" })).body.id });

  it("by an application whose key lacks the scope proxy", async () => {
    await connectAccount(application, "user-1", "github");
    const user = await newClient(service, { resource: application.resource });
    const asked = async (key: string) =>
      (await reachUserConsent(user, { platform: createPlatform(service, key) }, { external_id: "user-1" })).page.html;
    expect(await asked(application.key)).toContain('name="call_api"');
    const weak = await newKey({ scopes: ["connections:write"] }, application.platform);
    expect(await asked(weak)).not.toContain('name="call_api"');
  });
});
