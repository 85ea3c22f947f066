// npm run bench:audit: how long a page of the audit log takes with 1,000,000 entries, on both databases.
import { randomBytes } from "node:crypto";
import { createStore } from "../src/store/index.ts";
import { keysFromText } from "../src/store/secrets/key-source.ts";
import { createKeyring } from "../src/store/secrets/vault.ts";
import { type AnyDatabase, testDatabases } from "../test/support/databases.ts";

const ENTRIES = Number(process.env.ENTRIES ?? 1_000_000);
const RUNS = 15;
const WORKSPACE = "ws_bench";
const START = Date.parse("2026-01-01T00:00:00Z") * 1000;
const SECOND = 1_000_000;

/** Entries that are a second apart, of 100 keys, of which one did a hundred things and one half of all, to 10,000 targets. */
const fill = (entries: number) => `
  insert into audit_log
  select 'aud_' || i, '${WORKSPACE}', i, ${START} + i * cast(${SECOND} as bigint), 'key',
    case when i % ${Math.max(1, entries / 100)} = 0 then 'key_rare' when i % 2 = 0 then 'key_often' else 'key_' || (i % 98) end,
    'a key', case when i % 3 = 0 then 'connection.update' when i % 3 = 1 then 'key.create' else 'webhook.update' end,
    case when i % 3 = 0 then 'connection' when i % 3 = 1 then 'key' else 'webhook' end, 'target_' || (i % 10000),
    'success', 'req_' || i, '10.0.0.1', '["name","external_id"]', 'hash_' || (i - 1), 'hash_' || i
  from (with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${entries})
    select i from numbers) as counted`;

const at = (entry: number) => new Date((START + entry * SECOND) / 1000).toISOString();

async function measure({ name, url, run, drop }: AnyDatabase): Promise<void> {
  const store = await createStore({ url, keyring: createKeyring(keysFromText(randomBytes(32).toString("base64"))) });
  try {
    await run(fill(ENTRIES));
    if (name === "Postgres") await run("analyze audit_log");
    const middle = Math.floor(ENTRIES / 2);
    const pages: [string, Parameters<typeof store.audit.list>[1], Parameters<typeof store.audit.list>[2]][] = [
      ["newest", { limit: 100 }, {}],
      ["before one in the middle", { limit: 100, before: `aud_${middle}` }, {}],
      ["after a time, oldest first", { limit: 100, after: at(middle) }, {}],
      ["one day", { limit: 100, after: at(middle - 86_400), before: at(middle) }, {}],
      ["of a key that did much", { limit: 100 }, { actor: "key_often" }],
      ["of a key that did little", { limit: 100 }, { actor: "key_rare" }],
      ["of an unknown key", { limit: 100 }, { actor: "key_none" }],
      ["one action", { limit: 100 }, { action: "key.create" }],
      ["all actions of a kind", { limit: 100, before: `aud_${middle}` }, { action: "connection.*" }],
      ["one target", { limit: 100 }, { target: "target_7" }],
      ["a key, a kind and a day", { limit: 100, before: at(middle) }, { actor: "key_often", action: "webhook.*" }],
      ["a rare key and a kind", { limit: 100 }, { actor: "key_rare", action: "connection.*" }],
    ];
    console.log(`\n${name}, ${ENTRIES.toLocaleString("en")} entries; milliseconds, median and slowest of ${RUNS}:`);
    for (const [label, page, filter] of pages) {
      const times: number[] = [];
      for (let count = 0; count < RUNS; count++) {
        const start = performance.now();
        await store.audit.list(WORKSPACE, page, filter);
        times.push(performance.now() - start);
      }
      times.sort((one, other) => one - other);
      console.log(
        `  ${label.padEnd(28)} ${times[RUNS >> 1]!.toFixed(1).padStart(7)} ${times.at(-1)!.toFixed(1).padStart(7)}`,
      );
    }
  } finally {
    await store.close();
    await drop();
  }
}

for (const database of await testDatabases()) await measure(database);
process.exit(0);
