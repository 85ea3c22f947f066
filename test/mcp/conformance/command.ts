import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const COMMAND = fileURLToPath(
  new URL("../../../node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url),
);

/** Starts the protocol's own conformance suite. */
export function startConformance(...args: string[]) {
  const child = spawn(process.execPath, [COMMAND, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill());
  return child;
}
