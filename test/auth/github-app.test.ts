// Connections of a GitHub App: installed by a user, proved to be theirs, and called without them.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { providers } from "../../src/providers/registry.gen.ts";
import { ecKey, rsaKey } from "../support/keys.ts";
import { createPlatform } from "../support/platform.ts";
import { clearFaults, clearRequests, injectFault, seenRequests } from "../support/sandbox.ts";
import { startService, type TestService } from "../support/service.ts";
import { createAgent, leftFor, pageOf } from "./support/agent.ts";
import { type Application, connectAccount, createApplication } from "./support/application.ts";

const github = providers.find(({ manifest }) => manifest.id === "github")!;
let service: TestService;
let application: Application;
beforeAll(async () => {
  service = await startService();
  application = await createApplication(service, github, "github_app");
});
afterAll(() => service?.close());

const stored = async (id: string) => (await service.store.connections.load(id))!.connection;

/** The redirect with which GitHub leads back after the installation, changed by a test. */
async function installed(change: (callback: URL) => void) {
  const agent = createAgent(service.url);
  const start = pageOf(await agent.open(application.authorizeUrl()));
  const page = pageOf(await agent.submit(start, { decision: "continue" }));
  const response = await agent.ask(page.url, { method: "POST", body: new URLSearchParams({ decision: "allow" }) });
  const callback = new URL(response.headers.get("location")!);
  change(callback);
  return { agent, page, callback, arrival: await agent.open(callback) };
}

describe("a connection of a GitHub App", () => {
  it("has the installation, its account, and a token that is no user's", async () => {
    const { connection_id } = await connectAccount(application);
    const connection = await stored(connection_id);
    expect(connection.settings).toEqual({ installation_id: "4242" });
    expect(connection.account).toMatchObject({ name: "octo-sandbox" });
    expect(Object.keys(connection.credentials)).toEqual(["token"]);
    expect(connection.expires_at).not.toBeNull();
    expect(await application.call(connection_id)).toMatchObject({ status: 200 });
    const me = await fetch(`${service.url}/unified/v1/me`, {
      headers: { authorization: `Bearer ${application.apiKey}`, "svc-connection-id": connection_id },
    });
    expect(me.status).toBe(403);
  });

  it("gets a new token when its token expires, and is invalid once the app is removed", async () => {
    const { connection_id } = await connectAccount(application);
    const before = await stored(connection_id);
    await injectFault(service, { provider: "github", expire_tokens: true });
    await clearFaults(service);
    expect((await application.call(connection_id)).status).toBe(200);
    expect((await stored(connection_id)).credentials.token).not.toBe(before.credentials.token);
    // A wrong key of the app, or a limit, says nothing about the installation.
    const path = "/app/installations/4242/access_tokens";
    for (const [status, extra] of [
      [401, {}],
      [403, { retry_after: 60 }],
      [500, {}],
      [404, {}],
    ] as const) {
      await injectFault(service, { provider: "github", expire_tokens: true });
      await clearFaults(service);
      await injectFault(service, { provider: "github", path, status, times: 3, ...extra });
      await application.call(connection_id);
      await clearFaults(service);
      expect((await stored(connection_id)).is_valid).toBe(status !== 404);
    }
    expect((await stored(connection_id)).invalid_reason).toContain("404");
  });

  it("is revoked when it is deleted", async () => {
    const { connection_id } = await connectAccount(application);
    await clearRequests(service);
    await application.platform("DELETE", `/connections/${connection_id}`);
    expect(await seenRequests(service, "github")).toMatchObject([{ method: "DELETE", path: "/installation/token" }]);
    await service.parts.requestLog.flush();
    const [entry] = await application.platform("GET", `/logs?connection_id=${connection_id}`);
    expect(entry.outcome).toBe("revocation_revoked");
  });

  it("the app's page is of the integration, and the state is on it", async () => {
    const { page } = await installed(() => {});
    expect(page.url.pathname).toBe("/sandbox/github/apps/acme-app/installations/new");
    expect([...page.url.searchParams.keys()]).toEqual(["state"]);
  });
});

