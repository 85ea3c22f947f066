import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { describeDatabases } from "../../../test/support/databases.ts";
import { newConnection } from "../../../test/support/entities.ts";
import type { Job } from "../../contracts/events.ts";
import { ProviderFailure } from "../../contracts/fault.ts";
import type { MadeHook, StoredHook } from "../../contracts/hooks.ts";
import type { Store } from "../../contracts/store.ts";
import { currentInterval, isHookHealthy } from "../../contracts/subscriptions.ts";
import { newId } from "../../runtime/ids.ts";
import { createHintWriter } from "./hints.ts";
import { createHookLife, type HookLifeOptions } from "./life.ts";

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 1);

await describeDatabases("the life of a hook", (database) => {
  let store: Store;
  let workspace_id: string;
  const clock = { now: START };
  const provider = {
    per: "connection" as "connection" | "application",
    obstacle: undefined as string | undefined,
    isValid: true,
    fails: undefined as Error | undefined,
    made: { remote: { id: "1" } } as MadeHook,
    renewed: undefined as { expires_at: string } | undefined,
    calls: [] as string[],
  };
  const called = <Result>(name: string, result: Result): Result => {
    provider.calls.push(name);
    if (provider.fails) throw provider.fails;
    return result;
  };
  const engine = {
    inspect: async () => ({ record: { is_valid: provider.isValid }, provider: { manifest: { name: "Acme" } } }),
    hooks: {
      per: () => provider.per,
      needs: () => "It needs an administrator.",
      obstacle: () => provider.obstacle,
      newSecret: () => "made-up-secret",
      make: async () => called("make", provider.made),
      renew: async () => called("renew", provider.renewed),
      remove: async () => called("remove", undefined),
      account: async () => called("account", "account-1"),
    },
  } as unknown as HookLifeOptions["engine"];
  const warn = vi.fn();
  const wakeSubscriptions = vi.fn();
  const run = (hook: Pick<StoredHook, "id">, lost = new AbortController().signal) =>
    createHookLife({ store, engine, log: { warn }, wakeSubscriptions, now: () => clock.now })(
      { id: hook.id } as Job,
      lost,
    );

  beforeAll(async () => {
    store = await database.open();
    workspace_id = newId("ws");
    await store.workspaces.create({ id: workspace_id, name: "Acme", client_id: randomUUID(), redirect_uris: [] });
  });
  beforeEach(() => {
    clock.now = START;
    vi.clearAllMocks();
    Object.assign(provider, {
      per: "connection",
      obstacle: undefined,
      isValid: true,
      fails: undefined,
      made: { remote: { id: "1" } },
      renewed: undefined,
      calls: [],
    });
  });

  async function subscribe(operations = ["git.listIssues"]) {
    const connection_id = (await store.connections.create(newConnection({ workspace_id }))).id;
    const ids = await Promise.all(
      operations.map(async (operation) => {
        const { id } = await store.subscriptions.create({
          id: newId("sub"),
          workspace_id,
          connection_id,
          operation,
          parameters: {},
          interval_seconds: 60,
          full_walk_seconds: 3600,
          include_existing: false,
        });
        await store.hooks.want({ id, workspace_id, connection_id }, { integration_id: "int_1", target: "acme/rocket" });
        return id;
      }),
    );
    const get = async (id = ids[0]!) => (await store.subscriptions.get(workspace_id, id))!;
    const hooks = () => store.hooks.ofConnection(connection_id);
    return { ids, connection_id, get, hooks, hook: async () => (await hooks())[0]! };
  }

  /** Ends the claims of all subscriptions, as if they had run and were due in an hour. */
  async function finishAll() {
    const jobs = await store.jobs.claim("subscription", randomUUID(), 1000, 60_000);
    for (const job of jobs) await store.jobs.finish(job, HOUR);
    return jobs.map(({ id }) => id);
  }
  const dueNow = async () => {
    const jobs = await store.jobs.claim("subscription", randomUUID(), 1000, 60_000);
    return jobs.map(({ id }) => id);
  };

  it("subscriptions of one target share a hook, which is made once, and from then on they are read more rarely", async () => {
    const { ids, get, hooks, hook } = await subscribe(["git.listIssues", "git.listCommits"]);
    expect(await hooks()).toHaveLength(1);
    expect((await get()).hook).toMatchObject({ state: "new" });
    expect(currentInterval(await get(), clock.now)).toBe(60);
    await run(await hook());
    expect(await hook()).toMatchObject({ state: "active", secret: "made-up-secret", remote: { id: "1" } });
    for (const id of ids) expect(currentInterval(await get(id), clock.now)).toBe(600);
    expect(wakeSubscriptions).toHaveBeenCalled();
    await run(await hook());
    expect(provider.calls).toEqual(["make"]);
  });

  it("what is stored of a hook cannot be read in the database", async () => {
    const { hook } = await subscribe();
    provider.made = { remote: { id: "remote-id-1" }, secret: "very-secret-1" };
    await run(await hook());
    expect(await hook()).toMatchObject({ secret: "very-secret-1" });
    expect(await database.bytes()).not.toMatch(/very-secret-1|remote-id-1|made-up-secret/);
  });

  it("after it is made, the subscriptions run once more: something may have changed before", async () => {
    const { ids, hook } = await subscribe();
    await finishAll();
    expect(await dueNow()).toEqual([]);
    await run(await hook());
    expect(await dueNow()).toEqual(ids);
  });

  it.each([
    [
      "refused",
      new ProviderFailure(403, {}, Buffer.from("secret of the provider")),
      6 * HOUR,
      /answered 403.*It needs an administrator/,
    ],
    ["unreachable", new Error("no network"), HOUR / 6, /could not be made/],
  ])(
    "one that is %s is tried again, and the subscription says why it is polling",
    async (_, error, retryMs, reason) => {
      const { get, hook } = await subscribe();
      provider.fails = error;
      expect(await run(await hook())).toBe(retryMs);
      const subscription = await get();
      expect(subscription.hook?.reason).toMatch(reason);
      expect(subscription.hook?.reason).not.toContain("secret of the provider");
      expect(isHookHealthy(subscription, clock.now)).toBe(false);
      provider.fails = undefined;
      await run(await hook());
      expect(isHookHealthy(await get(), clock.now)).toBe(true);
    },
  );

  it("none is made by a process that stops, and the next one tries again", async () => {
    const { hook } = await subscribe();
    await store.hooks.update((await hook()).id, { remote: { id: "left" } });
    const before = await hook();
    await expect(run(before, AbortSignal.abort())).rejects.toThrow();
    expect(provider.calls).toEqual(["remove"]);
    expect(await hook()).toEqual(before);
    expect(warn).not.toHaveBeenCalled();
    await run(before);
    expect(await hook()).toMatchObject({ state: "active", remote: { id: "1" } });
  });

  it("without a secret, a public address or a valid connection none is made", async () => {
    const { get, hook } = await subscribe();
    provider.obstacle = "set BASE_URL to a public address";
    await run(await hook());
    expect((await get()).hook).toMatchObject({ state: "failed", reason: "set BASE_URL to a public address" });
    provider.isValid = false;
    await run(await hook());
    expect((await get()).hook).toMatchObject({ reason: "the connection is invalid" });
    expect(provider.calls).toEqual([]);
  });

  it("one of a connection that was invalid is tried again when the account is connected again", async () => {
    const { hook, connection_id } = await subscribe();
    const claimed = async () => (await store.jobs.claim("hook", "me", 1000, 60_000)).find(({ id }) => id === made.id);
    const made = await hook();
    await store.jobs.finish((await claimed())!, HOUR);
    expect(await claimed()).toBeUndefined();
    await store.connections.update(connection_id, { credentials: { token: "another" } });
    expect(await claimed()).toBeDefined();
  });

  it("one that expires is renewed after two thirds of its life", async () => {
    const { get, hook } = await subscribe();
    provider.made = { remote: { id: "1" }, expires_at: new Date(START + 3 * HOUR).toISOString() };
    expect(await run(await hook())).toBe(2 * HOUR);
    clock.now = START + 2 * HOUR - 1;
    expect(await run(await hook())).toBe(1);
    expect(provider.calls).toEqual(["make"]);
    clock.now = START + 2 * HOUR;
    provider.renewed = { expires_at: new Date(clock.now + 3 * HOUR).toISOString() };
    expect(await run(await hook())).toBe(2 * HOUR);
    expect((await get()).hook?.expires_at).toBe(provider.renewed.expires_at);
    expect(provider.calls).toEqual(["make", "renew"]);
  });

  it("one that cannot be renewed is replaced, and the old one is accepted for a minute before it is removed", async () => {
    const { hook, hooks, get } = await subscribe();
    provider.made = { remote: { id: "old" }, expires_at: new Date(START + 3 * HOUR).toISOString() };
    await run(await hook());
    clock.now = START + 2 * HOUR;
    await run(await hook());
    const [old, replacement] = (await hooks()).sort((one) => (one.state === "ending" ? -1 : 1));
    expect([old!.state, replacement!.state]).toEqual(["ending", "new"]);
    expect((await get()).hook?.id).toBe(replacement!.id);
    await run(replacement!);
    await store.hooks.hint([{ hookId: old!.id, operations: undefined, deletes: [] }]);
    await run(old!);
    expect(provider.calls).toEqual(["make", "renew", "make", "remove"]);
    expect((await hooks()).map(({ id }) => id)).toEqual([replacement!.id]);
  });

  it("a failed renewal and a missed expiry bring the interval back at once, and the subscriptions run", async () => {
    const { ids, get, hook } = await subscribe();
    provider.made = { remote: { id: "1" }, expires_at: new Date(START + 3 * HOUR).toISOString() };
    await run(await hook());
    await finishAll();
    clock.now = START + 2 * HOUR;
    provider.fails = new ProviderFailure(500, {}, Buffer.from(""));
    await run(await hook());
    expect(currentInterval(await get(), clock.now)).toBe(60);
    expect(await dueNow()).toEqual(ids);
    provider.fails = undefined;
    provider.made = { remote: { id: "2" }, expires_at: new Date(clock.now + 3 * HOUR).toISOString() };
    await run(await hook());
    expect(provider.calls).toEqual(["make", "renew", "remove", "make"]);
    expect(currentInterval(await get(), clock.now)).toBe(600);
    expect(currentInterval(await get(), clock.now + 3 * HOUR - 120_000)).toBe(120);
    expect(currentInterval(await get(), clock.now + 3 * HOUR)).toBe(60);
    clock.now += 3 * HOUR;
    await run(await hook());
    expect(provider.calls.at(-1)).toBe("make");
  });

  it("one that misses changes is made again, once a day, and is not relied on until a hint arrives", async () => {
    const { get, hook, hooks } = await subscribe();
    await run(await hook());
    await store.hooks.missed((await hook()).id, new Date(Date.now() + HOUR).toISOString());
    expect(isHookHealthy(await get(), clock.now)).toBe(false);
    clock.now += HOUR;
    expect(await run(await hook())).toBe(23 * HOUR);
    await store.hooks.hint([{ hookId: (await hook()).id, operations: [], deletes: [] }]);
    expect(isHookHealthy(await get(), clock.now)).toBe(true);
    // A hint came after the run had begun.
    await store.hooks.missed((await hook()).id, "2026-01-01T00:00:00.000Z");
    expect(isHookHealthy(await get(), clock.now)).toBe(true);
    await store.hooks.missed((await hook()).id, new Date(Date.now() + HOUR).toISOString());
    clock.now += 24 * HOUR;
    await run(await hook());
    expect((await hooks()).map(({ state }) => state).sort()).toEqual(["ending", "new"]);
  });

  it("it is removed when no subscription needs it, even if the provider fails, which is logged", async () => {
    const { ids, hook, hooks } = await subscribe();
    await run(await hook());
    const made = await hook();
    await store.jobs.finish(
      (await store.jobs.claim("hook", "me", 1000, 60_000)).find(({ id }) => id === made.id)!,
      HOUR,
    );
    await store.subscriptions.delete(workspace_id, ids[0]!);
    expect((await store.jobs.claim("hook", "me", 1000, 60_000)).map(({ id }) => id)).toContain(made.id);
    provider.fails = new Error("no network");
    await run(made);
    expect(await hooks()).toEqual([]);
    expect(warn).toHaveBeenCalledWith(
      expect.objectContaining({ hook: made.id }),
      expect.stringContaining("could not remove"),
    );
    await run(made);
  });

  it("that of an application is known by its account, and relied on from the first hint on", async () => {
    provider.per = "application";
    const { get, hook, connection_id } = await subscribe();
    await run(await hook());
    expect(isHookHealthy(await get(), clock.now)).toBe(false);
    const found = await store.hooks.ofAccounts("int_1", ["account-1", "account-2"]);
    expect(found.map((one) => one.connection_id)).toContain(connection_id);
    expect(await store.hooks.ofAccounts("int_2", ["account-1"])).toEqual([]);
    await store.hooks.hint([{ hookId: (await hook()).id, operations: [], deletes: [] }]);
    expect(isHookHealthy(await get(), clock.now)).toBe(true);
    expect(provider.calls).toEqual(["account"]);
  });

  it("a hint runs the lists that it is about, and reads the whole of those in which a record may be gone", async () => {
    const { ids, get, hook } = await subscribe(["git.listIssues", "git.listCommits"]);
    await run(await hook());
    await finishAll();
    const hookId = (await hook()).id;
    const hint = createHintWriter(store, wakeSubscriptions);
    await hint([{ hookId, operations: ["git.listIssues"], deletes: [] }]);
    const due = async (id: string) => Date.parse((await get(id)).next_run!) - Date.now();
    expect(await due(ids[0]!)).toBeLessThan(10_000);
    expect(await due(ids[1]!)).toBeGreaterThan(HOUR / 2);
    expect((await get(ids[0])).full_hint_at).toBeNull();
    await Promise.all([
      hint([{ hookId, operations: ["git.listCommits"], deletes: ["git.listCommits"] }]),
      hint([{ hookId, operations: ["git.listCommits"], deletes: [] }]),
    ]);
    expect(await due(ids[1]!)).toBeLessThan(10_000);
    expect((await get(ids[1])).full_hint_at).toEqual(expect.any(String));
  });

  it("a hint starts a subscription not more often than every 5 seconds, and never before the provider wants it", async () => {
    const { ids, get, hook } = await subscribe();
    await run(await hook());
    const hookId = (await hook()).id;
    const hint = () => store.hooks.hint([{ hookId, operations: undefined, deletes: [] }]);
    const claim = async () =>
      (await store.jobs.claim("subscription", "me", 1000, 60_000)).find(({ id }) => id === ids[0]);
    const due = async () => Date.parse((await get()).next_run!) - Date.now();
    const job = (await claim())!;
    await hint();
    await store.jobs.finish(job, HOUR);
    // The hint came during the run: there is one more, 5 seconds after that one began.
    expect(await due()).toBeGreaterThan(2_000);
    expect(await due()).toBeLessThanOrEqual(5_000);
    await store.jobs.wake([ids[0]!]);
    const next = (await claim())!;
    await store.jobs.finish(next, { inMs: HOUR, isEarliest: true });
    await hint();
    expect(await due()).toBeGreaterThan(HOUR / 2);
  });
});
