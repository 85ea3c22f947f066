// Measures targets beside each other: short rounds, every target in each, so that what disturbs the machine disturbs
// them all, and ratios of neighbours in one round rather than of figures that were taken a minute apart.
import type { Size } from "./bodies.ts";
import type { LoadOrder, LoadResult } from "./load.ts";
import type { Running } from "./processes.ts";
import type { Measured } from "./results.ts";

export interface Target {
  name: string;
  /** The target that it is measured against. */
  limit?: string | undefined;
  server: Running;
  /** Whole requests for a size of body. */
  requests(size: Size): string[];
}

export interface Pace {
  rounds: number;
  roundMs: number;
  warmUpMs: number;
}

type Load = (order: LoadOrder) => Promise<LoadResult>;

interface Round extends LoadResult {
  cpuMs: number;
}

export const median = (values: number[]) => {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

const perSecond = ({ requests, seconds }: LoadResult) => requests / seconds;
const sum = (values: number[]) => values.reduce((one, other) => one + other, 0);

const orderOf = (target: Target, size: Size, concurrency: number, milliseconds: number): LoadOrder => ({
  port: target.server.port,
  concurrency,
  milliseconds,
  requests: target.requests(size),
});

/**
 * Long enough for the compiler to have seen it all, and for every connection to have been called: a server that was
 * just started is several times slower. What is measured first comes last.
 */
export async function warmUp(load: Load, target: Target, sizes: readonly Size[], milliseconds: number): Promise<void> {
  for (const size of sizes.toReversed()) await load({ ...orderOf(target, size, 16, milliseconds), each: true });
}

export async function compare(
  load: Load,
  targets: Target[],
  { size, concurrency }: { size: Size; concurrency: number },
  { rounds, roundMs, warmUpMs }: Pace,
  progress: (what: string) => void,
): Promise<Measured[]> {
  for (const target of targets) await load(orderOf(target, size, concurrency, warmUpMs));
  const results = new Map<string, Round[]>(targets.map(({ name }) => [name, []]));
  const memory = new Map<string, number>();
  for (let round = 0; round < rounds; round++)
    for (const target of targets) {
      const { name, server } = target;
      progress(`${size}, ${concurrency} at once, ${name}`);
      const before = server.cpuMs();
      const result = await load(orderOf(target, size, concurrency, roundMs));
      if (result.failures > 0) throw new Error(`${name}: ${result.failures} of ${result.requests} calls failed`);
      results.get(name)!.push({ ...result, cpuMs: server.cpuMs() - before });
      memory.set(name, Math.max(memory.get(name) ?? 0, server.memory()));
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
      cpuMicroseconds: (sum(own.map(({ cpuMs }) => cpuMs)) * 1000) / sum(own.map(({ requests }) => requests)),
      megabytes: memory.get(name)!,
      ...(limits
        ? { limit: limit!, ratio: median(own.map((result, round) => perSecond(result) / perSecond(limits[round]!))) }
        : {}),
    };
  });
}
