// npm run bench:platform: how long the Platform API takes with 10,000 connections and 100,000 requests in the log, in
// the embedded store. Times are measured by a client on the same machine, so they include HTTP.
import { hash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { withPort } from "../src/commands/start.ts";
import type { NewLogEntry } from "../src/contracts/entities.ts";
import type { Store } from "../src/contracts/store.ts";
import { newApiKey, newId } from "../src/runtime/ids.ts";
import { createLogger } from "../src/runtime/logger.ts";
import { createService } from "../src/service.ts";
import { appendEntries } from "../test/support/log-entries.ts";

const CONNECTIONS = 10_000;
const ENTRIES = 100_000;
/** As it is at one request per second: a batch is closed after a minute. */
const SMALL_BATCH = 60;
const FULL_BATCH = 500;
const RUNS = 15;

const folder = mkdtempSync(join(tmpdir(), "plugboard-bench-"));
const config = await withPort({ PORT: "0", DATA_DIR: folder, LOG_LEVEL: "silent" });
const service = await createService(config, createLogger("silent"));
const url = await service.listen();

const connectionId = (index: number) => `conn_${String(index).padStart(24, "0")}`;

async function createWorkspace(store: Store, name: string) {
  const workspace = await store.workspaces.create({
    id: newId("ws"),
    name,
    client_id: newId("client"),
    redirect_uris: [],
  });
  const { key, hash: keyHash, prefix } = newApiKey();
  await store.keys.create({ id: newId("key"), workspace_id: workspace.id, name: null, prefix, hash: keyHash });
  return { id: workspace.id, key };
}

/** Copies of one connection, because creating each would take minutes. Lists do not decrypt them. */
async function addConnections(store: Store, workspace_id: string): Promise<void> {
  const { id } = await store.connections.create({
    id: newId("conn"),
    workspace_id,
    integration_id: "int_bench",
    integration_identifier: "github",
    external_id: null,
    credentials: { token: "made-up", refresh_token: "made-up" },
    settings: {},
    metadata: null,
    is_valid: true,
    invalid_reason: null,
    expires_at: null,
    refreshed_at: null,
  });
  const database = new DatabaseSync(join(folder, "plugboard.db"), { timeout: 5000 });
  const [row] = database.prepare("select * from connections where id = ?").all(id) as [Record<string, string | number>];
  const names = Object.keys(row);
  const insert = database.prepare(
    `insert into connections (${names.join(", ")}) values (${names.map((name) => `:${name}`).join(", ")})`,
  );
  database.exec("begin");
  for (let index = 0; index < CONNECTIONS; index++) {
    const metadata = JSON.stringify({ plan: index % 3 ? "free" : "pro", seats: index, note: "x".repeat(200) });
    const isValid = Number(index % 2_500 !== 0);
    const created_at = Number(row.created_at) + index + 1;
    insert.run({
      ...row,
      id: connectionId(index),
      metadata,
      external_id: `user-${index}`,
      is_valid: isValid,
      created_at,
    });
  }
  database.exec("commit");
  database.close();
}

async function addEntries(store: Store, workspace_id: string, batchSize: number): Promise<number> {
  const start = Date.now() - ENTRIES * 1000;
  const entry = (index: number): NewLogEntry => ({
    workspace_id,
    connection_id: connectionId(index % CONNECTIONS),
    integration_id: `int_${index % 20}`,
    request_id: hash("sha256", String(index)).slice(0, 36),
    surface: index % 10 ? "unified" : "proxy",
    method: "GET",
    path: "/unified/v1/git/repos/acme%2Frocket/issues",
    status: index % 500 ? 200 : 502,
    outcome: index % 500 ? null : "upstream_unreachable",
    error_source: index % 500 ? null : "plugboard",
    duration_ms: 50 + (index % 100),
    upstream_calls: 2,
    upstream: [1, 2].map((attempt) => ({
      method: "GET",
      path: "/repos/acme/rocket/issues",
      status: 200,
      error: null,
      duration_ms: 40,
      attempt,
    })),
    at: start + index * 1000,
  });
  let spent = 0;
  for (let index = 0; index < ENTRIES; index += batchSize) {
    const entries = Array.from({ length: Math.min(batchSize, ENTRIES - index) }, (_, each) => entry(index + each));
    const before = performance.now();
    await appendEntries(store, `${newId("log")}${String(index).padStart(8, "0")}`, entries);
    spent += performance.now() - before;
  }
  return (spent / ENTRIES) * 1000;
}

function bytesPerEntry(workspaceId: string): number {
  const database = new DatabaseSync(join(folder, "plugboard.db"), { readOnly: true });
  const query = database.prepare(
    "select sum(length(terms) + length(entries)) as bytes from log_batches where workspace_id = ?",
  );
  const { bytes } = query.get(workspaceId) as { bytes: number };
  database.close();
  return bytes / ENTRIES;
}

async function measure(key: string, path: string): Promise<{ median: number; slowest: number; size: number }> {
  const times: number[] = [];
  let size = 0;
  for (let run = 0; run < RUNS; run++) {
    const before = performance.now();
    const response = await fetch(`${url}/platform${path}`, { headers: { authorization: `Bearer ${key}` } });
    const body = (await response.json()) as unknown[] | { buckets: unknown[] };
    times.push(performance.now() - before);
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(body)}`);
    size = (Array.isArray(body) ? body : body.buckets).length;
  }
  times.sort((one, other) => one - other);
  return { median: times[Math.floor(RUNS / 2)]!, slowest: times.at(-1)!, size };
}

const print = (name: string, { median, slowest, size }: Awaited<ReturnType<typeof measure>>) =>
  console.log(
    `${name.padEnd(66)} ${median.toFixed(1).padStart(7)} ms ${slowest.toFixed(1).padStart(7)} ms ${String(size).padStart(5)}`,
  );

const connectionQueries = [
  "",
  "after=LAST",
  "is_valid=false",
  "external_id=user-7777",
  "metadata[plan]=pro",
  "metadata[seats]=9999",
  "metadata[plan]=nothing",
  "is_valid=false&metadata[plan]=nothing",
];
const logQueries = [
  "",
  "offset=1000",
  "status=200",
  "status=5xx",
  "status=404",
  "surface=proxy",
  "outcome=upstream_unreachable",
  `connection_id=${connectionId(5)}`,
  `connection_id=${connectionId(500)}&status=4xx`,
  `connection_id=${connectionId(501)}&status=5xx`,
  "integration_id=int_7",
  `request_id=${hash("sha256", "1").slice(0, 36)}`,
  "request_id=none",
  `until=${new Date(Date.now() - (ENTRIES - 100) * 1000).toISOString()}`,
];

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const usageQueries = [
  `since=${hoursAgo(6)}`,
  `since=${hoursAgo(31 * 24)}`,
  `since=${hoursAgo(31 * 24)}&connection_id=${connectionId(5)}`,
];

try {
  const { store } = service;
  console.log(`${" ".repeat(66)}  median    slowest  entries`);
  const many = await createWorkspace(store, "connections");
  await addConnections(store, many.id);
  for (const query of connectionQueries)
    print(
      `GET /v1/connections?${query}`,
      await measure(many.key, `/v1/connections?${query.replace("LAST", connectionId(9_900))}`),
    );
  for (const batchSize of [FULL_BATCH, SMALL_BATCH]) {
    const { id, key } = await createWorkspace(store, `log ${batchSize}`);
    const cost = await addEntries(store, id, batchSize);
    console.log(
      `\nBatches of ${batchSize} requests, written in ${cost.toFixed(1)} µs and ${bytesPerEntry(id).toFixed(0)} bytes per request`,
    );
    for (const query of usageQueries) print(`GET /v1/usage?${query}`, await measure(key, `/v1/usage?${query}`));
    for (const query of logQueries) print(`GET /v1/logs?${query}`, await measure(key, `/v1/logs?${query}`));
  }
} finally {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}
