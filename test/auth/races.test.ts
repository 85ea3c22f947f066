import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createStore } from "../../src/store/index.ts";
import { keysFromText } from "../../src/store/secrets/key-source.ts";
import { createKeyring } from "../../src/store/secrets/vault.ts";
import { query, testDatabase } from "../support/postgres.ts";
import { createRelay } from "../support/relay.ts";
import { createAgent, leftFor, pageOf } from "./support/agent.ts";
import { type Answer, gate, type ScriptedProvider } from "./support/scripted-provider.ts";
import {
  inMs,
  type ScriptedConnection,
  type ScriptedService,
  startScriptedService,
} from "./support/scripted-service.ts";
import { scripted } from "./support/toy-providers.ts";

const usual = scripted("usual");
const postgres = await testDatabase();
const key = Buffer.alloc(32, 7).toString("base64");

afterAll(() => postgres?.drop());

describe("while a token is refreshed", () => {
  let setup: ScriptedService;
  let provider: ScriptedProvider;
  beforeAll(async () => {
    setup = await startScriptedService([usual]);
    provider = setup.provider;
  });
  afterAll(() => setup.close());
  beforeEach(() => provider.reset());

  /** A call that waits for the provider's token answer, which comes when the test calls `finish`. */
  async function startRefresh(answer: () => Answer = () => provider.grant()) {
    const asked = gate();
    provider.onToken(async () => {
      await asked.pass();
      return answer();
    });
    const connection = await setup.addConnection(usual, -1000);
    const call = connection.call();
    await asked.reached;
    return { connection, call, finish: asked.open };
  }

  it("a connection that is deleted during a refresh stays deleted, and the new token is revoked", async () => {
    const { connection, call, finish } = await startRefresh();
    await connection.application.platform("DELETE", `/connections/${connection.id}`);
    finish();
    expect(await call).toMatchObject({ status: 404, body: { errors: [{ code: 7002 }] } });
    expect(await connection.stored()).toBeUndefined();
    expect(provider.revocations.map((fields) => fields.get("token"))).toEqual([
      "refresh-0",
      expect.stringMatching(/^refresh-[1-9]/),
    ]);
  });

  it("a connection that is reconnected during a refresh keeps the newer credentials", async () => {
    const { connection, call, finish } = await startRefresh();
    provider.acceptedTokens.add("reconnected");
    await connection.change({
      credentials: { token: "reconnected", refresh_token: "of-the-new-consent" },
      expires_at: inMs(60 * 60_000),
      refreshed_at: inMs(0),
    });
    finish();
    expect((await call).status).toBe(200);
    expect(provider.calls).toEqual(["reconnected"]);
    expect((await connection.stored())?.credentials.refresh_token).toBe("of-the-new-consent");
  });

  it.each<[string, () => Answer]>([
    ["gets a late answer", () => provider.grant()],
    ["is refused because its token was used already", () => ({ status: 400, body: { error: "invalid_grant" } })],
  ])("a process that lost its lock and %s uses the token that another process has stored", async (_, answer) => {
    const { connection, call, finish } = await startRefresh(answer);
    provider.acceptedTokens.add("by-another-process");
    await setup.service.parts.store.connections.updateIfUnchanged(
      connection.id,
      { refresh_token: "refresh-0" },
      {
        credentials: { token: "by-another-process", refresh_token: "rotated-by-another" },
        expires_at: inMs(60 * 60_000),
        refreshed_at: inMs(0),
      },
    );
    finish();
    expect((await call).status).toBe(200);
    expect(provider.calls).toEqual(["by-another-process"]);
    expect(await connection.stored()).toMatchObject({
      is_valid: true,
      credentials: { refresh_token: "rotated-by-another" },
    });
  });

  it("a client that disconnects does not cancel the refresh", async () => {
    const asked = gate();
    provider.onToken(async () => {
      await asked.pass();
      return provider.grant();
    });
    const connection = await setup.addConnection(usual, -1000);
    const leaving = new AbortController();
    const call = fetch(`${setup.service.url}/unified/v1/crm/contacts`, {
      signal: leaving.signal,
      headers: { authorization: `Bearer ${connection.application.apiKey}`, "svc-connection-id": connection.id },
    });
    await asked.reached;
    leaving.abort();
    await expect(call).rejects.toThrow();
    asked.open();
    await expect.poll(async () => (await connection.stored())?.credentials.refresh_token).toMatch(/^refresh-[1-9]/);
  });
});

