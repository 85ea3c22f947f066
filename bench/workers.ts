// npm run bench:workers: the CPU time of a call with two processes that know nothing of each other, with two workers and
// with one process, in rounds in turn, and how the calls are spread. On Postgres with Redis. Workers are compared with the
// two processes: two busy processors cost more by themselves, since they share caches and power.
import { readFileSync } from "node:fs";
import { externalDatabase } from "./external.ts";
import { median } from "./median.ts";
import { serve, startLoadGenerator, startPlugboard, watchProcess } from "./processes.ts";
import { prepare } from "./setup.ts";
import { table } from "./tables.ts";
import { plugboard } from "./targets.ts";

const ROUNDS = 12;
const ROUND_MS = 2_000;
const WARM_UP_CALLS = 50_000;
const CONCURRENCY = 64;

const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);
const cpuOf = (pids: number[]) => pids.map((pid) => watchProcess(pid).cpuMs());
const sum = (values: number[]) => values.reduce((one, other) => one + other, 0);

interface Target {
  name: string;
  primaries: number[];
  /** The processes that answer calls. */
  working: number[];
  perCall: number[];
  shares: number[];
  /** Returns how many calls were answered. */
  run(milliseconds: number): Promise<number>;
}

async function main(): Promise<void> {
  const external = await externalDatabase();
  if (!external) return;
  const { load } = await startLoadGenerator();
  const upstream = await serve("upstream.ts");
  const { env, accounts } = await prepare({ upstream: upstream.port, used: 1, stored: 10, ...external });
  const start = async (name: string, servers: number, workers: number): Promise<Target> => {
    const processes = [];
    while (processes.length < servers) processes.push(await startPlugboard({ ...env, WORKERS: String(workers) }));
    const loads = processes.map((server) => ({
      port: server.port,
      concurrency: CONCURRENCY / servers,
      requests: plugboard("Proxy", server, accounts).requests("1kB"),
    }));
    const target = {
      name,
      primaries: processes.map(({ pid }) => pid),
      working: processes.flatMap(({ pid }) => (workers > 1 ? childrenOf(pid) : [pid])),
      perCall: [],
      shares: [],
      async run(milliseconds: number) {
        const done = await Promise.all(loads.map((options) => load({ ...options, milliseconds })));
        return sum(done.map(({ requests }) => requests));
      },
    };
    for (let calls = 0; calls < WARM_UP_CALLS; ) calls += await target.run(1_000);
    return target;
  };
  const targets = [
    await start("two processes of their own", 2, 1),
    await start("two workers", 1, 2),
    await start("one process", 1, 1),
  ];
  for (let round = 0; round < ROUNDS; round++)
    for (const target of targets) {
      const pids = [...new Set([...target.primaries, ...target.working])];
      const before = cpuOf(pids);
      const requests = await target.run(ROUND_MS);
      const used = cpuOf(pids).map((after, index) => after - before[index]!);
      target.perCall.push((sum(used) * 1000) / requests);
      target.shares = target.working.map((pid, index) => used[pids.indexOf(pid)]! + (target.shares[index] ?? 0));
    }
  const rows = targets.map(({ name, perCall, shares }) => [
    name,
    median(perCall).toFixed(0),
    median(perCall.map((each, round) => each / targets[0]!.perCall[round]!)).toFixed(2),
    shares.map((each) => `${Math.round((100 * each) / sum(shares))} %`).join(" and "),
  ]);
  console.log(table([["", "CPU µs per call", "of the first", "spread of the work"], ...rows]));
}

await main();
process.exit();
