// Accounts that people connect in the middle of a conversation: they become accounts of the client's grant, and of no
// other, if the person who allowed the client connects them.
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { Browser, type Page } from "../access/support/browser.ts";
import { hiddenValue } from "../dashboard/support/visitor.ts";
import { connectModernClient, textOf } from "../mcp/support.ts";
import { createPlatform } from "../support/platform.ts";
import { injectFault } from "../support/sandbox.ts";
import { startService, type TestService } from "../support/service.ts";
import {
  type Application,
  answerOf,
  callTool,
  connectAccount,
  decide,
  newApplication,
  newClient,
  newTokens,
  offered,
  reachUserConsent,
  type TestClient,
  toolNames,
} from "./support.ts";

const ON_GITLAB = { account: "gitlab", limit: 1 };

let service: TestService;
let application: Application;
let client: TestClient;
let otherClient: TestClient;
beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT: "1000000/60" } });
  application = await newApplication(service, "application", ["github", "gitlab", "linear"]);
  const { resource } = application;
  client = await newClient(service, { name: "Desktop client", resource });
  otherClient = await newClient(service, { name: "Other client", resource });
});
afterAll(() => service?.close());
afterEach(() => void vi.useRealTimers());

interface SignedIn {
  browser: Browser;
  token: string;
  refreshToken: string;
  grantId: string;
  externalId: string;
  /** The account that the client may use from the start. */
  connection: string;
}

/** A user with an account at GitHub, who allows a client to use it. */
async function signIn(by = client, externalId = `user-${randomUUID()}`): Promise<SignedIn> {
  const connection = await connectAccount(application, externalId, "github");
  const { browser, page } = await reachUserConsent(by, application, { external_id: externalId });
  const connections = offered(page).filter((id) => id === connection);
  const code = answerOf(await decide(browser, page, { connections })).get("code")!;
  const { access_token, refresh_token } = (await by.redeem(code)).body;
  const [grant] = (await application.platform("GET", "/v1/mcp-grants?order=newest&limit=1")).body;
  return { browser, token: access_token, refreshToken: refresh_token, grantId: grant.id, externalId, connection };
}

const accountsOf = async ({ grantId }: SignedIn): Promise<string[]> =>
  (await application.platform("GET", `/v1/mcp-grants/${grantId}`)).body.connection_ids;
const connectionsOf = async ({ externalId }: SignedIn): Promise<string[]> =>
  (await application.platform("GET", `/v1/connections?external_id=${externalId}`)).body.map(({ id }: any) => id);

const callOnGitlab = ({ token }: SignedIn, by = client) =>
  callTool(by.resource, token, "git_list_repositories", ON_GITLAB);
const linkIn = (result: object) => /open this link: (\S+)/.exec(textOf(result))![1]!;
const newLink = async (user: SignedIn, by = client) => linkIn(await callOnGitlab(user, by));

const connectForm = ({ html }: Page, provider = "gitlab") => ({
  ticket: hiddenValue(html, "ticket"),
  decision: "continue",
  key: service.sandbox.credentials(provider, "api_key").credentials.token!,
});
const connectAt = async (browser: Browser, url: string, provider?: string) => {
  const page = await browser.open(url);
  return { page, done: await browser.open(page.url, { form: connectForm(page, provider) }) };
};

