#!/usr/bin/env node
// The launcher. It is plain JavaScript that any Node version can run: if the shell's Node is too old, it starts the one
// that is pinned in the dependencies.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import module, { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { findBundle, makeBundle } from "./bundle.js";

const MIN_NODE_VERSION = 24;
// A small young heap halves the memory under load at nearly the same speed: Node would size it by the machine's memory.
const YOUNG_HEAP = "--max-semi-space-size";
const FLAGS = [`${YOUNG_HEAP}=16`];
// One arena of the C library's allocator for all threads takes another 20 MB off.
const environment = { MALLOC_ARENA_MAX: "1", ...process.env };
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

/**
 * Both only work from the beginning of a process, so this one starts again, with the same id. Not if the young heap was
 * chosen already, and not as a worker, which has both of the process that started it.
 */
function startAgain() {
  const isChosen = [...process.execArgv, process.env.NODE_OPTIONS].some((flags) => flags?.includes(YOUNG_HEAP));
  // Windows cannot replace a process.
  if (process.argv[2] !== "start" || isChosen || process.channel || process.platform === "win32") return;
  const node = process.execPath;
  process.execve(node, [node, ...FLAGS, ...process.execArgv, ...process.argv.slice(1)], environment);
}

if (Number(process.versions.node.split(".")[0]) >= MIN_NODE_VERSION) {
  startAgain();
  module.enableCompileCache?.(join(root, "node_modules", ".cache", "plugboard"));
  // V8 allocates objects that it expects to live long directly in the old heap. The first seconds mislead it: it did so
  // with every header of every response, which then stayed until the next full collection.
  setFlagsFromString("--no-allocation-site-pretenuring");
  // V8 also drops the bytecode of functions of which only the optimized code ran during a few collections. Every call
  // needs these functions, so they would be compiled again.
  setFlagsFromString("--no-flush-bytecode");
  // After some seconds without calls V8 collects what is garbage. By default, it then also drops what its optimized code
  // relies on, and with it the code: the next calls took up to twice as long.
  setFlagsFromString("--no-memory-reducer-favors-memory");
  // Bodies in transit count towards the old heap, which is small: with V8's default growth, forwarding them would cause
  // one full collection after another.
  setFlagsFromString("--heap-growing-percent=100");
  // While it marks the old heap, V8 would not collect young objects: under load, the heap grew by 50 MB each time.
  setFlagsFromString("--no-separate-gc-phases");
  // V8 frees the working memory of its first optimizing compiler later, in another thread. So much of it was waiting that
  // the process kept 20 MB more ever after, with little in them.
  setFlagsFromString("--no-maglev-destroy-on-background");
  // Collecting young objects with several threads at once takes more CPU time than it saves: there are few to keep.
  setFlagsFromString("--no-parallel-scavenge");
  if (process.argv[2] === "warm") await makeBundle();
  const bundle = findBundle();
  if (bundle) await import(bundle);
  else await import("../src/main.ts");
} else {
  const node = pinnedNode();
  if (!node) {
    console.error(
      `Plugboard needs Node ${MIN_NODE_VERSION} or newer; this is Node ${process.versions.node}. Install Node ${MIN_NODE_VERSION}, then try again.`,
    );
    process.exit(1);
  }
  const child = spawn(node, [...FLAGS, fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: "inherit",
    env: environment,
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => {
    if (signal) process.kill(process.pid, signal);
    else process.exit(code ?? 1);
  });
}
