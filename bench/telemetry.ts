// npm run bench:telemetry [-- --against FOLDER]: the CPU time of a call without OpenTelemetry, with it, and with a tenth of
// the traces; with `--against`, also that of another checkout, which must be the same as without it.
import { parseArgs } from "node:util";
import { compare, type Target, warmUp } from "./compare.ts";
import { serve, startLoadGenerator, startPlugboard, stopAll } from "./processes.ts";
import { prepare } from "./setup.ts";
import { table } from "./tables.ts";
import { plugboard } from "./targets.ts";

const { values: options } = parseArgs({ options: { against: { type: "string" } } });
const SURFACES = ["Unified", "Proxy"] as const;
const PACE = { rounds: 6, roundMs: 1_000, warmUpMs: 1_000 };
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
    ...(options.against ? [["the other checkout", {}, options.against] as [string, object, string]] : []),
  ] as typeof variants;
  const rows: string[][] = [];
  for (const surface of SURFACES) {
    const targets: Target[] = [];
    for (const [name, env, folder] of variants) {
      const { env: prepared, accounts } = await prepare({ upstream: upstream.port, used: 1, stored: 10 });
      const server = await startPlugboard({ ...prepared, ...env }, [], folder);
      targets.push({ name, limit: "off", instances: [plugboard(surface, server, accounts)] });
    }
    for (const target of targets) await warmUp(load, target, [CASE.size], WARM_UP);
    for (const { target, cpuMicroseconds, megabytes, ratio } of await compare(load, targets, CASE, PACE, () => {}))
      rows.push([surface, target, cpuMicroseconds.toFixed(0), (1 / ratio!).toFixed(2), megabytes.toFixed(0)]);
    for (const { instances } of targets) for (const { server } of instances) await server.stop();
  }
  console.log(table([["surface", "OpenTelemetry", "CPU time per call, µs", "ratio to off", "memory, MB"], ...rows]));
}

await main().finally(stopAll);