describe.runIf(postgres)("while the database is unavailable", () => {
  let setup: ScriptedService;
  let relay: Awaited<ReturnType<typeof createRelay>>;
  beforeAll(async () => {
    relay = await createRelay(new URL(postgres!.url), 5432);
    setup = await startScriptedService([usual], { DATABASE_URL: relay.url.href, ENCRYPTION_KEY: key });
  });
  afterAll(() => setup.close());
  afterEach(() => {
    vi.restoreAllMocks();
    setup.provider.reset();
  });

  /** Makes calls whose token answer arrives just after the database became unavailable. */
  async function callIntoOutage(connection: ScriptedConnection, calls: number) {
    const cut = Promise.withResolvers<void>();
    setup.provider.onToken(async () => {
      await relay.cut();
      cut.resolve();
      return setup.provider.grant();
    });
    const answers = Promise.all(Array.from({ length: calls }, connection.call));
    await cut.promise;
    return { answers };
  }

  it("a token that arrives while the database is unavailable is stored when it is back", async () => {
    const { provider } = setup;
    const connection = await setup.addConnection(usual, -1000);
    const { answers } = await callIntoOutage(connection, 5);
    // Longer than a write is usually retried.
    await wait(2000);
    await relay.restore();
    expect((await answers).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(provider.tokenRequests).toHaveLength(1);
    expect(await connection.stored()).toMatchObject({
      is_valid: true,
      credentials: { refresh_token: expect.stringMatching(/^refresh-[1-9]/) },
    });
  });

  it("a token that could not be stored in time is kept in memory and stored with the next call", async () => {
    const { provider } = setup;
    const connection = await setup.addConnection(usual, -1000);
    const { answers } = await callIntoOutage(connection, 1);
    // Long enough for the first attempt to store it.
    await wait(1000);
    const now = Date.now.bind(Date);
    vi.spyOn(Date, "now").mockImplementation(() => now() + 60_000);
    expect((await answers).map(({ status }) => status)).toEqual([503]);
    expect(setup.service.logs()).toContain("a refreshed token could not be stored");
    vi.restoreAllMocks();
    await relay.restore();
    // As if another process had tried the old token in the meantime.
    await expect.poll(() => connection.change({ is_valid: false, invalid_reason: "invalid_grant" })).toBeUndefined();
    expect((await connection.call()).status).toBe(200);
    expect(provider.tokenRequests).toHaveLength(1);
    expect(await connection.stored()).toMatchObject({ is_valid: true, invalid_reason: null });
  });

  it("an account that is connected while the database is unavailable for a moment can be used", async () => {
    const { provider } = setup;
    const { application } = await setup.addConnection(usual, -1000);
    const agent = createAgent(setup.service.url);
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

  it("no token is requested while the database is unavailable, because it could not be stored", async () => {
    const { provider } = setup;
    const connection = await setup.addConnection(usual, -1000);
    provider.onToken(() => provider.grant());
    // Cached from here on, so that a call gets as far as the refresh.
    expect((await connection.call()).status).toBe(200);
    await connection.change({ expires_at: inMs(-1000) });
    provider.tokenRequests.length = 0;
    await relay.cut();
    expect((await connection.call()).status).toBe(503);
    expect(provider.tokenRequests).toHaveLength(0);
    await relay.restore();
    await expect.poll(async () => (await connection.call()).status).toBe(200);
  });

  it("the lock on a refresh lasts longer than the longest refresh", async () => {
    const { provider, service } = setup;
    const asked = gate();
    provider.onToken(async () => {
      await asked.pass();
      return provider.grant();
    });
    const connection = await setup.addConnection(usual, -1000);
    const call = connection.call();
    await asked.reached;
    const { store } = service.parts;
    expect(await store.locks.acquire(`refresh:${connection.id}`, "another", 1)).toBe(false);
    const [{ left }] = await query(
      postgres!.url,
      `select (expires_at - extract(epoch from clock_timestamp()) * 1000000) / 1000 as left from locks where key = 'refresh:${connection.id}'`,
    );
    expect(Number(left)).toBeGreaterThan(service.config.upstreamTimeoutMs);
    asked.open();
    expect((await call).status).toBe(200);
    expect(await store.locks.acquire(`refresh:${connection.id}`, "another", 1)).toBe(true);
  });

  it("a service that is stopped during a refresh stores the new token first", async () => {
    const other = await startScriptedService([usual], { DATABASE_URL: postgres!.url, ENCRYPTION_KEY: key });
    const asked = gate();
    other.provider.onToken(async () => {
      await asked.pass();
      return other.provider.grant();
    });
    const connection = await other.addConnection(usual, -1000);
    const leaving = new AbortController();
    const call = fetch(`${other.service.url}/unified/v1/crm/contacts`, {
      signal: leaving.signal,
      headers: { authorization: `Bearer ${connection.application.apiKey}`, "svc-connection-id": connection.id },
    });
    await asked.reached;
    leaving.abort();
    await expect(call).rejects.toThrow();
    const stopped = other.close();
    asked.open();
    await stopped;
    const store = await createStore({ url: postgres!.url, keyring: createKeyring(keysFromText(key)) });
    expect((await store.connections.load(connection.id))?.connection.credentials.refresh_token).toMatch(
      /^refresh-[1-9]/,
    );
    await store.close();
  });
});
