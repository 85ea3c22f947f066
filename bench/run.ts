// npm run bench [-- --quick]: Plugboard beside the limits of its platform, in one run on one machine. Everything is on
// loopback and in processes of its own; rounds are interleaved, medians are shown, and only ratios mean anything.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { body, type Size, sizes } from "./bodies.ts";
import { chart } from "./chart.ts";
import { externalDatabase } from "./external.ts";
import type { LoadResult } from "./load.ts";
import { type Running, serve, startLoader, startNginx, startPlugboard, stopAll } from "./processes.ts";
import { report } from "./report.ts";
import type { Measured, Results } from "./results.ts";
import { type Account, prepare } from "./setup.ts";

const quick = process.argv.includes("--quick");
const ROUNDS = quick ? 3 : 5;
const ROUND_MS = quick ? 400 : 700;
const WARM_UP_MS = quick ? 1_000 : 2_000;
const CONCURRENCIES = [1, 16, 64];
const MANY_CONNECTIONS = 10_000;
/** The place of the tables in docs/performance.md. */
const BETWEEN_MARKS = /(?<=<!-- bench[^\n]*-->\n)[\s\S]*(?=<!-- \/bench -->)/;
const FULL_STORE = quick ? 100_000 : 1_000_000;

interface Target {
  name: string;
  port: number;
  /** Whole requests for a size of body. */
  requests(size: Size): string[];
  server?: Running;
}

const text = (port: number, path: string, headers: string[] = []) =>
  [`GET ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, "Accept: application/json", ...headers, "", ""].join("\r\n");

const plain = (name: string, port: number): Target => ({
  name,
  port,
  requests: (size) => [text(port, `/${size}/api/v3/user/repos?per_page=100`)],
});

function plugboard(name: string, server: Running, accounts: Record<Size, Account>, path: string): Target {
  return {
    name,
    port: server.port,
    server,
    requests: (size) =>
      accounts[size].connections.map((connection) =>
        text(server.port, path, [`Authorization: Bearer ${accounts[size].key}`, `SVC-Connection-ID: ${connection}`]),
      ),
  };
}

const PROXY_PATH = "/proxy/user/repos?per_page=100";
const UNIFIED_PATH = "/unified/v1/git/repos?limit=100";

const median = (values: number[]) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;

let done = 0;
let planned = 0;
function progress(what: string): void {
  done++;
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${Math.round((done / planned) * 100)} % ${what}`);
  else if (done % 50 === 0) process.stderr.write(`${Math.round((done / planned) * 100)} % ${what}\n`);
}

/** Every target in turn, again and again: what disturbs the machine disturbs them all. */
async function compare(
  targets: Target[],
  size: Size,
  concurrency: number,
  memory: Map<string, number>,
): Promise<Measured[]> {
  const rounds = new Map<Target, LoadResult[]>(targets.map((target) => [target, []]));
  for (const target of targets) await load({ ...order(target, size, concurrency), milliseconds: WARM_UP_MS / 4 });
  for (let round = 0; round < ROUNDS; round++)
    for (const target of targets) {
      progress(`${size}, ${concurrency} at once, ${target.name}`);
      const result = await load(order(target, size, concurrency));
      if (result.failures > 0) throw new Error(`${target.name}: ${result.failures} of ${result.requests} calls failed`);
      rounds.get(target)!.push(result);
      if (target.server) memory.set(target.name, Math.max(memory.get(target.name) ?? 0, target.server.memory()));
    }
  return targets.map((target) => {
    const results = rounds.get(target)!;
    return {
      target: target.name,
      size,
      concurrency,
      perSecond: median(results.map(({ requests, seconds }) => requests / seconds)),
      p50: median(results.map(({ p50 }) => p50)),
      p99: median(results.map(({ p99 }) => p99)),
      rounds: results,
    };
  });
}

const order = (target: Target, size: Size, concurrency: number) => ({
  port: target.port,
  concurrency,
  milliseconds: ROUND_MS,
  requests: target.requests(size),
});

