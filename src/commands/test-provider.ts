import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ConfigError } from "../config/index.ts";
import { loadProviderFolder } from "../provider-folders/load.ts";
import { isBuiltIn } from "../registry.ts";
import { readArgs, UsageError } from "./usage.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const CONFIG = "test/conformance/folders.config.ts";
/** Of a failure that is printed. */
const MAX_LINES = 12;
const MAX_LENGTH = 300;
const MAX_TITLES = 3;

interface Result {
  title: string;
  status: string;
  failureMessages: string[];
}

/** Runs the conformance suite over providers that are not part of the repository. */
export async function run(args: string[]): Promise<number> {
  const { positionals: folders } = readArgs({ args, allowPositionals: true });
  if (folders.length === 0) throw new UsageError("test-provider needs the folder of a provider");
  const runner = findRunner();
  const ids = await checkFolders(folders);
  const output = mkdtempSync(join(tmpdir(), "plugboard-test-"));
  try {
    const file = join(output, "results.json");
    const options = ["--config", CONFIG, "--reporter=json", `--outputFile=${file}`];
    const { stdout, stderr } = spawnSync(process.execPath, [runner, "run", ...options], {
      cwd: root,
      encoding: "utf8",
      env: { ...process.env, PROVIDER_FOLDERS: JSON.stringify(folders.map((folder) => resolve(folder))) },
    });
    if (!existsSync(file)) throw new Error(`the conformance suite did not run: ${stdout}${stderr}`);
    return report(ids, JSON.parse(readFileSync(file, "utf8"))) ? 0 : 1;
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}

/** The test runner, if it is installed, and the suite as well. */
export function findRunner(from = root): string {
  if (!existsSync(join(from, CONFIG)))
    throw new ConfigError([
      "test-provider needs the conformance suite: run it from a checkout of Plugboard's repository",
    ]);
  try {
    return join(dirname(createRequire(join(from, CONFIG)).resolve("vitest/package.json")), "vitest.mjs");
  } catch {
    throw new ConfigError(["test-provider needs vitest, which is not installed: npm install --save-dev vitest"]);
  }
}

/** The ids of the providers, if they can be loaded. */
async function checkFolders(folders: string[]): Promise<string[]> {
  const problems = new Set<string>();
  for (const folder of folders) {
    if (!existsSync(folder)) {
      problems.add(`${folder} does not exist`);
      continue;
    }
    const { emulator } = await loadProviderFolder(folder, basename(resolve(folder)), isBuiltIn, problems);
    if (!emulator) problems.add(`${folder} has no emulator, sandbox/index.ts, for the suite to test it with`);
  }
  if (problems.size > 0) throw new ConfigError([...problems]);
  return folders.map((folder) => basename(resolve(folder)));
}

/** What was expected, without the stack. */
const causeOf = (messages: string[]): string =>
  messages
    .join("\n")
    .split(/\n\s+at /)[0]!
    .split("\n")
    .slice(0, MAX_LINES)
    .map((line) => `    ${line.slice(0, MAX_LENGTH)}`)
    .join("\n");

/** Prints what passed and what failed. Returns whether all passed. */
function report(ids: string[], { testResults }: { testResults: { message: string; assertionResults: Result[] }[] }) {
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = results.filter(({ status }) => status === "failed");
  for (const { message, assertionResults } of testResults) if (assertionResults.length === 0) console.log(message);
  // One cause often fails many tests.
  const causes = Map.groupBy(failed, ({ failureMessages }) => causeOf(failureMessages));
  for (const [cause, tests] of causes) {
    for (const { title } of tests.slice(0, MAX_TITLES)) console.log(`✗ ${title}`);
    if (tests.length > MAX_TITLES) console.log(`✗ and ${tests.length - MAX_TITLES} more`);
    console.log(`${cause}\n`);
  }
  for (const id of ids) {
    const own = results.filter(({ title }) => title.startsWith(`${id} `));
    const passed = own.filter(({ status }) => status === "passed");
    const isDone = passed.length > 0 && !failed.some(({ title }) => title.startsWith(`${id} `));
    console.log(`${isDone ? "✓" : "✗"} ${id}: ${passed.length} of ${own.length} tests passed`);
    if (!isDone) continue;
    const operations = own.flatMap(({ title }) => / (\w+\.\w+) /.exec(title)?.[1] ?? []);
    console.log(`    ${[...new Set(operations)].join(", ")}`);
  }
  return results.length > 0 && failed.length === 0;
}
