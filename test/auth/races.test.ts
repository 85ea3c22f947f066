import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createStore } from "../../src/store/index.ts";
import { keysFromText } from "../../src/store/key-source.ts";
import { createKeyring } from "../../src/store/vault.ts";
import { query, testDatabase } from "../support/postgres.ts";
import { createRelay } from "../support/relay.ts";
import { createAgent, leftFor, pageOf } from "./support/agent.ts";
import { type Held, inMs, type Stage, setStage } from "./support/held.ts";
import { type Answer, gate, type ScriptedProvider } from "./support/scripted-provider.ts";
import { scripted } from "./support/toys.ts";

const usual = scripted("usual");
const postgres = await testDatabase();
const key = Buffer.alloc(32, 7).toString("base64");

afterAll(() => postgres?.drop());

describe("while a token is renewed", () => {
  let stage: Stage;
  let provider: ScriptedProvider;
  beforeAll(async () => {
    stage = await setStage([usual]);
    provider = stage.provider;
  });
  afterAll(() => stage.close());
  beforeEach(() => provider.reset());

  /** A call that waits for the provider's token answer, which the test holds back. */
  async function begin(answer: () => Answer = () => provider.grant()) {
    const asked = gate();
    provider.onToken(async () => {
      await asked.pass();
      return answer();
    });
    const held = await stage.hold(usual, -1000);
    const call = held.call();
    await asked.reached;
    return { held, call, finish: asked.open };
  }

  it("its connection can be deleted: it does not come back, and the new token is revoked", async () => {
    const { held, call, finish } = await begin();
    await held.application.platform("DELETE", `/connections/${held.id}`);
    finish();
    expect(await call).toMatchObject({ status: 404, body: { errors: [{ code: 7002 }] } });
    expect(await held.stored()).toBeUndefined();
    expect(provider.revocations.map((fields) => fields.get("token"))).toEqual([
      "refresh-0",
      expect.stringMatching(/^refresh-[1-9]/),
    ]);
  });

  it("its connection can be connected anew: what is newer stays", async () => {
    const { held, call, finish } = await begin();
    provider.good.add("connected-anew");
    await held.change({
      credentials: { token: "connected-anew", refresh_token: "of-the-new-consent" },
      expires_at: inMs(60 * 60_000),
      refreshed_at: inMs(0),
    });
    finish();
    expect((await call).status).toBe(200);
    expect(provider.calls).toEqual(["connected-anew"]);
    expect((await held.stored())?.credentials.refresh_token).toBe("of-the-new-consent");
  });

  it.each<[string, () => Answer]>([
    ["answers late", () => provider.grant()],
    ["is refused, since its token is used up", () => ({ status: 400, body: { error: "invalid_grant" } })],
  ])("a process that lost its lock and %s takes what another has stored", async (_, answer) => {
    const { held, call, finish } = await begin(answer);
    provider.good.add("by-another-process");
    await stage.service.parts.store.connections.updateIfUnchanged(held.id, "refresh-0", {
      credentials: { token: "by-another-process", refresh_token: "rotated-by-another" },
      expires_at: inMs(60 * 60_000),
      refreshed_at: inMs(0),
    });
    finish();
    expect((await call).status).toBe(200);
    expect(provider.calls).toEqual(["by-another-process"]);
    expect(await held.stored()).toMatchObject({
      is_valid: true,
      credentials: { refresh_token: "rotated-by-another" },
    });
  });

  it("a client that goes away does not end the refresh", async () => {
    const asked = gate();
    provider.onToken(async () => {
      await asked.pass();
      return provider.grant();
    });
    const held = await stage.hold(usual, -1000);
    const leaving = new AbortController();
    const call = fetch(`${stage.service.url}/unified/v1/crm/contacts`, {
      signal: leaving.signal,
      headers: { authorization: `Bearer ${held.application.apiKey}`, "svc-connection-id": held.id },
    });
    await asked.reached;
    leaving.abort();
    await expect(call).rejects.toThrow();
    asked.open();
    await expect.poll(async () => (await held.stored())?.credentials.refresh_token).toMatch(/^refresh-[1-9]/);
  });
});

