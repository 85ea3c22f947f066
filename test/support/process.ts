// Plugboard commands in processes of their own.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const launcher = join(import.meta.dirname, "../../bin/plugboard.js");

export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

export const newDataDir = () => mkdtempSync(join(tmpdir(), "plugboard-"));

/** Runs a command until it ends. */
export async function runCommand(
  args: string[],
  env: Record<string, string> = {},
  options: LaunchOptions = {},
): Promise<CommandResult> {
  const { child, output } = launch(args, env, options);
  const [code] = await once(child, "close");
  return { code, ...output };
}

export interface PlugboardProcess {
  child: ChildProcess;
  /** The address that it printed. */
  url: string;
  output: { stdout: string; stderr: string };
  /** Its exit code, once it has ended. */
  ended: Promise<number | null>;
  /** Sends the signal, waits for the end and returns the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** `plugboard start`, once it is ready. Without `DATA_DIR` it gets a folder that `stop` removes. */
export async function startPlugboard(
  env: Record<string, string> = {},
  options: LaunchOptions = {},
): Promise<PlugboardProcess> {
  const temporaryFolder = env.DATA_DIR ? undefined : newDataDir();
  const settings = { PORT: "0", ...(temporaryFolder ? { DATA_DIR: temporaryFolder } : {}), ...env };
  const { child, output } = launch(["start"], settings, options);
  const ended = once(child, "close").then(([code]) => code as number | null);
  const url = await Promise.race([
    waitForOutput(child, output, /ready at ([^\s"]+)/),
    ended.then((code) => {
      throw new Error(`plugboard start ended with ${code}: ${output.stderr}${output.stdout}`);
    }),
  ]);
  return {
    child,
    url,
    output,
    ended,
    async stop(signal = "SIGKILL") {
      child.kill(signal);
      const code = await ended;
      if (temporaryFolder) rmSync(temporaryFolder, { recursive: true, force: true });
      return code;
    },
  };
}

/** Waits until the process has printed the pattern; returns its first group, or the whole match if it has none. */
export async function waitForOutput(child: ChildProcess, output: { stdout: string }, pattern: RegExp): Promise<string> {
  for (;;) {
    const found = pattern.exec(output.stdout);
    if (found) return found[1] ?? found[0];
    await once(child.stdout!, "data");
  }
}

/** The ids of the processes that a process has started. */
export const childrenOf = (parent: number): number[] =>
  readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8").split(" ").filter(Boolean).map(Number);

/** Resident memory of a process in megabytes. */
export const residentMegabytes = ({ pid }: ChildProcess): number =>
  Number(/VmRSS:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024;

const SAMPLE_MS = 10;

/** Resident memory of a process before `work`, and by how much it grows at most while `work` runs; in megabytes. */
export async function memoryDuring(
  child: ChildProcess,
  work: () => Promise<void>,
): Promise<{ idle: number; growth: number }> {
  const idle = residentMegabytes(child);
  let peak = idle;
  const sample = () => {
    peak = Math.max(peak, residentMegabytes(child));
  };
  const timer = setInterval(sample, SAMPLE_MS);
  await work().finally(() => clearInterval(timer));
  sample();
  return { idle, growth: peak - idle };
}

const running = new Set<ChildProcess>();

/** Ends what a test file has left behind. */
export function endProcesses(): void {
  for (const child of running) child.kill("SIGKILL");
}

interface LaunchOptions {
  /** Another copy of the launcher. */
  launcher?: string;
  cwd?: string;
  uid?: number;
  gid?: number;
}

/** Starts a command. It sees only the given environment and `PATH`, so that the machine's own settings do not matter. */
export function launch(args: string[], env: Record<string, string>, options: LaunchOptions = {}) {
  const { launcher: file = launcher, ...rest } = options;
  const child = spawn(process.execPath, [file, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    ...rest,
  });
  running.add(child);
  child.once("close", () => running.delete(child));
  const output = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].on("data", (data) => {
      output[stream] += data;
    });
  return { child, output };
}
