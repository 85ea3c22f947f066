// Subscriptions over a list in memory, run one job at a time, with a clock that tests set.
import { randomBytes, randomUUID } from "node:crypto";
import { category, list as defineList, one as defineOne } from "../../src/categories/define.ts";
import { NullableTimestamp, Shape, Text } from "../../src/categories/schema.ts";
import type { Job } from "../../src/contracts/events.ts";
import { Fault, ProviderFailure } from "../../src/contracts/fault.ts";
import type { Store } from "../../src/contracts/store.ts";
import type { NewSubscription } from "../../src/contracts/subscriptions.ts";
import type { PlannedHook } from "../../src/engine/hooks/index.ts";
import type { OperationRequest, Use } from "../../src/engine/index.ts";
import { createListReaders, type SubscriptionEngine } from "../../src/events/subscriptions/list-reader.ts";
import { createSubscriptionRunner } from "../../src/events/subscriptions/run.ts";
import { newId } from "../../src/runtime/ids.ts";
import { createStore } from "../../src/store/index.ts";
import { keysFromText } from "../../src/store/secrets/key-source.ts";
import { createKeyring } from "../../src/store/secrets/vault.ts";
import { testConnection } from "./engine-parts.ts";
import { newConnection } from "./entities.ts";

const Entry = Shape("Entry", { id: Text(), text: Text(), updated_at: NullableTimestamp() });

export interface Entry {
  id: string;
  text: string;
  updated_at: string | null;
}

const { bound } = category(
  "entries",
  "Entries",
  { entry_id: { description: "An entry", source: { operation: "listEntries", field: "id" } } },
  {
    listEntries: defineList("/entries", Entry, "List entries"),
    getEntry: defineOne("/entries/:entry_id", Entry, "Get an entry"),
  },
);
export const entryOperations = new Map(bound.map((operation) => [operation.id, operation]));

/** What one walk may read here. */
export const MAX_PAGES = 50;

/** A provider whose list is read by offset, so that it shifts when something is removed meanwhile. */
export function createMemoryProvider(pageSize = 10) {
  const provider = {
    entries: [] as Entry[],
    /** What exists, but is not in the list. */
    archived: [] as Entry[],
    pageSize,
    /** Entries whose items cannot be read. */
    odd: [] as string[],
    /** The provider can filter by time. */
    filters: false,
    /** The provider does not accept the time, for example because it is too long ago. */
    refusesSince: false,
    /** The provider can be asked for one entry. */
    hasOne: false,
    connection: testConnection(),
    /** What starts subscriptions besides their interval. */
    planned: { reason: "the list is in memory" } as PlannedHook,
    /** Offsets and times of the pages that were read. */
    reads: [] as { offset: number; since?: string }[],
    asked: [] as string[],
    counted: [] as Use["limit"][],
    /** Called before each page is read. It may change the list, throw, or take its time. */
    /** What asking for one record fails with. */
    oneFails: undefined as Error | undefined,
    beforePage: (_offset: number): void | Promise<void> => {},
    authorize: (_use: Use): void => {},
    /** Where the list continues after a page, if it is not where it should. */
    continueAt: (_offset: number): number | undefined => undefined,
    add: (...ids: string[]) =>
      provider.entries.push(...ids.map((id) => ({ id, text: `entry ${id}`, updated_at: null }))),
    remove: (...ids: string[]) => {
      provider.entries = provider.entries.filter(({ id }) => !ids.includes(id));
    },
    change: (id: string, change: Partial<Entry>) =>
      Object.assign(provider.entries.find((entry) => entry.id === id)!, change),
  };

  const notFound = () => new ProviderFailure(404, {}, Buffer.from(""));

  async function run({ operation, after, query, pathParams, client, trace }: OperationRequest) {
    client?.throwIfCancelled();
    trace!.upstreamCalls += 1;
    if (operation.kind === "one") {
      provider.asked.push(pathParams.entry_id!);
      if (provider.oneFails) throw provider.oneFails;
      const found = [...provider.entries, ...provider.archived].find(({ id }) => id === pathParams.entry_id);
      if (!found) throw notFound();
      return { data: { ...found }, raw: undefined };
    }
    // As in a sealed cursor, the time stays the same throughout a walk.
    const [offset = "0", since = (query.updated_since as string | undefined) ?? ""] = after?.split(" ") ?? [];
    await provider.beforePage(Number(offset));
    client?.throwIfCancelled();
    if (since && provider.refusesSince) throw answered(400);
    provider.reads.push({ offset: Number(offset), ...(since ? { since } : {}) });
    const matching = provider.entries.filter(({ updated_at }) => !since || updated_at === null || updated_at >= since);
    const end = Number(offset) + provider.pageSize;
    const next = provider.continueAt(Number(offset)) ?? (end < matching.length ? end : null);
    const page = matching.slice(Number(offset), end).map((entry) => ({ ...entry }));
    const data = page.filter(({ id }) => !provider.odd.includes(id));
    return {
      data,
      skipped: page.length - data.length,
      next: next === null ? null : `${next} ${since}`,
      raw: undefined,
    };
  }

  const engine: SubscriptionEngine = {
    inspect: async () => provider.connection,
    async authorize(use) {
      provider.counted.push(use.limit);
      provider.authorize(use);
      return provider.connection;
    },
    run,
    supports: () => provider.hasOne,
    filtersUpdatedSince: () => provider.filters,
  };
  return { provider, engine };
}

