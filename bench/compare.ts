// Compares targets in short rounds that visit every target in turn. Noise on the machine then affects all of them, and
// a ratio compares two measurements of the same round instead of two that are minutes apart.
import type { Size } from "./bodies.ts";
import type { LoadOptions, LoadResult } from "./load.ts";
import { median } from "./median.ts";
import type { Load, Running } from "./processes.ts";
import type { Measured } from "./results.ts";

export interface Instance {
  server: Running;
  /** Complete requests for a body size, as sent over the socket. */
  requests(size: Size): string[];
}

export interface Target {
  name: string;
  /** The baseline: the target that this one is compared with. */
  limit?: string | undefined;
  /** Processes of the same server, visited in turn: one of them can be a quarter faster than the next. */
  instances: Instance[];
}

export interface Pace {
  rounds: number;
  roundMs: number;
  warmUpMs: number;
}

interface Round extends LoadResult {
  /** CPU time of the server per call. */
  cpuMicroseconds: number;
}

const perSecond = ({ requests, seconds }: LoadResult) => requests / seconds;

const loadOptions = (
  { server, requests }: Instance,
  size: Size,
  concurrency: number,
  milliseconds: number,
): LoadOptions => ({ port: server.port, concurrency, milliseconds, requests: requests(size) });

/**
 * Runs long enough for V8 to optimize everything and for every connection to be called: a server that was just started
 * is several times slower, and V8 still compiles after tens of thousands of calls. The size that is measured first is
 * warmed up last, with `calls` calls.
 */
export async function warmUp(
  load: Load,
  { instances }: Pick<Target, "instances">,
  sizes: readonly Size[],
  { milliseconds, calls }: { milliseconds: number; calls: number },
): Promise<void> {
  for (const instance of instances) {
    for (const size of sizes.toReversed()) await load({ ...loadOptions(instance, size, 16, milliseconds), each: true });
    for (let done = 0; done < calls; ) {
      const { requests } = await load(loadOptions(instance, sizes[0]!, 16, milliseconds));
      if (requests === 0) throw new Error("no call of the warm-up was answered");
      done += requests;
    }
  }
}

/** One round. If calls fail, because the machine stood still for a moment, it is measured again. */
async function measure(
  load: Load,
  name: string,
  { server }: Instance,
  options: ReturnType<typeof loadOptions>,
): Promise<Round> {
  for (let attempts = 3; ; attempts--) {
    const before = server.cpuMs();
    const result = await load(options);
    const { failures, requests } = result;
    if (failures === 0 && requests > 0)
      return { ...result, cpuMicroseconds: ((server.cpuMs() - before) * 1000) / requests };
    const problem = `${name}: ${failures} of ${requests} calls failed`;
    if (attempts === 1) throw new Error(problem);
    console.error(`${problem}: this round is measured again`);
  }
}

const shuffled = <Item>(items: Item[]): Item[] =>
  items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);

export async function compare(
  load: Load,
  targets: Target[],
  { size, concurrency }: { size: Size; concurrency: number },
  { rounds, roundMs, warmUpMs }: Pace,
  progress: (what: string) => void,
): Promise<Measured[]> {
  for (const { instances } of targets)
    for (const instance of instances) await load(loadOptions(instance, size, concurrency, warmUpMs));
  const results = new Map<string, Round[]>(targets.map(({ name }) => [name, []]));
  const memory = new Map<string, number>();
  for (let round = 0; round < rounds; round++) {
    // In a fixed order, the same target differed by up to a third, depending on who came before it.
    for (const target of shuffled(targets)) {
      const { name, instances } = target;
      const instance = instances[round % instances.length]!;
      progress(`${size}, ${concurrency} at once, ${name}`);
      results.get(name)!.push(await measure(load, name, instance, loadOptions(instance, size, concurrency, roundMs)));
      memory.set(name, Math.max(memory.get(name) ?? 0, instance.server.memory()));
    }
  }
  return targets.map(({ name, limit }) => {
    const own = results.get(name)!;
    const limits = limit ? results.get(limit) : undefined;
    return {
      target: name,
      size,
      concurrency,
      perSecond: median(own.map(perSecond)),
      p50: median(own.map(({ p50 }) => p50)),
      p99: median(own.map(({ p99 }) => p99)),
      cpuMicroseconds: median(own.map(({ cpuMicroseconds }) => cpuMicroseconds)),
      megabytes: memory.get(name)!,
      ...(limits
        ? {
            limit: limit!,
            ratio: median(own.map((result, round) => limits[round]!.cpuMicroseconds / result.cpuMicroseconds)),
          }
        : {}),
    };
  });
}
