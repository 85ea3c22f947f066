// What changes on command have to do at every emulated provider, seen through Unified.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/categories/index.ts";
import type { ChangedRecords, LazyEmulator } from "../../src/contracts/emulator.ts";
import type { BoundOperation } from "../../src/contracts/operation.ts";
import type { Provider } from "../../src/contracts/provider.ts";
import { startService, type TestService } from "../support/service.ts";
import { type Client, createClient } from "./client.ts";

const KINDS = ["create", "update", "delete"] as const;
const COUNTS = { create: 3, update: 2, delete: 2 };

interface MadeChanges extends ChangedRecords {
  parameters: Record<string, string>;
}

/** Tags, branches and commits have no id. */
const idOf = (record: any): string => String(record.id ?? record.name ?? record.sha);
const byId = (records: any[]) => new Map(records.map((record) => [idOf(record), record]));

/** Some providers report their times to the minute. */
const minute = (date: Date) => new Date(Math.floor(date.getTime() / 60_000) * 60_000).toISOString();

const listsOf = ({ categories }: Provider): BoundOperation[] =>
  operations.filter(
    ({ kind, category, name }) =>
      kind === "list" && categories.some((one) => one.category === category && one.operations[name] !== undefined),
  );

interface ChangesOptions {
  providers: readonly Provider[];
  emulators: Readonly<Record<string, LazyEmulator>>;
}

/** Declares the tests of these providers. */
export async function describeChanges({ providers, emulators }: ChangesOptions): Promise<void> {
  const loaded = await Promise.all(
    providers.map(
      async (provider) => [provider.manifest.id, provider, await emulators[provider.manifest.id]!.load()] as const,
    ),
  );
  let service: TestService;
  beforeAll(async () => {
    const env = { UNIFIED_RATE_LIMIT: "1000000/60", LOG_LEVEL: "error" };
    service = await startService({ env, catalogue: { providers, emulators } });
  });
  afterAll(() => service?.close());

  describe.each(loaded)("%s", (id, provider, emulator) => {
    const lists = listsOf(provider);
    let client: Client;
    beforeAll(() => {
      client = createClient(service, provider);
    });

    async function change(list: string, counts: Partial<typeof COUNTS>): Promise<MadeChanges> {
      const body = JSON.stringify({ provider: id, list, ...counts });
      const response = await fetch(`${service.url}/sandbox/_changes`, { method: "POST", body });
      if (response.status !== 201) throw new Error(`${list} ${JSON.stringify(counts)}: ${await response.text()}`);
      return (await response.json()) as MadeChanges;
    }

    it(`${id} says for each of its lists how it changes on command`, () => {
      expect(Object.keys(emulator.changes ?? {}).sort()).toEqual(lists.map((list) => list.id).sort());
    });

    it.each(lists.map((list) => [list.id, list] as const))(
      `${id} shows changes on command in %s`,
      async (name, list) => {
        const { impossible } = emulator.changes![name]!;
        const possible = KINDS.filter((kind) => impossible[kind] === undefined);
        if (possible.length === 0) return;
        // Enough of those that nothing depends on.
        const { parameters } = await change(name, impossible.create === undefined ? { create: 4 } : {});
        const inPath = new Set(list.parameters.map((parameter) => parameter.name));
        const own = Object.fromEntries(Object.entries(parameters).filter(([parameter]) => !inPath.has(parameter)));
        const walk = (query = {}) => client.walk(list, parameters, [100], { ...own, ...query });
        const before = byId(await walk());
        const since = minute(new Date());
        const changed = await change(name, Object.fromEntries(possible.map((kind) => [kind, COUNTS[kind]])));
        expect(changed.parameters).toEqual(parameters);
        const [created, updated, deleted] = [changed.created, changed.updated, changed.deleted].map((ids) =>
          ids.map(String),
        );
        for (const [index, kind] of KINDS.entries())
          expect([created, updated, deleted][index]).toHaveLength(possible.includes(kind) ? COUNTS[kind] : 0);

        const records = await walk();
        const after = byId(records);
        expect(after.size).toBe(records.length);
        const ids = { before: [...before.keys()], after: [...after.keys()] };
        expect(ids.after.filter((one) => !before.has(one)).sort()).toEqual(created!.sort());
        expect(ids.before.filter((one) => !after.has(one)).sort()).toEqual(deleted!.sort());
        const different = ids.after.filter(
          (one) => before.has(one) && JSON.stringify(before.get(one)) !== JSON.stringify(after.get(one)),
        );
        expect(different.sort()).toEqual(updated!.sort());

        if (!("updated_since" in list.query)) return;
        const touched = [...created!, ...updated!];
        const hasTime = records.some(({ updated_at }) => updated_at);
        if (hasTime) for (const one of touched) expect(after.get(one).updated_at >= since, one).toBe(true);
        // Records of the sandbox that were changed before, or whose time of update the provider does not report.
        const recent = ids.after.filter((one) => !touched.includes(one) && !(after.get(one).updated_at < since));
        if (hasTime) expect(recent.length).toBeLessThan(ids.after.length / 2);
        const found = await walk({ updated_since: since });
        expect(found.map(idOf).sort()).toEqual([...touched, ...recent].sort());
      },
    );
  });
}
