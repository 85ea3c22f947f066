import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";

const root = join(import.meta.dirname, "../../..");

/** The environment of a program that fails if it calls anything but this machine. */
export const onlyThisMachine = {
  NODE_OPTIONS: `--import ${new URL("only-this-machine.ts", import.meta.url).href}`,
};

/** The programs of a page, which begin with their names, in a folder where they can be started as they are. */
export function openPrograms(page: string) {
  const text = readFileSync(join(root, "docs", page), "utf8");
  const folder = mkdtempSync(join(tmpdir(), "plugboard-programs-"));
  const started: ChildProcess[] = [];
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  for (const [, program, name] of text.matchAll(/```js\n(\/\/ ([\w-]+\.mjs)\n[\s\S]*?)```/g))
    writeFileSync(join(folder, name!), program!);

  function start(command: string, args: readonly string[], env: Record<string, string>) {
    const output = { stdout: "", stderr: "" };
    const child = spawn(command, args, { cwd: folder, env });
    for (const stream of ["stdout", "stderr"] as const)
      child[stream].on("data", (data) => {
        output[stream] += data;
      });
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    started.push(child);
    return { output, ended };
  }

  return {
    text,
    folder,
    start,
    /** Runs a command to its end, and returns what it printed. */
    async run(
      command: string,
      args: readonly string[],
      env: Record<string, string>,
      { stderr = /^$/ } = {},
    ): Promise<string> {
      const { output, ended } = start(command, args, env);
      expect([await ended, output.stderr]).toEqual([0, expect.stringMatching(stderr)]);
      return output.stdout.trimEnd();
    },
    /** Ends what is still running. */
    end() {
      for (const child of started.splice(0)) child.kill();
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
