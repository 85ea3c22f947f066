// npm run bench:custom-fields: the CPU time of a Unified list of 100 records without custom fields and with ten of them,
// in rounds in turn, on one machine.

import { median } from "./median.ts";
import { serve, startLoadGenerator, startPlugboard, watchProcess } from "./processes.ts";
import { prepare } from "./setup.ts";
import { table } from "./tables.ts";
import { plugboard } from "./targets.ts";

const ROUNDS = 9;
const ROUND_MS = 2_000;
const WARM_UP_CALLS = 3_000;
const CONCURRENCY = 16;
/** Of each type, at the top of an item and below. */
const FIELDS: [type: string, path: string][] = [
  ["string", "/default_branch"],
  ["string", "/owner/login"],
  ["string", "/owner/type"],
  ["number", "/size"],
  ["number", "/stargazers_count"],
  ["boolean", "/has_wiki"],
  ["boolean", "/fork"],
  ["date", "/pushed_at"],
  ["strings", "/topics"],
  ["string", "/not/there"],
];

async function main(): Promise<void> {
  const { load } = await startLoadGenerator();
  const upstream = await serve("upstream.ts");
  const start = async (fields: number) => {
    const { env, accounts } = await prepare({ upstream: upstream.port, used: 1, stored: 10 });
    const server = await startPlugboard(env);
    for (const [index, [type, path]] of FIELDS.slice(0, fields).entries()) {
      const body = JSON.stringify({ record: "git.repository", name: `field_${index}`, type, paths: { github: path } });
      const headers = { authorization: `Bearer ${accounts["300kB"].key}`, "content-type": "application/json" };
      const url = `http://127.0.0.1:${server.port}/platform/v1/custom-fields`;
      const response = await fetch(url, { method: "POST", headers, body });
      if (!response.ok) throw new Error(await response.text());
    }
    const requests = plugboard("Unified", server, accounts).requests("300kB");
    const run = async (milliseconds: number) =>
      (await load({ port: server.port, concurrency: CONCURRENCY, requests, milliseconds })).requests;
    for (let calls = 0; calls < WARM_UP_CALLS; ) calls += await run(1_000);
    return { fields, run, cpuMs: () => watchProcess(server.pid).cpuMs(), perCall: [] as number[] };
  };
  const targets = [await start(0), await start(FIELDS.length)];
  for (let round = 0; round < ROUNDS; round++)
    for (const target of targets) {
      const before = target.cpuMs();
      const calls = await target.run(ROUND_MS);
      target.perCall.push(((target.cpuMs() - before) * 1000) / calls);
    }
  const [none] = targets;
  const rows = targets.map(({ fields, perCall }) => [
    String(fields),
    median(perCall).toFixed(0),
    median(perCall.map((each, round) => each / none!.perCall[round]!)).toFixed(2),
  ]);
  console.log(table([["custom fields", "CPU µs per call", "of none"], ...rows]));
}

await main();
process.exit();
