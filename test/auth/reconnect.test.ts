// A link to reconnect passes through a browser, and anybody may have followed it: nothing changes before the application's
// server redeems the code.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startService, type TestService } from "../support/service.ts";
import { createAgent, leftFor } from "./support/agent.ts";
import { type Application, agree, connectAccount, createApplication, validValues } from "./support/application.ts";
import {
  HOUR,
  inMs,
  type ScriptedConnection,
  type ScriptedService,
  startScriptedService,
} from "./support/scripted-service.ts";
import { ledger, scripted, toyCatalogue, toySettings } from "./support/toy-providers.ts";

describe("reconnecting by OAuth", () => {
  const usual = scripted("usual");
  let setup: ScriptedService;
  let connection: ScriptedConnection;
  beforeAll(async () => {
    setup = await startScriptedService([usual]);
  });
  afterAll(() => setup?.close());
  beforeEach(async () => {
    setup.provider.reset();
    setup.provider.onToken(() => setup.provider.grant());
    connection = await setup.addConnection(usual, HOUR);
  });

  /** Follows a link to reconnect to its end, with another account, and returns the code. */
  async function reconnect(parameters: Record<string, string> = {}): Promise<string> {
    const agent = createAgent(setup.service.url);
    const link = connection.application.authorizeUrl({ connection_id: connection.id, ...parameters });
    const consent = leftFor(await agree(agent, link));
    const state = consent.searchParams.get("state");
    const end = leftFor(await agent.open(`/auth/callback?code=any&state=${state}`));
    return end.searchParams.get("code")!;
  }

  it("a reconnect whose code is not redeemed changes nothing: the old credentials keep working", async () => {
    const before = await connection.stored();
    expect(await reconnect({ external_id: "attacker" })).toBeTruthy();
    expect(await connection.stored()).toEqual(before);
    expect((await connection.call()).status).toBe(200);
    expect(setup.provider.calls).toEqual(["access-0"]);
  });

  it("redeeming the code gives the connection its new credentials immediately, and makes it valid", async () => {
    await connection.change({ is_valid: false, invalid_reason: "revoked" });
    // Cached with the old credentials, which are not used.
    expect((await connection.call()).status).toBe(404);
    expect(setup.provider.calls).toEqual([]);
    const code = await reconnect();
    const { status, body } = await connection.application.redeem(code);
    expect([status, body.connection_id]).toEqual([200, connection.id]);
    const [token] = [...setup.provider.acceptedTokens].slice(-1);
    expect(await connection.stored()).toMatchObject({
      credentials: { token },
      is_valid: true,
      invalid_reason: null,
    });
    setup.provider.calls.length = 0;
    expect((await connection.call()).status).toBe(200);
    expect(setup.provider.calls).toEqual([token]);
  });

  it("of two reconnects, the one that is redeemed counts, whichever came first", async () => {
    const [first, second] = [await reconnect(), await reconnect()];
    expect(setup.provider.acceptedTokens.size).toBe(3);
    const [, firstToken, secondToken] = [...setup.provider.acceptedTokens];
    await connection.application.redeem(second);
    expect((await connection.stored())?.credentials.token).toBe(secondToken);
    await connection.application.redeem(first);
    expect((await connection.stored())?.credentials.token).toBe(firstToken);
  });

  it("a code that is redeemed with another redirect_uri, or twice, changes nothing", async () => {
    const before = await connection.stored();
    const code = await reconnect();
    expect((await connection.application.redeem(code, "https://evil.example/")).status).toBe(400);
    expect((await connection.application.redeem(code)).status).toBe(400);
    expect(await connection.stored()).toEqual(before);

    const again = await reconnect();
    expect((await connection.application.redeem(again)).status).toBe(200);
    await connection.change({ credentials: { token: "refreshed since" }, expires_at: inMs(HOUR) });
    expect((await connection.application.redeem(again)).status).toBe(400);
    expect((await connection.stored())?.credentials).toEqual({ token: "refreshed since" });
  });

  it("a reconnect keeps the connection's external_id, whatever the link says", async () => {
    await connection.change({ external_id: "owner" });
    const { body } = await connection.application.redeem(await reconnect({ external_id: "attacker" }));
    expect(body).toMatchObject({ connection_id: connection.id, external_id: "owner" });
    expect((await connection.stored())?.external_id).toBe("owner");
  });

  it("a token that is refreshed between the provider's redirect and the redemption does not undo the reconnect", async () => {
    const code = await reconnect();
    const [newToken] = [...setup.provider.acceptedTokens].slice(-1);
    await connection.change({ expires_at: inMs(-1000) });
    expect((await connection.call()).status).toBe(200);
    await connection.application.redeem(code);
    expect((await connection.stored())?.credentials.token).toBe(newToken);
    expect((await connection.call()).status).toBe(200);
  });
});

describe("reconnecting by a form", () => {
  let toys: TestService;
  let application: Application;
  beforeAll(async () => {
    toys = await startService({ catalogue: toyCatalogue });
    application = await createApplication(toys, ledger, "basic");
  });
  afterAll(() => toys?.close());

  const values = (username: string) => ({ ...validValues(ledger, "basic", toySettings.ledger), username });
  const stored = async (id: string) => (await toys.store.connections.load(id))?.connection;

  it("a form that reconnects an account changes nothing before its code is redeemed", async () => {
    const { connection_id } = await connectAccount(application, { external_id: "owner" }, values("first@example.com"));
    const before = await stored(connection_id);
    const agent = createAgent(toys.url);
    const link = application.authorizeUrl({ connection_id, external_id: "attacker" });
    const end = leftFor(await agree(agent, link, values("second@example.com")));
    expect(await stored(connection_id)).toEqual(before);
    const { body } = await application.redeem(end.searchParams.get("code")!);
    expect(body).toMatchObject({ connection_id, external_id: "owner" });
    expect((await stored(connection_id))?.credentials.username).toBe("second@example.com");
  });

  it("a form that is submitted again after its connection was redeemed changes nothing before its own code is redeemed", async () => {
    const agent = createAgent(toys.url);
    const page = (await agent.open(application.authorizeUrl())).page!;
    const submit = async (username: string) =>
      leftFor(await agent.submit(page, { decision: "continue", ...values(username) })).searchParams.get("code")!;
    const { body } = await application.redeem(await submit("first@example.com"));
    const code = await submit("second@example.com");
    expect((await stored(body.connection_id))?.credentials.username).toBe("first@example.com");
    expect((await application.redeem(code)).body.connection_id).toBe(body.connection_id);
    expect((await stored(body.connection_id))?.credentials.username).toBe("second@example.com");
  });
});
