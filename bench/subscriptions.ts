// What subscriptions cost: a million tracked records, and ten thousand subscriptions in one process. Prints the figures
// of docs/performance.md. With a Postgres URL as its argument it uses that database, otherwise a new SQLite file.
import { randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Job } from "../src/contracts/events.ts";
import type { Store } from "../src/contracts/store.ts";
import type { OperationRequest } from "../src/engine/index.ts";
import { createSubscriptions } from "../src/events/subscriptions/index.ts";
import { createListReaders, type SubscriptionEngine } from "../src/events/subscriptions/list-reader.ts";
import { createSubscriptionRunner } from "../src/events/subscriptions/run.ts";
import { newId } from "../src/runtime/ids.ts";
import { createStore } from "../src/store/index.ts";
import { keysFromText } from "../src/store/secrets/key-source.ts";
import { createKeyring } from "../src/store/secrets/vault.ts";
import { testConnection } from "../test/support/engine-parts.ts";
import { newConnection } from "../test/support/entities.ts";
import { entryOperations } from "../test/support/subscription-harness.ts";
import { temporaryFolder } from "./clean-up.ts";

const RECORDS = Number(process.env.RECORDS ?? 1_000_000);
const SUBSCRIPTIONS = Number(process.env.SUBSCRIPTIONS ?? 10_000);
const PAGE_SIZE = 100;

const rateLimit = { points: 1e9, seconds: 1 };
const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024);
const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1);

/** A list of any length whose records are computed. */
function listEngine(count: number): SubscriptionEngine {
  const connection = testConnection();
  return {
    inspect: async () => connection,
    authorize: async () => connection,
    supports: () => false,
    filtersUpdatedSince: () => false,
    async run({ after = "0", trace }: OperationRequest) {
      trace!.upstreamCalls += 1;
      // As after a call to a provider, other work gets its turn.
      await new Promise((resolve) => setImmediate(resolve));
      const start = Number(after);
      const end = Math.min(start + PAGE_SIZE, count);
      const data = Array.from({ length: end - start }, (_, index) => ({
        id: `record-${start + index}`,
        text: `entry ${start + index}`,
        updated_at: null,
      }));
      return { data, next: end < count ? String(end) : null, raw: undefined };
    },
  };
}

async function subscribe(store: Store, workspace_id: string, connection_id: string): Promise<string> {
  const { id } = await store.subscriptions.create({
    id: newId("sub"),
    workspace_id,
    connection_id,
    operation: "entries.listEntries",
    parameters: {},
    interval_seconds: 86_400,
    full_walk_seconds: 86_400,
    include_existing: false,
  });
  return id;
}

const planHook = () => ({ reason: "the list is in memory" });

/** Runs a subscription until its walk is over, and watches the memory meanwhile. */
async function walk(store: Store, id: string): Promise<{ ms: number; peak: number; commits: number }> {
  let commits = 0;
  const counting: Store = {
    ...store,
    tracking: {
      ...store.tracking,
      commit(job, change) {
        commits += 1;
        return store.tracking.commit(job, change);
      },
    },
  };
  const openList = createListReaders({ engine: listEngine(RECORDS), operations: entryOperations, rateLimit });
  const run = createSubscriptionRunner({ store: counting, openList, planHook, log: { warn() {} } });
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 50);
  const started = performance.now();
  for (let dueInMs = 0; dueInMs === 0; ) {
    await store.jobs.wake([id]);
    const job = (await store.jobs.claim("subscription", randomUUID(), 1, 600_000))[0] as Job;
    const due = await run(job, new AbortController().signal);
    await store.jobs.finish(job, due);
    dueInMs = typeof due === "number" ? due : due.inMs;
  }
  clearInterval(watch);
  return { ms: performance.now() - started, peak: peak - before, commits };
}

async function measureRecords(store: Store, workspace_id: string, connection_id: string): Promise<void> {
  const id = await subscribe(store, workspace_id, connection_id);
  const print = (name: string, { ms, peak, commits }: Awaited<ReturnType<typeof walk>>) =>
    console.log(
      `${name} of ${RECORDS} records: ${seconds(ms)} s, ${Math.round(RECORDS / (ms / 1000))} records/s, ${commits} transactions, memory at most ${megabytes(peak)} MB above the start`,
    );
  print("First walk", await walk(store, id));
  print("Unchanged walk", await walk(store, id));
  await store.subscriptions.pause(workspace_id, id);
}

async function measureSubscriptions(store: Store, workspace_id: string, connection_id: string): Promise<void> {
  const begun = performance.now();
  const ids: string[] = [];
  while (ids.length < SUBSCRIPTIONS) ids.push(await subscribe(store, workspace_id, connection_id));
  console.log(`${SUBSCRIPTIONS} subscriptions created in ${seconds(performance.now() - begun)} s`);
  let runs = 0;
  const log = { info: () => {}, warn: (details: object, message: string) => console.error(message, details) };
  const subscriptions = createSubscriptions({
    store,
    engine: { ...listEngine(PAGE_SIZE / 2), hooks: { plan: planHook } },
    operations: [...entryOperations.values()],
    rateLimit,
    log,
    onOutcome: () => {
      runs += 1;
    },
  });
  /** Until every subscription has run once more. */
  async function runAll(name: string): Promise<void> {
    const from = { runs, cpu: process.cpuUsage(), at: performance.now() };
    let maxRss = 0;
    while (runs < from.runs + SUBSCRIPTIONS) {
      await sleep(100);
      maxRss = Math.max(maxRss, process.memoryUsage().rss);
    }
    const ms = performance.now() - from.at;
    const cpu = process.cpuUsage(from.cpu);
    console.log(
      `${name} of ${SUBSCRIPTIONS} subscriptions: ${seconds(ms)} s, ${Math.round(SUBSCRIPTIONS / (ms / 1000))} runs/s, ${Math.round(((cpu.user + cpu.system) / 1000 / ms) * 100)}% of a core, at most ${megabytes(maxRss)} MB in all`,
    );
  }
  subscriptions.start();
  await runAll("First runs");
  for (let start = 0; start < ids.length; start += 500) await store.jobs.wake(ids.slice(start, start + 500));
  subscriptions.wake();
  await runAll("Unchanged runs");
  await subscriptions.stop();
}

const url = process.argv[2] ?? `sqlite:${join(temporaryFolder(), "plugboard.db")}`;
const store = await createStore({ url, keyring: createKeyring(keysFromText(randomBytes(32).toString("base64"))) });
const workspace_id = newId("ws");
await store.workspaces.create({ id: workspace_id, name: workspace_id, client_id: randomUUID(), redirect_uris: [] });
const { id: connection_id } = await store.connections.create(newConnection({ workspace_id }));
console.log(`On ${url.startsWith("sqlite:") ? "SQLite" : "Postgres"}, Node ${process.version}`);
await measureRecords(store, workspace_id, connection_id);
await measureSubscriptions(store, workspace_id, connection_id);
await store.close();
