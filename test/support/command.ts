import { vi } from "vitest";
import { runCommandLine } from "../../src/commands/run.ts";
import type { CommandResult } from "./process.ts";

/**
 * Runs a command that ends by itself in this process, which takes a fraction of the time. For what a command does: how its
 * process ends is tested in test/commands/command-line.test.ts.
 */
export async function callCommand(args: string[], env: Record<string, string> = {}): Promise<CommandResult> {
  const own = process.env;
  const stdout = vi.spyOn(console, "log").mockReturnValue();
  const stderr = vi.spyOn(console, "error").mockReturnValue();
  const linesOf = ({ mock }: typeof stdout) => mock.calls.map(([line]) => `${line}\n`).join("");
  try {
    process.env = { PATH: own.PATH, ...env };
    const code = await runCommandLine(args);
    return { code, stdout: linesOf(stdout), stderr: linesOf(stderr) };
  } finally {
    process.env = own;
    stdout.mockRestore();
    stderr.mockRestore();
  }
}