export const rateLimited = (retryAfter: number) => new Fault("rate_limited", "over the limit", { retryAfter });
export const answered = (status: number, waitSeconds?: number) =>
  new ProviderFailure(status, {}, Buffer.from(""), waitSeconds);

/** A workspace with a connection in a database, and subscriptions over it. */
export async function createSubscriptionHarness(url: string) {
  const keyring = createKeyring(keysFromText(randomBytes(32).toString("base64")));
  const store: Store = await createStore({ url, keyring });
  const workspace_id = newId("ws");
  await store.workspaces.create({ id: workspace_id, name: workspace_id, client_id: randomUUID(), redirect_uris: [] });
  const clock = { now: Date.UTC(2026, 5, 1) };

  /** A subscription over a list of its own. */
  async function subscribe(change: Partial<NewSubscription> = {}, pageSize?: number) {
    const { id: connection_id } = await store.connections.create(newConnection({ workspace_id }));
    const { provider, engine } = createMemoryProvider(pageSize);
    const { id } = await store.subscriptions.create({
      id: newId("sub"),
      workspace_id,
      connection_id,
      operation: "entries.listEntries",
      parameters: {},
      interval_seconds: 60,
      full_walk_seconds: 3600,
      include_existing: false,
      ...change,
    });
    const openList = createListReaders({
      engine,
      operations: entryOperations,
      rateLimit: { points: 100, seconds: 60 },
    });
    const start = await store.events.newest(workspace_id);

    const warnings: unknown[] = [];
    const log = { warn: (details: object) => void warnings.push(details) };
    const runner = (on = store) =>
      createSubscriptionRunner({
        store: on,
        openList,
        planHook: () => provider.planned,
        log,
        maxPages: MAX_PAGES,
        now: () => clock.now,
      });

    async function claim(leaseMs = 60_000): Promise<Job> {
      await store.jobs.wake([id]);
      const owner = randomUUID();
      for (;;) {
        const jobs = await store.jobs.claim("subscription", owner, 1000, leaseMs);
        const job = jobs.find((claimed) => claimed.id === id);
        await Promise.all(jobs.filter((other) => other !== job).map((other) => store.jobs.finish(other, 3_600_000)));
        if (job) return job;
        await store.jobs.wake([id]);
      }
    }

    /** Runs once, as the job runner would, and returns in how many milliseconds the next run is due. */
    async function run(signal = new AbortController().signal): Promise<number> {
      provider.reads = [];
      const job = await claim();
      const due = await runner()(job, signal);
      await store.jobs.finish(job, due);
      return typeof due === "number" ? due : due.inMs;
    }

    /** All events of this connection: what happened to which record. */
    async function events(): Promise<string[]> {
      while ((await store.events.publish(500)) > 0);
      const found: string[] = [];
      for (let after = start; ; ) {
        const page = await store.events.list(workspace_id, { after, limit: 500 }, { connection_ids: [connection_id] });
        for (const { type, data } of page.events)
          if (data.subscription_id === id)
            found.push([type.replace(/^entries\.entry\./, ""), (data.record as any)?.id].filter(Boolean).join(" "));
        if (page.events.length < 500) return found;
        after = page.position;
      }
    }

    const get = async () => (await store.subscriptions.get(workspace_id, id))!;
    return { id, connection_id, provider, run, runner, claim, events, get, warnings };
  }

  return { store, workspace_id, clock, subscribe, close: () => store.close() };
}