describe.runIf(postgres)("with a database that can go away", () => {
  let stage: Stage;
  let relay: Awaited<ReturnType<typeof createRelay>>;
  beforeAll(async () => {
    relay = await createRelay(new URL(postgres!.url), 5432);
    stage = await setStage([usual], { DATABASE_URL: relay.url.href, ENCRYPTION_KEY: key });
  });
  afterAll(() => stage.close());
  afterEach(() => {
    vi.restoreAllMocks();
    stage.provider.reset();
  });

  /** Calls whose token answer comes when the database has just gone away. */
  async function callIntoOutage(held: Held, calls: number) {
    const away = Promise.withResolvers<void>();
    stage.provider.onToken(async () => {
      await relay.cut();
      away.resolve();
      return stage.provider.grant();
    });
    const answers = Promise.all(Array.from({ length: calls }, held.call));
    await away.promise;
    return { answers };
  }

  it("a token that was given while it was away is stored when it is back, and nothing is lost", async () => {
    const { provider } = stage;
    const held = await stage.hold(usual, -1000);
    const { answers } = await callIntoOutage(held, 5);
    // Longer than one would try for if there were another chance.
    await wait(2000);
    await relay.restore();
    expect((await answers).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(provider.tokenRequests).toHaveLength(1);
    expect(await held.stored()).toMatchObject({
      is_valid: true,
      credentials: { refresh_token: expect.stringMatching(/^refresh-[1-9]/) },
    });
  });

  it("a token is kept in mind where it stayed away for too long", async () => {
    const { provider } = stage;
    const held = await stage.hold(usual, -1000);
    const { answers } = await callIntoOutage(held, 1);
    // By now it is being tried.
    await wait(1000);
    const now = Date.now.bind(Date);
    vi.spyOn(Date, "now").mockImplementation(() => now() + 60_000);
    expect((await answers).map(({ status }) => status)).toEqual([503]);
    expect(stage.service.logs()).toContain("a refreshed token could not be stored");
    vi.restoreAllMocks();
    await relay.restore();
    // Another process may have tried the old one meanwhile.
    await expect.poll(() => held.change({ is_valid: false, invalid_reason: "invalid_grant" })).toBeUndefined();
    expect((await held.call()).status).toBe(200);
    expect(provider.tokenRequests).toHaveLength(1);
    expect(await held.stored()).toMatchObject({ is_valid: true, invalid_reason: null });
  });

  it("an account that was connected while it was away is connected", async () => {
    const { provider } = stage;
    const { application } = await stage.hold(usual, -1000);
    const agent = createAgent(stage.service.url);
    const start = pageOf(await agent.open(application.authorizeUrl()));
    const consent = leftFor(await agent.submit(start, { decision: "continue" }));
    const cut = Promise.withResolvers<void>();
    provider.onToken(async () => {
      await relay.cut();
      cut.resolve();
      return provider.grant();
    });
    const callback = agent.open(`/auth/callback?code=any&state=${consent.searchParams.get("state")}`);
    await cut.promise;
    await wait(500);
    await relay.restore();
    const code = leftFor(await callback).searchParams.get("code")!;
    const { body } = await application.redeem(code);
    expect((await application.call(body.connection_id)).status).toBe(200);
  });

  it("no provider is asked while it is away: its answer could not be kept", async () => {
    const { provider } = stage;
    const held = await stage.hold(usual, -1000);
    provider.onToken(() => provider.grant());
    // Known by now, so that a call gets as far as the refresh.
    expect((await held.call()).status).toBe(200);
    await held.change({ expires_at: inMs(-1000) });
    provider.tokenRequests.length = 0;
    await relay.cut();
    expect((await held.call()).status).toBe(503);
    expect(provider.tokenRequests).toHaveLength(0);
    await relay.restore();
    await expect.poll(async () => (await held.call()).status).toBe(200);
  });

  it("a lock outlasts the longest refresh", async () => {
    const { provider, service } = stage;
    const asked = gate();
    provider.onToken(async () => {
      await asked.pass();
      return provider.grant();
    });
    const held = await stage.hold(usual, -1000);
    const call = held.call();
    await asked.reached;
    const { store } = service.parts;
    expect(await store.locks.acquire(`refresh:${held.id}`, "another", 1)).toBe(false);
    const [{ left }] = await query(
      postgres!.url,
      `select (expires_at - extract(epoch from clock_timestamp()) * 1000000) / 1000 as left from locks where key = 'refresh:${held.id}'`,
    );
    expect(Number(left)).toBeGreaterThan(service.config.upstreamTimeoutMs);
    asked.open();
    expect((await call).status).toBe(200);
    expect(await store.locks.acquire(`refresh:${held.id}`, "another", 1)).toBe(true);
  });

  it("a service that is told to stop stores what it was given first", async () => {
    const other = await setStage([usual], { DATABASE_URL: postgres!.url, ENCRYPTION_KEY: key });
    const asked = gate();
    other.provider.onToken(async () => {
      await asked.pass();
      return other.provider.grant();
    });
    const held = await other.hold(usual, -1000);
    const leaving = new AbortController();
    const call = fetch(`${other.service.url}/unified/v1/crm/contacts`, {
      signal: leaving.signal,
      headers: { authorization: `Bearer ${held.application.apiKey}`, "svc-connection-id": held.id },
    });
    await asked.reached;
    leaving.abort();
    await expect(call).rejects.toThrow();
    const stopped = other.close();
    asked.open();
    await stopped;
    const store = await createStore({ url: postgres!.url, keyring: createKeyring(keysFromText(key)) });
    expect((await store.connections.load(held.id))?.connection.credentials.refresh_token).toMatch(/^refresh-[1-9]/);
    await store.close();
  });
});
