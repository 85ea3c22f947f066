// npm run bench [-- --quick] [-- --only 1kB/64] [-- --publish]: compares Plugboard with bare Node servers in one run on one machine.
// Every server has its own process, all on loopback. Only ratios within a run mean anything.
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { body, type Size, sizes } from "./bodies.ts";
import { compare, type Instance, type Pace, type Target, warmUp } from "./compare.ts";
import { externalDatabase } from "./external.ts";
import { serve, startLoadGenerator, startNginx, startPlugboard } from "./processes.ts";
import { publish } from "./publish.ts";
import { details, summary } from "./report.ts";
import type { Measured, Results } from "./results.ts";
import { type Prepared, prepare } from "./setup.ts";
import { BARE_MAP, BARE_PROXY, DIRECT, plain, plugboard, stores as storeTargets, surfaces } from "./targets.ts";

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    publish: { type: "boolean", default: false },
  },
});
const { quick, only } = options;
// wrk measures whole seconds. The operating system counts CPU time in steps of 10 ms, 1 % of a round.
const pace: Pace = { rounds: quick ? 3 : 6, roundMs: 1_000, warmUpMs: 1_000 };
const FIRST_WARM_UP = { milliseconds: 2_000, calls: quick ? 0 : 100_000 };
const INSTANCES = quick ? 1 : 3;
const CONCURRENCIES = [1, 16, 64];
const MANY_CONNECTIONS = 10_000;
const STORE_SIZES: Size[] = ["1kB", "30kB"];
const FULL_STORE = quick ? 100_000 : 1_000_000;

const cases = sizes
  .flatMap((size) => CONCURRENCIES.map((concurrency) => ({ size, concurrency })))
  .filter(({ size, concurrency }) => !only || `${size}/${concurrency}` === only);
if (cases.length === 0) {
  console.error(
    `--only takes a size (${sizes.join(", ")}) and a number of calls at once (${CONCURRENCIES.join(", ")}), such as 1kB/64`,
  );
  process.exit(2);
}

let done = 0;
let planned = 0;
function progress(what: string): void {
  done++;
  const part = `${Math.round((done / planned) * 100)} % ${what}`;
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${part}`);
  else if (done % 100 === 0) process.stderr.write(`${part}\n`);
}

async function main() {
  const { load, name: generator } = await startLoadGenerator();
  const upstream = await serve("upstream.ts");
  const origin = `http://127.0.0.1:${upstream.port}`;
  const nginx = await startNginx(upstream.port);
  const prepared = (used: number, stored: number, external?: { databaseUrl: string; redisUrl: string }) =>
    prepare({ upstream: upstream.port, used, stored, ...external });
  const external = await externalDatabase();
  const clustered = external && (await prepared(1, 10, external));

  const several = async (start: () => Promise<Instance>): Promise<Instance[]> => {
    const instances: Instance[] = [];
    while (instances.length < INSTANCES) instances.push(await start());
    return instances;
  };
  const bare = async (name: string, script: string): Promise<Target> => ({
    name,
    instances: await several(async () => plain(await serve(script, origin))),
  });
  // Each surface runs in its own process, as the bare servers do: memory used by one does not count for another.
  const surface = async (
    name: "Proxy" | "Unified",
    variant: string,
    prepareOne: () => Promise<Prepared>,
  ): Promise<Target> => ({
    name: `Plugboard ${name}${variant}`,
    limit: surfaces[name].limit,
    instances: await several(async () => {
      const { env, accounts } = await prepareOne();
      return plugboard(name, await startPlugboard(env), accounts);
    }),
  });
  const alone = () => prepared(1, 10);
  const ours = [await surface("Proxy", "", alone), await surface("Unified", "", alone)];
  const idleMegabytes = ours[0]!.instances[0]!.server.memory();
  const main: Target[] = [
    { name: DIRECT, instances: [plain(upstream)] },
    await bare(BARE_PROXY, "bare-proxy.ts"),
    await bare(BARE_MAP, "bare-map.ts"),
    ...(nginx ? [{ name: "nginx", limit: BARE_PROXY, instances: [plain(nginx)] }] : []),
    ...ours,
    ...(clustered
      ? [
          await surface("Proxy", ", Postgres and Redis", async () => clustered),
          await surface("Unified", ", Postgres and Redis", async () => clustered),
        ]
      : []),
  ];

  const stores: Target[] = [];
  if (!only) {
    console.error(`filling a store with ${FULL_STORE} connections`);
    const store = async (name: string, { env, accounts }: Prepared, limit?: string): Promise<Target> => ({
      name,
      limit,
      instances: [plugboard("Unified", await startPlugboard(env), accounts)],
    });
    const { few, atRandom, full } = storeTargets;
    stores.push(
      await store(few, await prepared(1, 10)),
      await store(atRandom(MANY_CONNECTIONS), await prepared(MANY_CONNECTIONS, MANY_CONNECTIONS * sizes.length), few),
      await store(full(FULL_STORE), await prepared(1, FULL_STORE), few),
    );
  }

  console.error("warming up");
  const used = sizes.filter((size) => cases.some((one) => one.size === size));
  for (const target of main) await warmUp(load, target, used, FIRST_WARM_UP);
  planned = (main.length * cases.length + stores.length * STORE_SIZES.length) * pace.rounds;
  const measured: Measured[] = [];
  for (const one of cases) measured.push(...(await compare(load, main, one, pace, progress)));
  const storeMeasured: Measured[] = [];
  if (!only)
    for (const size of STORE_SIZES) {
      // Right before the measurement: cached connections are trusted for a minute.
      for (const target of stores) await warmUp(load, target, [size], FIRST_WARM_UP);
      storeMeasured.push(...(await compare(load, stores, { size, concurrency: 16 }, pace, progress)));
    }
  process.stderr.write("\n");

  const results: Results = {
    quick,
    date: new Date().toISOString().slice(0, 10),
    commit: spawnSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).stdout?.trim() || "unknown",
    node: process.version,
    generator,
    bodies: Object.fromEntries(sizes.map((size) => [size, body(size).length])),
    measured: measured.map(rounded),
    stores: storeMeasured.map(rounded),
    idleMegabytes: Math.round(idleMegabytes),
  };
  console.log(summary(results) + details(results));
  if (options.publish) publish(results);
}

const rounded = (one: Measured): Measured =>
  Object.fromEntries(
    Object.entries(one).map(([name, value]) => [
      name,
      typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value,
    ]),
  ) as unknown as Measured;

await main();
process.exit();
