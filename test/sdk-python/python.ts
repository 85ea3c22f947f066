// The machine's Python, for the tests of the Python SDK.
import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";

/** Debian's own comes before others: what `.ci/run` installs is for it. */
const CANDIDATES = [process.env.PYTHON, "/usr/bin/python3", "python3"];
const NEEDED = "import sys, setuptools, wheel; sys.exit(sys.version_info < (3, 10))";

/**
 * A Python 3.10 or later with setuptools and wheel. If there is none, it warns and returns undefined; with CI=true it
 * throws.
 */
export function findPython(): string | undefined {
  const found = CANDIDATES.find((python) => python && spawnSync(python, ["-c", NEEDED]).status === 0);
  if (found) return found;
  const reason = "there is no Python 3.10 or later with setuptools and wheel. Install them, or set PYTHON";
  if (process.env.CI === "true") throw new Error(`Tests of the Python SDK cannot run: ${reason}`);
  console.warn(`Tests of the Python SDK are skipped: ${reason}`);
  return undefined;
}

const execute = promisify(execFile);

/** What a program prints. If it fails, the error has everything that it has printed. */
export async function run(program: string, args: string[], cwd: string, env: Record<string, string> = {}) {
  const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 1e8 };
  return execute(program, args, options).catch((error: Error & { stdout: string; stderr: string }) => {
    throw new Error(`${program} ${args.join(" ")} failed:\n${error.stdout}${error.stderr}`);
  });
}
