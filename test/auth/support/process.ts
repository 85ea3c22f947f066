import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The service as a process of its own. */
export async function startProcess(env: Record<string, string>): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "plugboard-"));
  const main = join(import.meta.dirname, "../../../src/main.ts");
  const child = spawn(process.execPath, [main, "start"], {
    env: { PATH: process.env.PATH, PORT: "0", DATA_DIR: folder, LOG_LEVEL: "error", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  let printed = "";
  for await (const chunk of child.stdout) {
    printed += chunk;
    if (printed.includes("is ready at")) break;
  }
  const url = /is ready at (\S+)/.exec(printed)?.[1];
  if (!url) throw new Error(`the service ended: ${printed}`);
  return {
    url,
    async stop() {
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
