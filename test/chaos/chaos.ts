// npm run chaos -- [--seed N] [--seconds N]: two processes, Postgres, Redis and failing providers, all of them killed and
// paused by a plan that the seed determines.
import { parseArgs } from "node:util";
import { runChaos } from "./run.ts";

const { values } = parseArgs({ options: { seed: { type: "string" }, seconds: { type: "string" } } });
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
const seconds = Number(values.seconds ?? 60);
if (!Number.isInteger(seed) || seed < 0 || !(seconds >= 5 && seconds <= 180)) {
  console.error("--seed takes a whole number from 0, --seconds takes a number from 5 to 180");
  process.exit(2);
}

console.log(`Seed ${seed}. To repeat: npm run chaos -- --seed ${seed} --seconds ${seconds}`);
const startedAt = Date.now();
const report = await runChaos({
  seed,
  milliseconds: seconds * 1000,
  connections: 20,
  writes: Math.round((seconds / 60) * 1000),
  upstreamTimeoutMs: 8000,
  tokenSeconds: 6,
  log: console.log,
});
if (!report) process.exit(1);

const { problems, counts, before, after, ...numbers } = report;
console.log(`\n${JSON.stringify(counts, null, 2)}`);
console.log(numbers);
for (const [index, { heap, sockets }] of after.entries())
  console.log(
    `process ${index + 1}: heap ${before[index]!.heap.toFixed(1)} -> ${heap.toFixed(1)} MB, sockets ${before[index]!.sockets} -> ${sockets}`,
  );
console.log(
  `\nSeed ${seed}: ${problems.length === 0 ? "all promises kept" : `${problems.length} problems`}, ${Math.round((Date.now() - startedAt) / 1000)} s`,
);
for (const problem of problems) console.log(`- ${problem}`);
process.exit(problems.length === 0 ? 0 : 1);
