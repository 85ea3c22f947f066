import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testSqlite } from "../../../test/support/databases.ts";
import { createSubscriptionHarness } from "../../../test/support/subscription-harness.ts";

const MINUTE = 60_000;

describe("subscriptions that the provider's webhook starts", () => {
  const { url } = testSqlite();
  let harness: Awaited<ReturnType<typeof createSubscriptionHarness>>;
  beforeAll(async () => {
    harness = await createSubscriptionHarness(url);
  });
  afterAll(() => harness?.close());

  /** A subscription whose hook is active, and which has read its list once. */
  async function hooked() {
    const subscription = await harness.subscribe();
    const { provider, run, connection_id } = subscription;
    provider.planned = { integration_id: "int_1", target: "" };
    provider.add("a", "b", "c");
    await run();
    const [hook] = await harness.store.hooks.ofConnection(connection_id);
    await harness.store.hooks.update(hook!.id, { state: "active", made_at: new Date(harness.clock.now).toISOString() });
    return { ...subscription, hookId: hook!.id };
  }
  const hint = (hookId: string, deletes: string[] = []) =>
    harness.store.hooks.hint([{ hookId, operations: ["entries.listEntries"], deletes }]);

  it("a hook is wanted with the first run, and no longer when no webhook covers the list", async () => {
    const { provider, run, get, connection_id } = await harness.subscribe();
    await run();
    expect(await get()).toMatchObject({ hook: null, hook_target: null, hook_reason: "the list is in memory" });
    provider.planned = { integration_id: "int_1", target: "acme" };
    await run();
    expect(await get()).toMatchObject({ hook: { state: "new" }, hook_target: "acme", hook_reason: null });
    provider.planned = { reason: "it has none any more" };
    await run();
    expect(await get()).toMatchObject({ hook: null, hook_reason: "it has none any more" });
    const [hook] = await harness.store.hooks.ofConnection(connection_id);
    expect(await harness.store.hooks.isWanted(hook!)).toBe(false);
  });

  it("changes that no hint announced show that the webhook cannot be relied on; the next hint shows that it can", async () => {
    const { provider, run, get, hookId } = await hooked();
    expect(await run()).toBeGreaterThan(5 * MINUTE);
    expect((await get()).hook?.missed_at).toBeNull();
    harness.clock.now = Date.now() + MINUTE;
    await run();
    provider.change("a", { text: "changed" });
    harness.clock.now += MINUTE;
    await run();
    expect((await get()).hook?.missed_at).toEqual(expect.any(String));
    expect(await run()).toBeLessThanOrEqual(1.5 * MINUTE);
    await hint(hookId);
    expect((await get()).hook?.missed_at).toBeNull();
    expect(await run()).toBeGreaterThan(4 * MINUTE);
  });

  it("changes that a hint announced are no surprise", async () => {
    const { provider, run, get, hookId } = await hooked();
    harness.clock.now = Date.now() - MINUTE;
    await run();
    provider.change("a", { text: "changed" });
    await hint(hookId);
    harness.clock.now = Date.now();
    await run();
    expect((await get()).hook).toMatchObject({ missed_at: null, last_hint_at: expect.any(String) });
  });

  it("after a hint that a record was deleted, the whole list is read, and only then", async () => {
    const { provider, run, get, hookId, events } = await hooked();
    provider.filters = true;
    for (const id of ["a", "b", "c"]) provider.change(id, { updated_at: "2026-01-01T00:00:00.000Z" });
    harness.clock.now = Date.now();
    await run();
    harness.clock.now += MINUTE;
    await run();
    expect((await get()).last_run?.kind).toBe("incremental");
    provider.remove("b");
    await run();
    expect(await events()).not.toContain("deleted b");
    await new Promise((done) => setTimeout(done, 5));
    await hint(hookId, ["entries.listEntries"]);
    harness.clock.now = Date.now() + 2 * MINUTE;
    await run();
    expect([(await get()).last_run?.kind, await events()]).toEqual(["full", expect.arrayContaining(["deleted b"])]);
    await run();
    expect((await get()).last_run?.kind).toBe("incremental");
  });
});
