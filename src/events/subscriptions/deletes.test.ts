import { afterAll, beforeAll, expect, it } from "vitest";
import { describeDatabases } from "../../../test/support/databases.ts";
import { answered, createSubscriptionHarness } from "../../../test/support/subscription-harness.ts";
import { Fault } from "../../contracts/fault.ts";

const ids = (count: number) => Array.from({ length: count }, (_, index) => `e${String(index).padStart(3, "0")}`);

/** Numbers from 0 to 1, the same for the same seed. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

await describeDatabases("deletes", (database) => {
  let harness: Awaited<ReturnType<typeof createSubscriptionHarness>>;
  beforeAll(async () => {
    harness = await createSubscriptionHarness(database.url);
  });
  afterAll(() => harness.close());

  /** Does something once, before the page at an offset is read. */
  const once = (offset: number, action: () => void) => {
    let isDone = false;
    return (read: number) => {
      if (read !== offset || isDone) return;
      isDone = true;
      action();
    };
  };

  it("a record that a shifted page hid from a walk is never reported as deleted", async () => {
    const { provider, run, events } = await harness.subscribe();
    // Two pages, the shortest list that can shift.
    provider.add(...ids(20));
    await run();
    // e010 moves to the page that was read already.
    provider.beforePage = once(10, () => provider.remove("e000"));
    await run();
    expect(await events()).toEqual(["deleted e000"]);
    await run();
    expect(await events()).toEqual(["deleted e000"]);
  });

  it("a record is reported as deleted after two walks missed it", async () => {
    const { provider, run, events } = await harness.subscribe();
    provider.add(...ids(30));
    await run();
    provider.remove("e005", "e025");
    await run();
    expect(provider.reads.map(({ offset }) => offset)).toEqual([0, 10, 20, 0, 10, 20]);
    expect(await events()).toEqual(["deleted e005", "deleted e025"]);
  });

  it("a record that could not be read is not reported as deleted, and others only if the provider confirms it", async () => {
    const { provider, run, events, get } = await harness.subscribe();
    provider.add(...ids(9));
    await run();
    const { walk } = (await get()).progress;
    provider.odd = ["e003"];
    provider.remove("e004");
    for (let count = 0; count < 7; count++) await run();
    expect(provider.reads).toHaveLength(1);
    expect(await events()).toEqual([]);
    // A walk that could not read everything is not one of those that agree about a delete.
    expect((await get()).progress.walk).toBe(walk);
    provider.hasOne = true;
    await run();
    expect(await events()).toEqual(["deleted e004"]);
    provider.odd = [];
    provider.remove("e005");
    await run();
    expect(await events()).toEqual(["deleted e004", "deleted e005"]);
  });

  it("one walk proves a delete if the whole list was one page", async () => {
    const { provider, run, events } = await harness.subscribe();
    provider.add(...ids(9));
    await run();
    provider.remove("e005");
    await run();
    expect(provider.reads).toHaveLength(1);
    expect(await events()).toEqual(["deleted e005"]);
  });

  it("a list of one page that is suddenly empty has to be found empty twice before its records count as deleted", async () => {
    const { provider, run, events } = await harness.subscribe();
    provider.add(...ids(9));
    await run();
    const { entries } = provider;
    let reads = 0;
    // One response is empty by mistake.
    provider.beforePage = () => {
      provider.entries = reads++ === 0 ? [] : entries;
    };
    await run();
    expect([reads, await events()]).toEqual([2, []]);
    provider.beforePage = () => {};
    provider.entries = [];
    await run();
    expect(provider.reads).toHaveLength(2);
    expect(await events()).toHaveLength(9);
  });

  it("a record that two walks in a row missed is not reported as deleted if another one came back in between", async () => {
    const { provider, run, events } = await harness.subscribe();
    provider.add(...ids(20));
    await run();
    const entries = [...provider.entries];
    let walks = 0;
    // In the first walk e010 and e011 move to the page that was read already, in the second only e010.
    provider.beforePage = (offset) => {
      if (offset === 0) provider.entries = [...entries];
      else if (walks++ < 2) provider.entries.push(...provider.entries.splice(0, walks === 1 ? 2 : 1));
    };
    await run();
    expect([walks, await events()]).toEqual([3, []]);
  });

  it("a delete is confirmed by asking for the record if the provider can be asked", async () => {
    const { provider, run, events } = await harness.subscribe();
    provider.hasOne = true;
    provider.add(...ids(30));
    await run();
    provider.beforePage = once(10, () => provider.remove("e000", "e015"));
    await run();
    // e010 moved to the page that was read already. It exists, so another walk has to show what else is gone.
    expect(provider.asked).toEqual(["e010", "e015", "e000"]);
    expect(await events()).toEqual(["deleted e015", "deleted e000"]);
    provider.remove("e020");
    await run();
    expect(provider.reads).toHaveLength(3);
    expect(await events()).toEqual(["deleted e015", "deleted e000", "deleted e020"]);
  });

  it("the provider is asked for each record of a walk that missed 20, and for none of one that missed more", async () => {
    for (const [missed, asked] of [
      [20, 20],
      [21, 0],
    ] as const) {
      const { provider, run } = await harness.subscribe();
      provider.hasOne = true;
      provider.add(...ids(60));
      await run();
      provider.remove(...ids(missed));
      await run();
      expect(provider.asked).toHaveLength(asked);
    }
  });

  it.each([
    ["an outage", answered(503)],
    ["an error of the provider", answered(500)],
    ["a refused token", answered(401)],
    ["a rate limit", answered(429, 5)],
    ["a fault of ours", new Fault("upstream_timeout", "no answer")],
  ])("%s ends the question for a record, and says nothing about it", async (_, error) => {
    const { provider, run, events } = await harness.subscribe();
    provider.hasOne = true;
    provider.add(...ids(30));
    await run();
    provider.remove("e015", "e016");
    provider.oneFails = error;
    await run();
    // The second one was not asked for.
    expect(provider.asked).toEqual(["e015"]);
    expect(await events()).toEqual([]);
  });

  it.each([
    ["another error about the record", answered(403)],
    ["an answer that cannot be read", new Fault("upstream_malformed", "no JSON")],
  ])("%s does not say that the record is gone, and the next one is asked for", async (_, error) => {
    const { provider, run, events, get } = await harness.subscribe();
    provider.hasOne = true;
    provider.add(...ids(30));
    await run();
    // Both exist, but a shifted page hides them from one walk.
    const { entries } = provider;
    let walks = 0;
    provider.beforePage = (offset) => {
      if (offset === 0) walks += 1;
      provider.entries = walks > 1 ? entries : entries.filter(({ id }) => id !== "e015" && id !== "e016");
    };
    provider.oneFails = error;
    await run();
    expect(provider.asked).toEqual(["e015", "e016"]);
    expect(await events()).toEqual([]);
    expect((await get()).last_run).toMatchObject({ error: null });
  });

  it("a record that exists but is no longer in the list is reported as deleted after two walks", async () => {
    const { provider, run, events } = await harness.subscribe();
    provider.hasOne = true;
    provider.add(...ids(30));
    await run();
    provider.archived = provider.entries.splice(12, 1);
    await run();
    expect(provider.asked).toEqual(["e012"]);
    expect(provider.reads).toHaveLength(6);
    expect(await events()).toEqual(["deleted e012"]);
  });

  it("many deletes are reported together, and everything as deleted if the list is empty", async () => {
    const { provider, run, events } = await harness.subscribe({}, 100);
    provider.hasOne = true;
    provider.add(...ids(450));
    await run();
    provider.entries = provider.entries.slice(0, 120);
    await run();
    expect((await events()).length).toBe(330);
    expect(provider.asked).toEqual([]);
    provider.entries = [];
    await run();
    expect(new Set(await events()).size).toBe(450);
  });

  it("deletes are reported although the list never stops changing", async () => {
    const { provider, run, events } = await harness.subscribe();
    provider.add(...ids(60));
    await run();
    provider.remove("e055");
    // In every walk a record goes that was read already, so no two walks miss the same.
    let next = 0;
    provider.beforePage = (offset) => {
      if (offset === 10 && next < 9) provider.remove(ids(60)[next++]!);
    };
    await run();
    expect(provider.reads.filter(({ offset }) => offset === 0)).toHaveLength(3);
    expect(await events()).not.toContain("deleted e055");
    // The sixth walk that misses it.
    await run();
    expect(await events()).toContain("deleted e055");
    await run();
    const told = (await events()).map((event) => event.replace("deleted ", ""));
    expect(told.filter((id) => provider.entries.some((entry) => entry.id === id))).toEqual([]);
  });

  it.each([1, 2, 3, 4, 5, 6])(
    "no delete is invented or lost, whatever changes between pages (seed %i)",
    async (seed) => {
      const random = seededRandom(seed);
      const { provider, run, events } = await harness.subscribe({}, 6);
      provider.hasOne = seed % 2 === 0;
      provider.add(...ids(40));
      await run();
      let added = 0;
      const dead = new Set<string>();
      provider.beforePage = () => {
        if (random() < 0.4 && provider.entries.length > 10) {
          const { id } = provider.entries[Math.floor(random() * provider.entries.length)]!;
          provider.remove(id);
          dead.add(id);
        }
        if (random() < 0.3) {
          provider.add(`new${added++}`);
          // At any place of the list.
          const [entry] = provider.entries.splice(-1);
          provider.entries.splice(Math.floor(random() * provider.entries.length), 0, entry!);
        }
        if (random() < 0.2) provider.change(provider.entries[0]!.id, { text: `${random()}` });
      };
      for (let count = 0; count < 6; count++) {
        await run();
        const deleted = (await events()).filter((event) => event.startsWith("deleted"));
        expect(deleted.filter((event) => !dead.has(event.slice("deleted ".length)))).toEqual([]);
      }
      provider.beforePage = () => {};
      for (let count = 0; count < 3; count++) await run();

      const told = await events();
      const alive = new Set(ids(40));
      for (const event of told) {
        const [what, id] = event.split(" ") as [string, string];
        expect(alive.has(id), event).toBe(what !== "created");
        if (what === "created") alive.add(id);
        if (what === "deleted") alive.delete(id);
      }
      expect([...alive].toSorted()).toEqual(provider.entries.map(({ id }) => id).toSorted());
    },
  );
});
