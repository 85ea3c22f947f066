// npm run bench:telemetry [-- --against FOLDER] [-- --surface Unified]: the CPU time of a call without OpenTelemetry, with
// it, and with a tenth of the traces; with `--against`, also that of another checkout without it.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { compare, type Target, warmUp } from "./compare.ts";
import { serve, startLoadGenerator, startPlugboard, stopAll } from "./processes.ts";
import { prepare } from "./setup.ts";
import { table } from "./tables.ts";
import { plugboard } from "./targets.ts";

const { values: options } = parseArgs({ options: { against: { type: "string" }, surface: { type: "string" } } });
const SURFACES = (["Unified", "Proxy"] as const).filter((name) => !options.surface || name === options.surface);
const PACE = { rounds: 16, roundMs: 1_000, warmUpMs: 1_000 };
const WARM_UP = { milliseconds: 1_000, calls: 15_000 };
const CASE = { size: "1kB", concurrency: 64 } as const;

async function main(): Promise<void> {
  const { load } = await startLoadGenerator();
  const upstream = await serve("upstream.ts");
  const collector = await serve("collector.ts");
  const on = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}`, OTEL_BSP_MAX_QUEUE_SIZE: "100000" };
  const variants: [name: string, env: Record<string, string>, folder?: string][] = [
    ["off", {}],
    ["on", on],
    ["a tenth of the traces", { ...on, OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.1" }],
  ];
  if (options.against) variants.push(["the other checkout", {}, options.against]);
  const rows: string[][] = [];
  for (const surface of SURFACES) {
    const targets: Target[] = variants.map(([name]) => ({ name, limit: "off", instances: [] }));
    // A process that was started later is faster, by up to a tenth: the second ones are started in reverse order.
    for (const index of [...variants.keys(), ...[...variants.keys()].reverse()]) {
      const [, env, folder] = variants[index]!;
      // Another checkout may not know our version of the store.
      const preparedBy: typeof prepare = folder
        ? (await import(pathToFileURL(resolve(folder, "bench/setup.ts")).href)).prepare
        : prepare;
      const { env: prepared, accounts } = await preparedBy({ upstream: upstream.port, used: 1, stored: 10 });
      const server = await startPlugboard({ ...prepared, ...env }, [], folder);
      const instance = plugboard(surface, server, accounts);
      await warmUp(load, { instances: [instance] }, [CASE.size], WARM_UP);
      targets[index]!.instances.push(instance);
    }
    for (const { target, cpuMicroseconds, megabytes, ratio } of await compare(load, targets, CASE, PACE, () => {}))
      rows.push([surface, target, cpuMicroseconds.toFixed(0), (1 / ratio!).toFixed(2), megabytes.toFixed(0)]);
    for (const { instances } of targets) for (const { server } of instances) await server.stop();
  }
  console.log(table([["surface", "OpenTelemetry", "CPU time per call, µs", "ratio to off", "memory, MB"], ...rows]));
}

await main().finally(stopAll);
