// npm run bench:telemetry [-- --surface Unified]: the CPU time of a call without OpenTelemetry, with it, and with a tenth
// of the traces. With `--against FOLDER` it is off, and compared with another checkout, such as one without its code.
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
/** Processes of the same program differ by up to a tenth: a small difference needs more of them, and longer. */
const { instances, rounds, calls } = options.against
  ? { instances: 6, rounds: 48, calls: 50_000 }
  : { instances: 2, rounds: 16, calls: 15_000 };
const CASE = { size: "1kB", concurrency: 64 } as const;

async function main(): Promise<void> {
  const { load } = await startLoadGenerator();
  const upstream = await serve("upstream.ts");
  const collector = await serve("collector.ts");
  const on = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}`, OTEL_BSP_MAX_QUEUE_SIZE: "100000" };
  const others: [name: string, env: Record<string, string>, folder?: string][] = options.against
    ? [["the other checkout", {}, options.against]]
    : [
        ["on", on],
        ["a tenth of the traces", { ...on, OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.1" }],
      ];
  const variants: typeof others = [["off", {}], ...others];
  const rows: string[][] = [];
  for (const surface of SURFACES) {
    const targets: Target[] = variants.map(([name]) => ({ name, limit: "off", instances: [] }));
    // A process that was started later is faster, by up to a tenth: every second time they are started in reverse order.
    const order = Array.from({ length: instances }, (_, made) =>
      made % 2 ? [...variants.keys()].reverse() : [...variants.keys()],
    ).flat();
    for (const index of order) {
      const [, env, folder] = variants[index]!;
      // Another checkout may not know our version of the store.
      const preparedBy: typeof prepare = folder
        ? (await import(pathToFileURL(resolve(folder, "bench/setup.ts")).href)).prepare
        : prepare;
      const { env: prepared, accounts } = await preparedBy({ upstream: upstream.port, used: 1, stored: 10 });
      const server = await startPlugboard({ ...prepared, ...env }, [], folder);
      const instance = plugboard(surface, server, accounts);
      await warmUp(load, { instances: [instance] }, [CASE.size], { milliseconds: 1_000, calls });
      targets[index]!.instances.push(instance);
    }
    const pace = { rounds, roundMs: 1_000, warmUpMs: 1_000 };
    for (const { target, cpuMicroseconds, megabytes, ratio } of await compare(load, targets, CASE, pace, () => {}))
      rows.push([surface, target, cpuMicroseconds.toFixed(0), (1 / ratio!).toFixed(2), megabytes.toFixed(0)]);
    for (const { instances } of targets) for (const { server } of instances) await server.stop();
  }
  console.log(table([["surface", "OpenTelemetry", "CPU time per call, µs", "ratio to off", "memory, MB"], ...rows]));
}

await main().finally(stopAll);
