// npm run chaos:changes -- [--seed N] [--changes N] [--database sqlite|postgres] [--hooks]: records change at emulated providers while
// the processes are killed, the providers fail and the receiver of the webhooks fails. Nothing may be lost or invented.
import { parseArgs } from "node:util";
import { runChanges } from "./changes.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    changes: { type: "string" },
    database: { type: "string" },
    hooks: { type: "boolean", default: false },
  },
});
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
const changes = Number(values.changes ?? 10_000);
const { database = "postgres" } = values;
const isValid = Number.isInteger(seed) && seed >= 0 && changes >= 100 && changes <= 100_000;
if (!isValid || (database !== "sqlite" && database !== "postgres")) {
  console.error(
    "--seed takes a whole number from 0, --changes a number from 100 to 100000, --database sqlite or postgres",
  );
  process.exit(2);
}

console.log(
  `Seed ${seed}. To repeat: npm run chaos:changes -- --seed ${seed} --changes ${changes} --database ${database}${values.hooks ? " --hooks" : ""}`,
);
const startedAt = Date.now();
const report = await runChanges({
  database,
  seed,
  changes,
  hooks: values.hooks,
  // A run that failed waits for minutes before it is repeated.
  runsAfterMs: 20_000,
  batch: Math.min(changes, 1_000),
  awaitsFullWalk: true,
  calmMs: 8_000,
  outages: { min: 1, max: Number.POSITIVE_INFINITY },
  log: console.log,
});
if (!report) process.exit(1);
const { problems, ...numbers } = report;
console.log(numbers);
const verdict = problems.length === 0 ? "every change told once and delivered" : `${problems.length} problems`;
console.log(`Seed ${seed}: ${verdict}, ${Math.round((Date.now() - startedAt) / 1000)} s`);
for (const problem of problems) console.log(`- ${problem}`);
process.exit(problems.length === 0 ? 0 : 1);