describe("an account that is missing", () => {
  it("is connected by the person who allowed the client, becomes an account of the grant, and the call works", async () => {
    const user = await signIn();
    const url = await newLink(user);
    const { page, done } = await connectAt(user.browser, url);
    expect(page.html).toContain("<strong>Desktop client</strong> (<strong>client.example</strong>) can then use it");
    expect(done.html).toContain("GitLab is connected");
    const created = (await connectionsOf(user)).filter((id) => id !== user.connection);
    expect(created).toHaveLength(1);
    expect(await accountsOf(user)).toEqual([user.connection, created[0]]);
    expect((await callOnGitlab(user)).structuredContent.response.data).toHaveLength(1);
    const entries = (await application.platform("GET", `/v1/audit?target=${user.grantId}&action=mcp_grant.update`))
      .body;
    expect(entries).toMatchObject([{ changes: ["connection_ids"], actor: { kind: "person", id: user.externalId } }]);
    expect((await application.platform("GET", `/v1/audit?target=${created[0]}`)).body).toMatchObject([
      { action: "connection.connect" },
    ]);
  });

  it("is connected by `input_required`, and the client's call goes on", async () => {
    const user = await signIn();
    const headers = { authorization: `Bearer ${user.token}` };
    const { client: modern, close } = await connectModernClient(client.resource, headers, async ({ url }) => {
      await connectAt(user.browser, url);
      return "accept";
    });
    const result = (await modern.callTool({ name: "git_list_repositories", arguments: ON_GITLAB })) as any;
    expect(result.structuredContent.response.data).toHaveLength(1);
    await close();
  });

  it("is connected by connect_account, and its tools are there", async () => {
    const user = await signIn();
    expect(await toolNames(client.resource, user.token)).toContain("connect_account");
    const connect = () => callTool(client.resource, user.token, "connect_account", { account: "linear" });
    await connectAt(user.browser, linkIn(await connect()), "linear");
    expect((await connect()).structuredContent).toEqual({ connected: "linear" });
    expect(await toolNames(client.resource, user.token)).toContain("tasks_list_tasks");
  });

  it("that has become invalid is connected again in the same browser, and stays the same account", async () => {
    const user = await signIn();
    await injectFault(service, { provider: "github", path: "/user/repos", status: 401, times: 1 });
    const result = await callTool(client.resource, user.token, "git_list_repositories", { account: "github" });
    const stranger = await new Browser().send(linkIn(result));
    expect(stranger.status).toBe(403);
    const { done } = await connectAt(user.browser, linkIn(result), "github");
    expect(done.html).toContain("GitHub is connected");
    expect([await accountsOf(user), await connectionsOf(user)]).toEqual([[user.connection], [user.connection]]);
  });
});

describe("a link of a grant is of no use", () => {
  const nothingConnected = async (user: SignedIn) => {
    expect([await accountsOf(user), await connectionsOf(user)]).toEqual([[user.connection], [user.connection]]);
  };

  it("to somebody else, whose account the client would get", async () => {
    const user = await signIn();
    const url = await newLink(user);
    const victim = new Browser();
    const page = await victim.send(url);
    expect([page.status, page.html.includes("would get access to your account")]).toEqual([403, true]);
    // Also with a cookie of their own, and with the form of the person.
    const [own, stolen] = [await signIn(otherClient), await user.browser.open(url)];
    for (const browser of [victim, own.browser]) {
      expect((await browser.send(url)).status).toBe(403);
      expect((await browser.send(url, { form: connectForm(stolen) })).status).toBe(403);
    }
    await nothingConnected(user);
    await nothingConnected(own);
  });

  it("after the grant was revoked, even if the page is open already", async () => {
    const user = await signIn();
    const [unopened, opened] = [await newLink(user), await newLink(user)];
    const page = await user.browser.open(opened);
    await application.platform("DELETE", `/v1/mcp-grants/${user.grantId}`);
    expect((await user.browser.send(unopened)).html).toContain("This link does not work");
    expect((await user.browser.send(page.url, { form: connectForm(page) })).html).toContain("This link does not work");
    expect(await connectionsOf(user)).toEqual([user.connection]);
  });

  it("after the client has given its access back", async () => {
    const user = await signIn();
    const url = await newLink(user);
    await client.revoke(user.refreshToken);
    expect((await user.browser.send(url)).html).toContain("This link does not work");
    expect((await callOnGitlab(user)).errors).toMatchObject([{ code: 1000 }]);
  });

  it("for another grant, even of the same person in the same browser", async () => {
    const user = await signIn();
    const second = await signIn(otherClient, user.externalId);
    second.browser.cookies.clear();
    for (const [name, value] of user.browser.cookies) second.browser.cookies.set(name, value);
    await connectAt(user.browser, await newLink(user));
    expect(await accountsOf(user)).toHaveLength(2);
    expect(await accountsOf(second)).toEqual([second.connection]);
    expect(textOf(await callOnGitlab(second, otherClient))).toContain("open this link");
  });

  it("twice", async () => {
    const user = await signIn();
    const url = await newLink(user);
    const page = await user.browser.open(url);
    const form = connectForm(page);
    await user.browser.open(page.url, { form });
    await user.browser.open(page.url, { form });
    expect(await accountsOf(user)).toHaveLength(2);
  });

  it("with another user in its address", async () => {
    const user = await signIn();
    const other = await signIn();
    const address = `${client.resource}?external_id=${other.externalId}`;
    const result = await callTool(address, user.token, "git_list_repositories", ON_GITLAB);
    expect(JSON.stringify(result)).not.toContain("open this link");
    expect(await toolNames(address, user.token)).not.toContain("connect_account");
    expect((await callTool(address, user.token, "list_accounts")).structuredContent.accounts).toEqual([]);
  });

  it("after half an hour", async () => {
    const user = await signIn();
    const url = await newLink(user);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 31 * 60_000 });
    expect((await user.browser.send(url)).html).toContain("This link does not work");
  });
});

