// npm run bench:profile -- Proxy 1kB 64 [shared]: prints the functions with the most self time in Plugboard's process
// under one load, and the packages and folders; with `shared`, on Postgres with Redis. The whole profile is left as a file for Chrome DevTools.
import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Size, sizes } from "./bodies.ts";
import { externalDatabase } from "./external.ts";
import { serve, startLoadGenerator, startPlugboard } from "./processes.ts";
import { prepare } from "./setup.ts";
import { table } from "./tables.ts";
import { plugboard } from "./targets.ts";

interface CallFrame {
  functionName: string;
  url: string;
  lineNumber: number;
  columnNumber: number;
}

interface Profile {
  nodes: { id: number; callFrame: CallFrame }[];
  samples: number[];
  timeDeltas: number[];
}

const MAX_SHOWN = 25;
const MAX_SHOWN_PARTS = 30;
const WARM_UP_MS = 12_000;
const MEASURED_MS = 6_000;

/** A longer time between two samples is one without work. */
const MAX_SAMPLE_US = 20_000;

const sourceMaps = new Map<string, SourceMap | undefined>();
/** The file and line of a function, in its source if it was bundled. */
function whereIs({ url, lineNumber, columnNumber }: CallFrame): string {
  if (!url.startsWith("file:")) return url && `${url}:${lineNumber + 1}`;
  const file = `${fileURLToPath(url)}.map`;
  if (!sourceMaps.has(file))
    sourceMaps.set(file, existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, "utf8"))) : undefined);
  const entry = sourceMaps.get(file)?.findEntry(lineNumber, columnNumber);
  if (!entry || !("originalSource" in entry)) return `${url}:${lineNumber + 1}`;
  return `${new URL(entry.originalSource, url).href}:${entry.originalLine + 1}`;
}

const shortUrl = (url: string) =>
  url.replace(/^.*\/node_modules\//, "").replace(/^file:.*\/(?=(?:src|bench)\/)/, "") || "V8 and C++";

/** The self time of each function, without idle time. */
function selfTimes({ nodes, samples, timeDeltas }: Profile) {
  const names = new Map(
    nodes.map(({ id, callFrame }) => [
      id,
      `${callFrame.functionName || "(anonymous)"}\t${shortUrl(whereIs(callFrame))}`,
    ]),
  );
  const times = new Map<string, number>();
  let total = 0;
  // Samples from the warm-up are skipped.
  const spans = timeDeltas.map((delta) => Math.min(delta, MAX_SAMPLE_US));
  const end = spans.reduce((one, other) => one + other, 0);
  let at = 0;
  samples.forEach((id, index) => {
    at += spans[index]!;
    const name = names.get(id)!;
    if (at < end - MEASURED_MS * 1000 || /^\((?:idle|root|program)\)/.test(name)) return;
    times.set(name, (times.get(name) ?? 0) + spans[index]!);
    total += spans[index]!;
  });
  return [...times].map(([name, time]) => ({ name, share: time / total })).sort((a, b) => b.share - a.share);
}

/** A package, a folder of ours, or a module of Node. */
const partOf = (name: string) => {
  const where = name.split("\t")[1]!.replace(/:\d+$/, "");
  if (where.startsWith("node:") || where.startsWith("wasm:") || !where.includes("/")) return where;
  return where.startsWith("src/") ? where.slice(0, where.lastIndexOf("/")) : where.slice(0, where.indexOf("/"));
};

function byPart(functions: { name: string; share: number }[]) {
  const shares = new Map<string, number>();
  for (const { name, share } of functions) shares.set(partOf(name), (shares.get(partOf(name)) ?? 0) + share);
  return [...shares].map(([name, share]) => ({ name, share })).sort((one, other) => other.share - one.share);
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

async function main() {
  const [surface = "Proxy", size = "1kB", concurrency = "64", shared] = process.argv.slice(2);
  if ((surface !== "Proxy" && surface !== "Unified") || !sizes.includes(size as Size) || !(Number(concurrency) >= 1)) {
    console.error(`usage: npm run bench:profile -- <Proxy or Unified> <${sizes.join(", ")}> <calls at once> [shared]`);
    process.exit(2);
  }
  const { load } = await startLoadGenerator();
  const upstream = await serve("upstream.ts");
  const { env, accounts } = await prepare({
    upstream: upstream.port,
    used: 1,
    stored: 10,
    ...(shared === "shared" ? await externalDatabase() : {}),
  });
  const folder = mkdtempSync(join(tmpdir(), "plugboard-profile-"));
  const server = await startPlugboard(env, ["--cpu-prof", `--cpu-prof-dir=${folder}`]);
  const options = {
    port: server.port,
    concurrency: Number(concurrency),
    requests: plugboard(surface, server, accounts).requests(size as Size),
  };
  await load({ ...options, milliseconds: WARM_UP_MS });
  await load({ ...options, milliseconds: MEASURED_MS });
  await server.stop();
  // The launcher, which starts its process again, may have left one as well.
  const file = join(folder, readdirSync(folder).sort().at(-1)!);
  const functions = selfTimes(JSON.parse(readFileSync(file, "utf8")) as Profile);
  const rows = functions.slice(0, MAX_SHOWN).map(({ name, share }) => [percent(share), ...name.split("\t")]);
  const parts = byPart(functions).slice(0, MAX_SHOWN_PARTS);
  console.log(
    `\n${surface}, ${size}, ${concurrency} at once${shared ? ", Postgres and Redis" : ""}\n\n${table([["self", "function", "where"], ...rows])}\n`,
  );
  console.log(`${table([["self", "package or folder"], ...parts.map(({ name, share }) => [percent(share), name])])}\n`);
  console.log(`The whole profile: ${file}`);
}

await main();
process.exit();
