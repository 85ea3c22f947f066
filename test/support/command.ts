import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const launcher = join(import.meta.dirname, "../../bin/plugboard.js");

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Only what a command needs: nothing of the machine's own settings gets in. */
const environment = (env: Record<string, string>) => ({ PATH: process.env.PATH, ...env });

export const newDataDir = () => mkdtempSync(join(tmpdir(), "plugboard-command-"));

/** A command as a person would call it, to its end. */
export async function run(args: string[], env: Record<string, string> = {}): Promise<Outcome> {
  const { child, output } = launch(args, env);
  const [code] = await once(child, "close");
  return { code, ...output };
}

export interface Running {
  child: ChildProcess;
  /** Where it listens, as it printed it. */
  url: string;
  output: { stdout: string; stderr: string };
  /** Its exit code, once it has ended. */
  ended: Promise<number | null>;
}

/** `plugboard start`, once it is ready. */
export async function start(env: Record<string, string>): Promise<Running> {
  const { child, output } = launch(["start"], { PORT: "0", ...env });
  const ended = once(child, "close").then(([code]) => code as number | null);
  const url = await Promise.race([
    printed(child, output, /ready at (\S+)\n/),
    ended.then((code) => {
      throw new Error(`plugboard start ended with ${code}: ${output.stderr}${output.stdout}`);
    }),
  ]);
  return { child, url, output, ended };
}

/** The first group of a pattern, as soon as the child has printed it. */
export async function printed(child: ChildProcess, output: { stdout: string }, pattern: RegExp): Promise<string> {
  for (;;) {
    const found = pattern.exec(output.stdout);
    if (found) return found[1] ?? found[0];
    await once(child.stdout!, "data");
  }
}

export function launch(args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [launcher, ...args], {
    env: environment(env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].on("data", (data) => {
      output[stream] += data;
    });
  return { child, output };
}