describe("what is connected otherwise is not added to a grant", () => {
  it("by a link that a key got", async () => {
    const user = await signIn();
    const address = `${service.url}/unified/v1/mcp?external_id=${user.externalId}`;
    const result = await callTool(address, application.key, "git_list_repositories", ON_GITLAB);
    const { done } = await connectAt(new Browser(), linkIn(result));
    expect(done.html).toContain("GitLab is connected");
    expect(await connectionsOf(user)).toHaveLength(2);
    expect(await accountsOf(user)).toEqual([user.connection]);
  });

  it("by a connect session of the application", async () => {
    const user = await signIn();
    const body = { external_id: user.externalId, integrations: ["linear"], mcp_grant_id: user.grantId };
    expect((await application.platform("POST", "/v1/connect-sessions", body)).status).toBe(400);
    const { mcp_grant_id: _, ...session } = body;
    const { url } = (await application.platform("POST", "/v1/connect-sessions", session)).body;
    await connectAt(user.browser, url, "linear");
    expect(await connectionsOf(user)).toHaveLength(2);
    expect(await accountsOf(user)).toEqual([user.connection]);
  });
});

describe("somebody who is not a user of the application", () => {
  it.each<[string, (() => Promise<string>) | undefined]>([
    ["with a key of the whole workspace", undefined],
    ["with a key that is bound to connections", () => newKey({ scopes: ["*"], connection_ids: [github()] })],
    [
      "with a key of a user that must not connect accounts",
      () => newKey({ scopes: ["mcp"], external_id: "sandbox-user" }),
    ],
  ])("%s chooses accounts on the page, and gets no link for others", async (_, key) => {
    const github = service.connections.github!;
    await createPlatform(service, service.apiKey)("PATCH", `/v1/connections/${github}`, {
      external_id: "sandbox-user",
    });
    const own = await newClient(service, { resource: `${service.url}/unified/v1/mcp/w/${service.clientId}` });
    const { access_token } = await newTokens(own, { connections: [github] }, await key?.());
    expect(await toolNames(own.resource, access_token)).not.toContain("connect_account");
    const result = await callTool(own.resource, access_token, "git_list_repositories", ON_GITLAB);
    expect(textOf(result)).toContain("sign in to this client again and choose it");
    expect(textOf(result)).not.toContain("http");
  });
  const github = () => service.connections.github!;
  const newKey = async (body: object): Promise<string> =>
    (await createPlatform(service, service.apiKey)("POST", "/v1/api-keys", body)).body.api_key;

  it("who has a key of a user that may connect accounts adds them", async () => {
    const externalId = `user-${randomUUID()}`;
    const connection = await connectAccount(application, externalId, "github");
    const { api_key } = (
      await application.platform("POST", "/v1/api-keys", {
        scopes: ["mcp", "connections:write"],
        external_id: externalId,
      })
    ).body;
    await application.platform("PATCH", "/v1/workspace", { mcp_sign_in_url: null });
    const { access_token } = await newTokens(client, { connections: [connection] }, api_key);
    await application.platform("PATCH", "/v1/workspace", { mcp_sign_in_url: "https://app.example/sign-in" });
    expect(await toolNames(client.resource, access_token)).toContain("connect_account");
  });
});
