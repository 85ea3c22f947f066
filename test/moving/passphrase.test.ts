import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { newDataDir, runCommand } from "../support/process.ts";
import { terminalProblem } from "../support/terminal.ts";
import { createWorkspaces } from "../support/workspace.ts";

const PASSPHRASE = "correct horse battery";
const launcher = join(import.meta.dirname, "../../bin/plugboard.js");

describe.skipIf(terminalProblem())("the passphrase of an export in a terminal", () => {
  const DATA_DIR = newDataDir();
  const file = join(DATA_DIR, "export");
  afterAll(() => rmSync(DATA_DIR, { recursive: true, force: true }));

  /** Answers each question, and returns everything that the terminal has shown. */
  async function runInTerminal(args: string[], answers: [question: string, answer: string][]): Promise<string> {
    const command = [process.execPath, launcher, ...args].map((part) => `'${part}'`).join(" ");
    const child = spawn("script", ["--quiet", "--flush", "--command", command, "/dev/null"], {
      env: { PATH: process.env.PATH, DATA_DIR },
      stdio: ["pipe", "pipe", "ignore"],
    });
    const ended = once(child, "close");
    let shown = "";
    const remaining = [...answers];
    child.stdout.setEncoding("utf8").on("data", (text) => {
      shown += text;
      if (!remaining[0] || !shown.includes(remaining[0][0])) return;
      const [[, answer]] = remaining.splice(0, 1) as [[string, string]];
      child.stdin.write(`${answer}\r`);
    });
    await ended;
    return shown;
  }

  it("is asked for twice, and is never shown", async () => {
    await createWorkspaces({ DATA_DIR }, "Acme");
    const different = await runInTerminal(
      ["export", file],
      [
        ["Passphrase: ", PASSPHRASE],
        ["Again: ", "correct horse batterz"],
      ],
    );
    expect(different).toContain("the passphrases differ");
    expect(existsSync(file)).toBe(false);
    const shown = await runInTerminal(
      ["export", file],
      [
        ["Passphrase: ", PASSPHRASE],
        ["Again: ", PASSPHRASE],
      ],
    );
    expect(shown).toMatch(/workspaces +1/);
    expect(shown).not.toContain("horse");
    const { code, stdout } = await runCommand(["import", file, "--dry-run"], {
      DATA_DIR,
      EXPORT_PASSPHRASE: PASSPHRASE,
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^workspaces +0 +1 +0$/m);
  });

  it("has at least 12 characters", async () => {
    const shown = await runInTerminal(["export", `${file}2`], [["Passphrase: ", "short"]]);
    expect(shown).toContain("the passphrase must be at least 12 characters");
  });
});