let load: Awaited<ReturnType<typeof startLoader>>;

async function main() {
  load = await startLoader();
  const upstream = await serve("upstream.ts");
  const origin = `http://127.0.0.1:${upstream}`;
  const nginx = await startNginx(upstream);
  const embedded = await prepare({ upstream, used: 10, stored: 30 });
  const many = await prepare({ upstream, used: MANY_CONNECTIONS, stored: MANY_CONNECTIONS * 3 });
  console.error(`filling a store with ${FULL_STORE} connections`);
  const full = await prepare({ upstream, used: 10, stored: FULL_STORE });
  const external = await externalDatabase();
  const clustered = external && (await prepare({ upstream, used: 10, stored: 30, ...external }));

  const embeddedServer = await startPlugboard(embedded.env);
  const idleMemory = embeddedServer.memory();
  const main: Target[] = [
    plain("direct", upstream),
    plain("bare proxy", await serve("bare-proxy.ts", origin)),
    plain("bare map", await serve("bare-map.ts", origin)),
    ...(nginx ? [plain("nginx", nginx)] : []),
    plugboard("Plugboard Proxy", embeddedServer, embedded.accounts, PROXY_PATH),
    plugboard("Plugboard Unified", embeddedServer, embedded.accounts, UNIFIED_PATH),
  ];
  if (clustered) {
    const server = await startPlugboard(clustered.env);
    main.push(plugboard("Plugboard Proxy, Postgres and Redis", server, clustered.accounts, PROXY_PATH));
    main.push(plugboard("Plugboard Unified, Postgres and Redis", server, clustered.accounts, UNIFIED_PATH));
  }
  const manyServer = await startPlugboard(many.env);
  const fullServer = await startPlugboard(full.env);
  const stores: Target[] = [
    plugboard("one connection", embeddedServer, firstOnly(embedded.accounts), UNIFIED_PATH),
    plugboard(`${MANY_CONNECTIONS} connections at random`, manyServer, many.accounts, UNIFIED_PATH),
    plugboard(`${FULL_STORE} connections stored`, fullServer, full.accounts, UNIFIED_PATH),
  ];

  planned = (main.length * sizes.length * CONCURRENCIES.length + stores.length * 2) * ROUNDS;
  const memory = new Map<string, number>();
  const measured: Measured[] = [];
  for (const size of sizes)
    for (const concurrency of CONCURRENCIES) measured.push(...(await compare(main, size, concurrency, memory)));
  const storeMeasured: Measured[] = [];
  for (const size of ["1kB", "30kB"] as const) storeMeasured.push(...(await compare(stores, size, 16, memory)));
  process.stderr.write("\n");

  const results: Results = {
    quick,
    node: process.version,
    bodies: Object.fromEntries(sizes.map((size) => [size, body(size).length])),
    measured: measured.map(withoutRounds),
    stores: storeMeasured.map(withoutRounds),
    memory: { idle: idleMemory, ...Object.fromEntries(memory) },
  };
  console.log(report(results));
  if (!quick) {
    writeFileSync(join(import.meta.dirname, "results.json"), `${JSON.stringify(results, null, 2)}\n`);
    const docs = join(import.meta.dirname, "..", "docs");
    writeFileSync(join(docs, "performance.svg"), chart(results));
    const page = join(docs, "performance.md");
    writeFileSync(
      page,
      readFileSync(page, "utf8").replace(BETWEEN_MARKS, () => report(results)),
    );
  }
}

const round = (value: number) => Number(value.toPrecision(4));
const withoutRounds = ({ rounds: _, ...one }: Measured) => ({
  ...one,
  perSecond: round(one.perSecond),
  p50: round(one.p50),
  p99: round(one.p99),
});
const firstOnly = (accounts: Record<Size, Account>) =>
  Object.fromEntries(
    Object.entries(accounts).map(([size, account]) => [
      size,
      { ...account, connections: account.connections.slice(0, 1) },
    ]),
  ) as Record<Size, Account>;

try {
  await main();
} finally {
  stopAll();
}
process.exit();
