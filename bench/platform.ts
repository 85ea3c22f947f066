// npm run bench:platform: how long every list of the Platform API and every page of the dashboard takes in a large
// installation, on both databases. Times are measured by a client on the same machine, so they include HTTP. Exits with 1
// if the median of one is above the limit.
//
// CONNECTIONS, ENTRIES  other sizes, for a quicker run
// DATABASE_URL          only this Postgres database, which is filled if it is empty, and kept
// DATA_DIR              only SQLite in this folder, likewise
import { hash } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { withPort } from "../src/commands/start.ts";
import type { Store } from "../src/contracts/store.ts";
import { createLogger } from "../src/runtime/logger.ts";
import { createService } from "../src/service.ts";
import { signIn } from "../test/dashboard/support/visitor.ts";
import { createKey, fill, type Sizes } from "../test/support/large-installation.ts";
import { BOUND_LISTS, lists, pages } from "../test/support/lists-and-pages.ts";
import { query, testDatabase } from "../test/support/postgres.ts";
import { temporaryFolder } from "./clean-up.ts";

const LIMIT_MS = 100;
const RUNS = 15;
/** A slow one is measured fewer times. */
const MAX_MEASURED_MS = 5_000;

const { CONNECTIONS, ENTRIES, DATABASE_URL, DATA_DIR } = process.env;
const sizesOf = (connections: number, entries: number): Sizes => ({
  connections: Number(CONNECTIONS ?? connections),
  entries: Number(ENTRIES ?? entries),
});

interface Target {
  name: string;
  sizes: Sizes;
  env: Record<string, string>;
  run(statement: string): Promise<unknown[]>;
  drop(): Promise<void>;
}

function sqlite(): Target {
  const folder = DATA_DIR ?? temporaryFolder();
  return {
    name: "SQLite",
    sizes: sizesOf(100_000, 1_000_000),
    env: { DATA_DIR: folder },
    async run(statement) {
      const database = new DatabaseSync(join(folder, "plugboard.db"), { timeout: 60_000 });
      try {
        return database.prepare(statement).all();
      } finally {
        database.close();
      }
    },
    drop: async () => {},
  };
}

async function postgres(): Promise<Target | undefined> {
  const database = DATABASE_URL ? { url: DATABASE_URL, drop: async () => {} } : await testDatabase();
  if (!database) return undefined;
  const { url, drop } = database;
  return {
    name: "Postgres",
    sizes: sizesOf(1_000_000, 10_000_000),
    env: { DATA_DIR: temporaryFolder(), DATABASE_URL: url, ENCRYPTION_KEY: hash("sha256", url, "base64") },
    run: (statement) => query(url, statement),
    drop,
  };
}

interface Measured {
  name: string;
  least: number;
  median: number;
  slowest: number;
}

async function measure(name: string, url: string, headers: Record<string, string>): Promise<Measured> {
  const times: number[] = [];
  const end = performance.now() + MAX_MEASURED_MS;
  while (times.length < RUNS && (times.length < 3 || performance.now() < end)) {
    const before = performance.now();
    const response = await fetch(url, { headers });
    const text = await response.text();
    times.push(performance.now() - before);
    if (!response.ok) throw new Error(`${name}: ${response.status} ${text.slice(0, 300)}`);
  }
  times.sort((one, other) => one - other);
  return { name, least: times[0]!, median: times[times.length >> 1]!, slowest: times.at(-1)! };
}

function print(measured: Measured): Measured {
  const { name, least, median, slowest } = measured;
  console.log(
    `| \`${name}\` | ${least.toFixed(0)} | ${median.toFixed(0)} | ${slowest.toFixed(0)} |${median > LIMIT_MS ? " over the limit" : ""}`,
  );
  return measured;
}

async function prepare({ name, run, sizes }: Target, store: Store): Promise<void> {
  if (await store.workspaces.byName("large")) return;
  const begin = performance.now();
  await fill(store, run, sizes);
  // What autovacuum does in a database that has grown.
  if (name === "Postgres") await run("vacuum analyze");
  console.log(`${name} was filled in ${((performance.now() - begin) / 1000).toFixed(0)} s`);
}

async function bench(target: Target): Promise<Measured[]> {
  const { name, sizes, env, run } = target;
  const { config, releasePort } = await withPort({
    PORT: "0",
    LOG_LEVEL: "silent",
    EVENT_RETENTION_DAYS: "30",
    REQUEST_LOG_ENTRIES: "10000000",
    ...env,
  });
  const service = await createService(config, createLogger("silent"));
  const { store } = service;
  await releasePort();
  const url = await service.listen();
  try {
    await prepare(target, store);
    const workspace = (await store.workspaces.byName("large"))!;
    const [{ id: webhook }] = (await run("select id from webhooks limit 1")) as [{ id: string }];
    const key = { authorization: `Bearer ${await createKey(store, workspace.id)}` };
    const bound = { authorization: `Bearer ${await createKey(store, workspace.id, "user-3959")}` };
    const { connections, entries } = sizes;
    console.log(
      `\n**${name}**, ${connections.toLocaleString("en")} connections and ${entries.toLocaleString("en")} log entries; milliseconds, least, median and slowest of ${RUNS}\n`,
    );
    const measured: Measured[] = [];
    console.log("| List or page | min | p50 | max |\n|-|-|-|-|");
    for (const [list, queries] of Object.entries(lists(sizes, webhook)))
      for (const one of queries) {
        const path = `/v1/${list}${one && `?${one}`}`;
        measured.push(print(await measure(path.replaceAll(webhook, "{id}"), `${url}/platform${path}`, key)));
      }
    // A key that is bound to one user.
    for (const list of BOUND_LISTS)
      measured.push(print(await measure(`/v1/${list} (bound key)`, `${url}/platform/v1/${list}`, bound)));
    const { cookie } = await signIn({ url, store, config }, "large");
    const logs = (await (await fetch(`${url}/platform/v1/logs?limit=1`, { headers: key })).json()) as [{ id: string }];
    for (const page of pages(sizes, webhook, logs[0].id))
      measured.push(
        print(await measure(`/dashboard${page}`.replaceAll(webhook, "{id}"), `${url}/dashboard${page}`, { cookie })),
      );
    return measured;
  } finally {
    await service.stop();
    await target.drop();
  }
}

const targets = DATABASE_URL ? [await postgres()] : DATA_DIR ? [sqlite()] : [sqlite(), await postgres()];
const all: Measured[] = [];
for (const target of targets) if (target) all.push(...(await bench(target)));
const slow = all.filter(({ median }) => median > LIMIT_MS);
console.log(`\n${all.length - slow.length} of ${all.length} within ${LIMIT_MS} ms`);
process.exit(slow.length > 0 ? 1 : 0);