describe("attacks on an installation", () => {
  it.each<[string, (callback: URL) => void]>([
    ["the number of somebody else's installation", ({ searchParams }) => searchParams.set("installation_id", "99999")],
    ["two numbers", ({ searchParams }) => searchParams.append("installation_id", "1")],
    ["no number", ({ searchParams }) => searchParams.delete("installation_id")],
    ["a path in place of the number", ({ searchParams }) => searchParams.set("installation_id", "4242/../1")],
    ["a made-up code", ({ searchParams }) => searchParams.set("code", "made-up")],
    ["no code", ({ searchParams }) => searchParams.delete("code")],
  ])("%s connects nothing", async (_, change) => {
    const left = leftFor((await installed(change)).arrival);
    expect(left.searchParams.get("error")).toMatch(/access_denied|server_error/);
    expect(left.searchParams.has("code")).toBe(false);
  });

  it("a state that is forged, replayed, or of another browser connects nothing", async () => {
    const forged = await installed(({ searchParams }) => searchParams.set("state", "a.b"));
    expect(pageOf(forged.arrival).status).toBe(400);
    const used = await installed(() => {});
    leftFor(used.arrival);
    expect(pageOf(await used.agent.open(used.callback)).status).toBe(400);
    const other = await installed((callback) => {
      callback.searchParams.set("state", used.callback.searchParams.get("state")!);
    });
    expect(pageOf(other.arrival).status).toBe(400);
  });

  it("the Platform API cannot connect an installation by its number", async () => {
    const call = createPlatform(service, application.apiKey);
    const body = { integration_id: application.integrationId, settings: { installation_id: "4242" } };
    const answer = await call("POST", "/v1/connections", body);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.errors)).toContain("integration_id");
  });
});

describe("an integration of a GitHub App", () => {
  const complete = {
    identifier: "github",
    type: "github_app",
    client_id: "Iv1.made-up",
    client_secret: "made-up-secret",
    private_key: rsaKey,
    settings: { app_slug: "acme-app" },
  };

  it.each<[string, object, string]>([
    ["without a private key", { private_key: null }, "private_key"],
    ["with a key of another type", { private_key: ecKey }, "private_key"],
    ["with text for a key", { private_key: "not a key" }, "private_key"],
    ["without a client secret", { client_secret: null }, "client_secret"],
    ["without the app's name", { settings: {} }, "settings"],
    ["with a path for the app's name", { settings: { app_slug: "a/b" } }, "settings"],
    ["with a setting of connections", { settings: { app_slug: "a", installation_id: "1" } }, "settings"],
  ])("%s is refused, and the field is named", async (_, change, field) => {
    const call = createPlatform(service, application.apiKey);
    const answer = await call("POST", "/v1/integrations", { ...complete, ...change });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, [field]]);
    expect(answer.text).not.toContain("PRIVATE KEY");
  });

  it("never returns its key, says that it has one, and keeps it when something else is changed", async () => {
    const { platform } = application;
    const created = await platform("POST", "/integrations", complete);
    expect(created).toMatchObject({
      has_private_key: true,
      has_client_secret: true,
      settings: { app_slug: "acme-app" },
    });
    expect(created.callback_url).toBe(`${service.url}/auth/callback`);
    const changed = await platform("PATCH", `/integrations/${created.id}`, { settings: { app_slug: "other" } });
    expect(changed).toMatchObject({ has_private_key: true, settings: { app_slug: "other" } });
    const listed = (await platform("GET", "/integrations")).find(({ id }: { id: string }) => id === created.id);
    expect(listed).toEqual(changed);
    expect(JSON.stringify([created, changed, listed]) + service.logs()).not.toContain("PRIVATE KEY");
  });
});
