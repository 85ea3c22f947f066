// Compares Plugboard with itself: with other settings, or with another checkout.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Size } from "./bodies.ts";
import { compare, type Target, warmUp } from "./compare.ts";
import { type Running, serve, startLoadGenerator, startPlugboard } from "./processes.ts";
import { prepare } from "./setup.ts";
import { table } from "./tables.ts";
import { plugboard, type surfaces } from "./targets.ts";

export interface Variant {
  name: string;
  env?: Record<string, string>;
  /** Another checkout. */
  folder?: string | undefined;
}

export interface Options {
  surfaces: (keyof typeof surfaces)[];
  size: Size;
  /** Processes of the same program differ by up to a tenth: a small difference needs more of them, and longer. */
  instances: number;
  rounds: number;
  /** Of each process before it is measured. */
  calls: number;
}

async function start({ env = {}, folder }: Variant, upstream: Running) {
  // Another checkout may not know our version of the store.
  const preparedBy: typeof prepare = folder
    ? (await import(pathToFileURL(resolve(folder, "bench/setup.ts")).href)).prepare
    : prepare;
  const { env: prepared, accounts } = await preparedBy({ upstream: upstream.port, used: 1, stored: 10 });
  return { accounts, server: await startPlugboard({ ...prepared, ...env }, [], folder) };
}

/** Prints the CPU time of a call at 64 at once, and the memory, of each variant. The first is what others are compared with. */
export async function compareVariants(variants: Variant[], { surfaces, size, ...pace }: Options): Promise<void> {
  const { load } = await startLoadGenerator();
  const upstream = await serve("upstream.ts");
  const first = variants[0]!.name;
  const rows: string[][] = [];
  for (const surface of surfaces) {
    const targets: Target[] = variants.map(({ name }) => ({ name, limit: first, instances: [] }));
    // A process that was started later is faster, by up to a tenth: every second time they are started in reverse order.
    const order = Array.from({ length: pace.instances }, (_, made) =>
      made % 2 ? [...variants.keys()].reverse() : [...variants.keys()],
    ).flat();
    for (const [made, index] of order.entries()) {
      console.log(`warming up ${surface}, process ${made + 1} of ${order.length}: ${variants[index]!.name}`);
      const { server, accounts } = await start(variants[index]!, upstream);
      const instance = plugboard(surface, server, accounts);
      await warmUp(load, { instances: [instance] }, [size], { milliseconds: 1_000, calls: pace.calls });
      targets[index]!.instances.push(instance);
    }
    const rounds = { rounds: pace.rounds, roundMs: 1_000, warmUpMs: 1_000 };
    const measured = await compare(load, targets, { size, concurrency: 64 }, rounds, () => {});
    for (const { target, cpuMicroseconds, megabytes, ratio } of measured)
      rows.push([surface, target, cpuMicroseconds.toFixed(0), (1 / ratio!).toFixed(2), megabytes.toFixed(0)]);
    for (const { instances } of targets) for (const { server } of instances) await server.stop();
  }
  const heading = ["surface", "variant", "CPU time per call, µs", `ratio to ${first}`, "memory, MB"];
  console.log(table([heading, ...rows]));
}
