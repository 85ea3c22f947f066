#!/usr/bin/env node
// The launcher. Plain JavaScript that any Node can read: where the shell's own Node is too old, it goes on with the
// one that is pinned among the dependencies.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import module, { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";

const WANTED = 24;
const root = dirname(dirname(fileURLToPath(import.meta.url)));

function pinnedNode() {
  try {
    const require = createRequire(import.meta.url);
    const manifest = require.resolve(`node-${process.platform}-${process.arch}/package.json`);
    const binary = join(dirname(manifest), "bin", "node");
    return existsSync(binary) ? binary : undefined;
  } catch {
    return undefined;
  }
}

if (Number(process.versions.node.split(".")[0]) >= WANTED) {
  module.enableCompileCache?.(join(root, "node_modules", ".cache", "plugboard"));
  // V8 puts objects that it saw live long into the old heap at once. What it sees in the first seconds misleads it:
  // it did so with every header of every answer, and each then waited for a full collection.
  setFlagsFromString("--no-allocation-site-pretenuring");
  // It also drops the bytecode of functions whose compiled form alone was run for a few collections, which are the ones
  // that every call needs, and then compiles them anew.
  setFlagsFromString("--no-flush-bytecode");
  // Bodies on their way count as part of the old heap, which is small: without more room than usual, passing them on
  // is one full collection after the other.
  setFlagsFromString("--heap-growing-percent=150");
  await import("../src/main.ts");
} else {
  const node = pinnedNode();
  if (!node) {
    console.error(
      `Plugboard needs Node ${WANTED} or newer; this is Node ${process.versions.node}. Install Node ${WANTED}, then try again.`,
    );
    process.exit(1);
  }
  // A young heap that stays small: half the memory under load, at nearly the same speed. The npm script sets the same.
  const child = spawn(node, ["--max-semi-space-size=16", fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: "inherit",
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => {
    if (signal) process.kill(process.pid, signal);
    else process.exit(code ?? 1);
  });
}
