// Whose account a connection belongs to: read when it is made, without making anybody depend on it.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { providers } from "../../src/providers/registry.gen.ts";
import { testSqlite } from "../support/databases.ts";
import { clearFaults, injectFault } from "../support/sandbox.ts";
import { startService, type TestService } from "../support/service.ts";
import { type Application, connectAccount, createApplication, validValues } from "./support/application.ts";

const database = testSqlite();
const github = providers.find(({ manifest }) => manifest.id === "github")!;

describe("the account of a connection", () => {
  let service: TestService;
  let application: Application;
  /** What the connection's own `/me` says. */
  let me: { id: string; name: string; email: string | null };

  beforeAll(async () => {
    service = await startService({ env: database.env });
    application = await createApplication(service, github, "oauth2");
    const response = await fetch(`${service.url}/unified/v1/me`, {
      headers: { authorization: `Bearer ${service.apiKey}`, "svc-connection-id": service.connections.github! },
    });
    const { id, name, email } = ((await response.json()) as any).response.data;
    me = { id, name, email };
    expect(me.name).toEqual(expect.any(String));
  });
  afterEach(() => clearFaults(service));
  afterAll(async () => {
    await service?.close();
  });

  const get = (id: string) => application.platform("GET", `/connections/${id}`);
  const imported = () =>
    application.platform("POST", "/connections", {
      integration_id: application.integrationId,
      auth_token: service.sandbox.credentials("github", "oauth2").credentials.token,
    });

  it("an account that is connected by OAuth shows whose it is, also in lists", async () => {
    const { connection_id } = await connectAccount(application);
    expect(await get(connection_id)).toMatchObject({ is_valid: true, account: me });
    const listed = await application.platform("GET", "/connections?limit=100");
    expect(listed.find(({ id }: { id: string }) => id === connection_id).account).toEqual(me);
  });

  it("an account that is connected with a key shows whose it is", async () => {
    const own = await createApplication(service, github, "api_key");
    const { connection_id } = await connectAccount(own, {}, validValues(github, "api_key"));
    expect((await own.platform("GET", `/connections/${connection_id}`)).account).toEqual(me);
  });

  it("a connection that is created from existing credentials shows whose it is", async () => {
    expect((await imported()).account).toEqual(me);
  });

  it("a reconnect reads the account again", async () => {
    const { connection_id } = await connectAccount(application);
    await service.store.connections.update(connection_id, { account: { id: "1", name: "Before", email: null } });
    expect((await get(connection_id)).account.name).toBe("Before");
    await connectAccount(application, { connection_id });
    expect((await get(connection_id)).account).toEqual(me);
  });

  it.each([
    ["fails", { status: 500 }],
    ["refuses", { status: 401 }],
    ["drops the connection", { drop: true }],
    ["sends half of its answer", { truncate: true }],
  ])("a provider that %s when it is asked costs the connection nothing but the account", async (_what, fault) => {
    await injectFault(service, { provider: "github", path: "/user", times: 2, ...fault });
    const { connection_id } = await connectAccount(application);
    expect(await get(connection_id)).toMatchObject({ is_valid: true, account: null });
    const { id, account } = await imported();
    expect([account, (await get(id)).is_valid]).toEqual([null, true]);
  });

  it("a provider that does not answer when it is asked does not keep an account from being connected", async () => {
    // Ten minutes: whoever waited for it would run into the test's timeout.
    await injectFault(service, { provider: "github", path: "/user", delay_ms: 600_000 });
    const { connection_id } = await connectAccount(application);
    expect(await get(connection_id)).toMatchObject({ is_valid: true, account: null });
  });

  it("the account is encrypted at rest, and one that cannot be decrypted is not shown", async () => {
    const { id } = await imported();
    const account = { id: "8", name: "Somebody Unmistakable", email: "unmistakable@example.com" };
    await service.store.connections.update(id, { account });
    expect((await get(id)).account).toEqual(account);
    expect((await database.bytes()).toLowerCase()).not.toContain("unmistakable");

    await database.run(`update connections set account = 'aes256gcm.00000000.AAAA' where id = '${id}'`);
    expect(await get(id)).toMatchObject({ account: null, is_valid: true });
  });
});
