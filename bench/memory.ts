// npm run bench:memory -- Unified 300kB 64: what the memory of Plugboard's process consists of under one load, by the
// operating system, by V8, and by a heap snapshot that is taken meanwhile.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Size } from "./bodies.ts";
import { temporaryFolder } from "./clean-up.ts";
import { type Running, serve, startLoadGenerator, startPlugboard } from "./processes.ts";
import { prepare } from "./setup.ts";
import { table } from "./tables.ts";
import { plugboard } from "./targets.ts";

const WARM_UP_MS = 20_000;
const SNAPSHOT_MS = 15_000;
const MAX_SHOWN = 12;

const [surface = "Unified", size = "300kB", concurrency = "64"] = process.argv.slice(2);
const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** What V8 says about itself. */
async function readMetrics({ port }: Running): Promise<string[][]> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const value = (name: string) =>
    Number(new RegExp(`^${name.replace(/[{}]/g, "\\$&")} (\\S+)`, "m").exec(text)?.[1] ?? 0);
  return [
    ["V8, young objects", megabytes(value('nodejs_heap_space_size_total_bytes{space="new"}'))],
    ["V8, old objects", megabytes(value('nodejs_heap_space_size_total_bytes{space="old"}'))],
    ["V8, large objects", megabytes(value('nodejs_heap_space_size_total_bytes{space="large_object"}'))],
    ["V8, compiled code", megabytes(value('nodejs_heap_space_size_total_bytes{space="code"}'))],
    ["buffers outside of V8's heap", megabytes(value("nodejs_external_memory_bytes"))],
  ];
}

/** Bytes of a snapshot's objects by their kind, the most first. */
function byKind(file: string): string[][] {
  const { snapshot, nodes, strings } = JSON.parse(readFileSync(file, "utf8")) as {
    snapshot: { meta: { node_fields: string[]; node_types: (string[] | string)[] } };
    nodes: number[];
    strings: string[];
  };
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const at = (name: string) => fields.indexOf(name);
  const kinds = new Map<string, { bytes: number; count: number }>();
  for (let node = 0; node < nodes.length; node += fields.length) {
    const type = types[0]![nodes[node + at("type")]!]!;
    const name = strings[nodes[node + at("name")]!]!;
    const kind = type === "object" || type === "native" ? `${type} ${name.slice(0, 60)}` : type;
    const sum = kinds.get(kind) ?? { bytes: 0, count: 0 };
    sum.bytes += nodes[node + at("self_size")]!;
    sum.count++;
    kinds.set(kind, sum);
  }
  return [...kinds]
    .sort(([, one], [, other]) => other.bytes - one.bytes)
    .slice(0, MAX_SHOWN)
    .map(([kind, { bytes, count }]) => [kind, String(count), megabytes(bytes)]);
}

const { load } = await startLoadGenerator();
const upstream = await serve("upstream.ts");
const { env, accounts } = await prepare({ upstream: upstream.port, used: 1, stored: 10 });
const folder = temporaryFolder();
const server = await startPlugboard(env, ["--heapsnapshot-signal=SIGUSR2", `--diagnostic-dir=${folder}`]);
const before = server.memory();
const options = {
  port: server.port,
  concurrency: Number(concurrency),
  requests: plugboard(surface as "Unified" | "Proxy", server, accounts).requests(size as Size),
};
const loading = load({ ...options, milliseconds: WARM_UP_MS });
await sleep(WARM_UP_MS - 2_000);
const under = server.memory();
const metrics = await readMetrics(server);
await loading;
const again = load({ ...options, milliseconds: SNAPSHOT_MS });
await sleep(1_000);
process.kill(server.pid, "SIGUSR2");
await again;
console.log(`\n${surface}, ${size}, ${concurrency} at once\n`);
console.log(
  table([
    ["resident memory", "MB"],
    ["before the first call", before.toFixed(1)],
    ["under load", under.toFixed(1)],
    ...metrics,
  ]),
);
console.log(
  `\n${table([["alive in the heap snapshot", "count", "MB"], ...byKind(join(folder, readdirSync(folder)[0]!))])}\n`,
);
process.exit();
