// npm run bench:start: CPU time, time and resident memory of a start until it is ready, with and without the sandbox.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { endWithBenchmark, temporaryFolder } from "./clean-up.ts";
import { median } from "./median.ts";
import { launchArguments, watchProcess } from "./processes.ts";
import { table } from "./tables.ts";

const STARTS = 9;
const root = join(import.meta.dirname, "..");

async function start(SANDBOX: string) {
  const DATA_DIR = temporaryFolder();
  const begun = performance.now();
  const child = spawn(process.execPath, launchArguments, {
    cwd: root,
    env: { PATH: process.env.PATH, PORT: "0", DATA_DIR, SANDBOX },
    stdio: ["ignore", "pipe", "inherit"],
  });
  endWithBenchmark(child);
  const ended = once(child, "exit");
  for await (const text of child.stdout) if (/ready at/.test(text)) break;
  const { cpuMs, memory } = watchProcess(child.pid!);
  const measured = { cpuMs: cpuMs(), ms: performance.now() - begun, megabytes: memory() };
  child.kill();
  await ended;
  return measured;
}

const rows: string[][] = [];
for (const sandbox of ["off", "on"]) {
  await start(sandbox);
  const starts = [];
  while (starts.length < STARTS) starts.push(await start(sandbox));
  const times = starts.map(({ cpuMs }) => cpuMs);
  rows.push([
    sandbox,
    `${median(times)} (${Math.min(...times)} to ${Math.max(...times)})`,
    median(starts.map(({ ms }) => ms)).toFixed(0),
    median(starts.map(({ megabytes }) => megabytes)).toFixed(0),
  ]);
}
console.log(table([["sandbox", "CPU time, ms", "time, ms", "memory, MB"], ...rows]));
