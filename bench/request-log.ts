// npm run bench:log: the CPU time that an entry of the request log costs, from the end of its call to the database.
import { randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { newId } from "../src/runtime/ids.ts";
import { createRequestLog } from "../src/runtime/request-log.ts";
import { createStore } from "../src/store/index.ts";
import { keysFromText } from "../src/store/secrets/key-source.ts";
import { createKeyring } from "../src/store/secrets/vault.ts";
import { testDatabase } from "../test/support/postgres.ts";
import { temporaryFolder } from "./clean-up.ts";

const ROUNDS = 5;
const ENTRIES = 40_000;
/** Calls that end in the same turn of the event loop, on a busy server. */
const PER_TURN = 40;

async function measure(name: string, url: string): Promise<void> {
  const keyring = createKeyring(keysFromText(randomBytes(32).toString("base64")));
  const store = await createStore({ url, keyring });
  const requestLog = createRequestLog({
    store,
    maxEntries: 100_000,
    dropped: (count) => console.error(`${count} entries were dropped`),
    failed: console.error,
  });
  const [workspace_id, connection_id, integration_id] = [newId("ws"), newId("conn"), newId("int")];
  const call = { method: "GET", path: "/repos/acme/rocket/issues", status: 200, duration_ms: 0.9 };
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    for (let entry = 0; entry < ENTRIES; entry++) {
      requestLog.add({
        ...call,
        at: Date.now(),
        workspace_id,
        connection_id,
        integration_id,
        request_id: randomUUID(),
        surface: "proxy",
        outcome: null,
        error_source: null,
        upstream_calls: 1,
        upstream: [{ ...call, error: null, attempt: 1 }],
      });
      if (entry % PER_TURN === 0) await nextTurn();
      // The loop is faster than any server; entries that wait too long would be dropped.
      if (entry % 5_000 === 0) await requestLog.flush();
    }
    await requestLog.flush();
    const { user, system } = process.cpuUsage(before);
    rounds.push((user + system) / ENTRIES);
  }
  await requestLog.close();
  await store.close();
  console.log(`${name}: ${rounds.map((each) => each.toFixed(1)).join(", ")} µs per entry, in rounds of ${ENTRIES}`);
}

await measure("SQLite", `sqlite:${join(temporaryFolder(), "plugboard.db")}`);
const postgres = await testDatabase();
if (postgres) {
  await measure("Postgres", postgres.url);
  await postgres.drop();
}
process.exit();
