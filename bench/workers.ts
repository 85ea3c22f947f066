// npm run bench:workers: the CPU time of a call with one process and with two workers, in rounds in turn, and how the
// calls are spread over the workers. On Postgres with Redis.
import { readFileSync } from "node:fs";
import { externalDatabase } from "./external.ts";
import { serve, startLoadGenerator, startPlugboard, stopAll, watchProcess } from "./processes.ts";
import { prepare } from "./setup.ts";
import { table } from "./tables.ts";
import { plugboard } from "./targets.ts";

const ROUNDS = 7;
const ROUND_MS = 2_000;
const WARM_UP_CALLS = 50_000;
const CONCURRENCY = 64;

const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);
const cpuOf = (pids: number[]) => pids.map((pid) => watchProcess(pid).cpuMs());
const sum = (values: number[]) => values.reduce((one, other) => one + other, 0);
const median = (values: number[]) => values.toSorted((one, other) => one - other)[values.length >> 1]!;

async function main(): Promise<void> {
  const external = await externalDatabase();
  if (!external) return;
  const { load } = await startLoadGenerator();
  const upstream = await serve("upstream.ts");
  const { env, accounts } = await prepare({ upstream: upstream.port, used: 1, stored: 10, ...external });
  const start = async (name: string, workers: number) => {
    const server = await startPlugboard({ ...env, WORKERS: String(workers) });
    const options = {
      port: server.port,
      concurrency: CONCURRENCY,
      requests: plugboard("Proxy", server, accounts).requests("1kB"),
    };
    for (let calls = 0; calls < WARM_UP_CALLS; ) calls += (await load({ ...options, milliseconds: 1_000 })).requests;
    return { name, options, pids: [server.pid, ...childrenOf(server.pid)], perCall: [] as number[], shares: [0, 0] };
  };
  const targets = [await start("one process", 1), await start("two workers", 2)];
  for (let round = 0; round < ROUNDS; round++)
    for (const target of targets) {
      const before = cpuOf(target.pids);
      const { requests } = await load({ ...target.options, milliseconds: ROUND_MS });
      const used = cpuOf(target.pids).map((after, index) => after - before[index]!);
      target.perCall.push((sum(used) * 1000) / requests);
      target.shares = used.slice(1).map((each, index) => each + (target.shares[index] ?? 0));
    }
  const rows = targets.map(({ name, perCall, shares }) => [
    name,
    median(perCall).toFixed(0),
    median(perCall.map((each, round) => each / targets[0]!.perCall[round]!)).toFixed(2),
    shares.map((each) => `${Math.round((100 * each) / sum(shares))} %`).join(" and "),
  ]);
  console.log(table([["", "CPU µs per call", "of one process", "work of the workers"], ...rows]));
}

try {
  await main();
} finally {
  stopAll();
}
process.exit();
