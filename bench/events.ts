// How many webhooks are delivered per second: npm run bench:events. Events are written to the log as fast as the store
// takes them, while Plugboard runs; the time is that of the receiver, which is a process of its own. The CPU time of both
// says which of them is the limit.
import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { cpus } from "node:os";
import { join } from "node:path";
import { Kysely } from "kysely";
import { newId, newWebhookSecret } from "../src/runtime/ids.ts";
import { guardedDialect } from "../src/store/database/guarded-dialect.ts";
import { openPostgres } from "../src/store/database/postgres.ts";
import type { Database } from "../src/store/database/schema.ts";
import { openSqlite } from "../src/store/database/sqlite.ts";
import { createStamp } from "../src/store/database/time.ts";
import { appendEvents } from "../src/store/events/event-log.ts";
import { createStore } from "../src/store/index.ts";
import { keysFromText } from "../src/store/secrets/key-source.ts";
import { createKeyring } from "../src/store/secrets/vault.ts";
import { testDatabase } from "../test/support/postgres.ts";
import { endWithBenchmark, temporaryFolder } from "./clean-up.ts";
import { startPlugboard } from "./processes.ts";

const WEBHOOKS = 10;
const EVENTS = Number(process.argv[2] ?? 2_000);
const EVENTS_PER_TRANSACTION = 100;
/** As large as a task with a short description. */
const data = { id: "1234", title: "Write the report", description: "x".repeat(700), status: "open" };

async function startReceiver(): Promise<{ child: ChildProcess; port: number }> {
  const child = endWithBenchmark(fork(join(import.meta.dirname, "event-receiver.ts"), [String(WEBHOOKS * EVENTS)]));
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  return { child, port };
}

async function measure(name: string, processes: number, databaseUrl?: string): Promise<void> {
  const dataDir = temporaryFolder();
  const encryptionKey = randomBytes(32).toString("base64");
  const keyring = createKeyring(keysFromText(encryptionKey));
  const file = join(dataDir, "plugboard.db");
  const { child, port } = await startReceiver();
  const store = await createStore({ url: databaseUrl ?? `sqlite:${file}`, keyring });
  const workspace_id = newId("ws");
  await store.workspaces.create({ id: workspace_id, name: "bench", client_id: newId("client"), redirect_uris: [] });
  for (let number = 0; number < WEBHOOKS; number++)
    await store.webhooks.create({
      id: newId("wh"),
      workspace_id,
      name: "bench",
      url: `http://127.0.0.1:${port}/${number}`,
      events: { "*": true },
      enabled: true,
      secret: newWebhookSecret(),
    });
  await store.close();

  const env = { DATA_DIR: dataDir, ENCRYPTION_KEY: encryptionKey, DATABASE_URL: databaseUrl ?? "", REDIS_URL: "" };
  const running = await Promise.all(Array.from({ length: processes }, () => startPlugboard(env)));
  const engine = databaseUrl ? await openPostgres(databaseUrl, "serving") : openSqlite(file);
  const database = new Kysely<Database>({ dialect: guardedDialect(engine) });
  const context = { keyring, stamp: createStamp() };
  const event = { workspace_id, type: "tasks.task.created", connection_id: null, data };
  const received = once(child, "message");
  const cpuMs = () => running.reduce((sum, one) => sum + one.cpuMs(), 0);
  const cpuBefore = cpuMs();
  for (let written = 0; written < EVENTS; written += EVENTS_PER_TRANSACTION)
    await database
      .transaction()
      .execute((transaction) => appendEvents(transaction, context, Array(EVENTS_PER_TRANSACTION).fill(event)));
  const [{ milliseconds, requests, cpuMs: receiverMs }] = (await received) as [Record<string, number>];
  const deliveries = WEBHOOKS * EVENTS;
  const each = (ms: number) => `${Math.round((ms * 1000) / deliveries)} µs`;
  const cpu = `CPU per delivery: ${each(cpuMs() - cpuBefore)}, receiver ${each(receiverMs!)}`;
  await database.destroy();
  for (const one of running) await one.stop();
  child.kill();
  const seconds = milliseconds! / 1000;
  const rate = `${Math.round(deliveries / seconds)}/s`;
  console.log(`${name}: ${deliveries} deliveries in ${seconds.toFixed(1)} s, ${rate}, ${requests} requests, ${cpu}`);
}

const { model } = cpus()[0]!;
console.log(`${cpus().length} cores (${model}); ${EVENTS} events to ${WEBHOOKS} webhooks of one receiver`);
await measure("SQLite, one process", 1);
const postgres = await testDatabase();
if (postgres) {
  await measure("Postgres, one process", 1, postgres.url);
  await postgres.drop();
}
const shared = await testDatabase();
if (shared) {
  await measure("Postgres, two processes", 2, shared.url);
  await shared.drop();
}
process.exit();
