import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const MAX_MS = 25_000;
const launcher = join(import.meta.dirname, "../../bin/plugboard.js");

/** Why commands cannot be run in a terminal here, or undefined. With CI=true that is a failure. */
export function terminalProblem(): string | undefined {
  if (process.platform === "linux" && !spawnSync("script", ["--version"]).error) return undefined;
  const problem = "the program `script` of util-linux is not installed";
  if (process.env.CI === "true") throw new Error(`Tests in a terminal cannot run: ${problem}`);
  console.warn(`Tests in a terminal are skipped: ${problem}`);
  return problem;
}

/** Runs a command whose output is a terminal, until `enough` matches its output; then it is stopped. */
export async function runInTerminal<Result>(
  args: string[],
  env: Record<string, string>,
  enough: RegExp,
  whileRunning: (output: string) => Promise<Result>,
): Promise<Result> {
  const command = ["exec", process.execPath, launcher, ...args].map((part) => `'${part}'`).join(" ");
  const child = spawn("script", ["--quiet", "--return", "--flush", "--command", command, "/dev/null"], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "ignore"],
    timeout: MAX_MS,
  });
  const ended = once(child, "close");
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (data) => {
    output += data.replaceAll("\r", "");
  });
  try {
    while (!enough.test(output)) {
      const [code] = await Promise.race([once(child.stdout, "data").then(() => [undefined]), ended]);
      if (code !== undefined) throw new Error(`the command ended with ${code}: ${output}`);
    }
    return await whileRunning(output);
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}
