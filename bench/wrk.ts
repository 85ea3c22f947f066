// wrk as the load generator: it takes a fraction of the CPU time of one in Node, which leaves the cores to the servers.
import { execFile, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "./clean-up.ts";
import type { LoadOptions, LoadResult } from "./load.ts";

const run = promisify(execFile);
const folder = temporaryFolder();

export const isWrkInstalled = () => !spawnSync("wrk", ["-v"]).error;

/** The requests are ASCII, whose JSON form is also Lua's. */
const program = (requests: string[]) => `
local requests = { ${requests.map((text) => JSON.stringify(text)).join(", ")} }
request = function() return requests[math.random(#requests)] end
done = function(summary, latency)
  local errors = summary.errors
  local failures = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  local microseconds = { summary.duration, latency:percentile(50), latency:percentile(99) }
  io.write(string.format("\\nresult %d %d %d %d %d\\n", summary.requests, failures, unpack(microseconds)))
end
`;

/** wrk measures whole seconds, and chooses requests at random. */
export async function loadWithWrk({ port, concurrency, milliseconds, requests }: LoadOptions): Promise<LoadResult> {
  const script = join(folder, `${port}.lua`);
  writeFileSync(script, program(requests));
  const seconds = Math.max(1, Math.round(milliseconds / 1000));
  const options = ["--threads=1", `--connections=${concurrency}`, `--duration=${seconds}s`, `--script=${script}`];
  const { stdout } = await run("wrk", [...options, `http://127.0.0.1:${port}`]);
  const result = /^result (\d+) (\d+) (\d+) (\d+) (\d+)$/m.exec(stdout);
  if (!result) throw new Error(`wrk printed no result: ${stdout}`);
  const [count, failures, duration, p50, p99] = result.slice(1).map(Number) as [number, number, number, number, number];
  return { requests: count, failures, seconds: duration / 1e6, p50: p50 / 1000, p99: p99 / 1000 };
}
