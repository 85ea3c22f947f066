// npm run bench:profile -- Proxy 1kB 64 [shared]: where Plugboard's own process spends its time under one load, as the ten
// functions with most time of their own; with `shared`, on Postgres with Redis. The whole profile is left as a file that
// any Chromium's developer tools open.
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Size, sizes } from "./bodies.ts";
import { externalDatabase } from "./external.ts";
import { serve, startLoader, startPlugboard, stopAll } from "./processes.ts";
import { prepare } from "./setup.ts";
import { table } from "./tables.ts";
import { plugboard } from "./targets.ts";

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

const SHOWN = 10;
const WARM_UP_MS = 12_000;
const MEASURED_MS = 6_000;

const place = (url: string) =>
  url.replace(/^.*\/node_modules\//, "").replace(/^file:.*\/(?=(?:src|bench)\/)/, "") || "V8 and C++";

/** Time of its own of each function, without what the process waits for work. */
function selfTimes({ nodes, samples, timeDeltas }: Profile) {
  const names = new Map(
    nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => [
      id,
      `${functionName || "(anonymous)"}\t${place(url)}${url ? `:${lineNumber + 1}` : ""}`,
    ]),
  );
  const times = new Map<string, number>();
  let total = 0;
  // What came before the load was warm is not looked at.
  const end = timeDeltas.reduce((one, other) => one + other, 0);
  let at = 0;
  samples.forEach((id, index) => {
    at += timeDeltas[index]!;
    const name = names.get(id)!;
    if (at < end - MEASURED_MS * 1000 || /^\((?:idle|root|program)\)/.test(name)) return;
    times.set(name, (times.get(name) ?? 0) + timeDeltas[index]!);
    total += timeDeltas[index]!;
  });
  return [...times].map(([name, time]) => ({ name, share: time / total })).sort((a, b) => b.share - a.share);
}

async function main() {
  const [surface = "Proxy", size = "1kB", concurrency = "64", shared] = process.argv.slice(2);
  if ((surface !== "Proxy" && surface !== "Unified") || !sizes.includes(size as Size) || !(Number(concurrency) >= 1)) {
    console.error(`Say what to profile: Proxy or Unified, ${sizes.join(" or ")}, and how many calls at once`);
    process.exit(2);
  }
  const load = await startLoader();
  const upstream = await serve("upstream.ts");
  const { env, accounts } = await prepare({
    upstream: upstream.port,
    used: 1,
    stored: 10,
    ...(shared === "shared" ? await externalDatabase() : {}),
  });
  const folder = mkdtempSync(join(tmpdir(), "plugboard-profile-"));
  const server = await startPlugboard(env, ["--cpu-prof", `--cpu-prof-dir=${folder}`]);
  const order = {
    port: server.port,
    concurrency: Number(concurrency),
    requests: plugboard(surface, "", server, accounts).requests(size as Size),
  };
  await load({ ...order, milliseconds: WARM_UP_MS });
  await load({ ...order, milliseconds: MEASURED_MS });
  await server.stop();
  const file = join(folder, readdirSync(folder)[0]!);
  const top = selfTimes(JSON.parse(readFileSync(file, "utf8")) as Profile).slice(0, SHOWN);
  const rows = top.map(({ name, share }) => [`${(share * 100).toFixed(1)} %`, ...name.split("\t")]);
  console.log(
    `\n${surface}, ${size}, ${concurrency} at once${shared ? ", Postgres and Redis" : ""}\n\n${table([["self", "function", "where"], ...rows])}\n`,
  );
  console.log(`The whole profile: ${file}`);
}

try {
  await main();
} finally {
  stopAll();
}
process.exit();
