// npm run bench:tricks: what a performance trick saves per call, measured by itself in a loop. In a server, where other
// work comes between two calls, it can be more: compare whole servers before one is removed.
import { BodyBuffer } from "../src/engine/http/body-buffers.ts";
import { median } from "./median.ts";
import { table } from "./tables.ts";

const ROUNDS = 15;
const ROUND_MS = 100;

interface Trick {
  name: string;
  file: string;
  /** One call with the trick, and one without it. */
  used(): unknown;
  unused(): unknown;
}

function collecting(kilobytes: number): Trick {
  const chunk = Buffer.alloc(64 * 1024);
  const chunks = Math.ceil(kilobytes / 64);
  const collect = () => {
    const body = new BodyBuffer();
    for (let index = 0; index < chunks; index++) body.add(chunk, chunks * chunk.length);
    return body;
  };
  return {
    name: `a pool of buffers for bodies, ${kilobytes} kB`,
    file: "engine/http/body-buffers.ts",
    used: () => collect().release(),
    unused: collect,
  };
}

/** CPU time per call in microseconds, garbage collection included. */
function measure(call: () => unknown): number {
  const ends = performance.now() + ROUND_MS;
  const before = process.cpuUsage();
  let calls = 0;
  while (performance.now() < ends) for (let index = 0; index < 20; index++, calls++) call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}

const rows: string[][] = [];
for (const { name, file, used, unused } of [collecting(300)]) {
  const times = { used: [] as number[], unused: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    times.used.push(measure(used));
    times.unused.push(measure(unused));
  }
  const [one, other] = [median(times.used), median(times.unused)];
  rows.push([name, file, one.toFixed(2), other.toFixed(2), (other - one).toFixed(2)]);
}
console.log(table([["trick", "where", "with it, µs", "without it, µs", "saves, µs"], ...rows]));
