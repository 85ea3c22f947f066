// What a benchmark has started and written does not outlive it, also if a signal ends it: servers that go on would take
// CPU time from the next run, and a store of a million connections takes more than a gigabyte.
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const children: ChildProcess[] = [];
const folders: string[] = [];

/** Ends a process when the benchmark ends. */
export function endWithBenchmark<Child extends ChildProcess>(child: Child): Child {
  children.push(child);
  return child;
}

/** A folder that is removed when the benchmark ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "plugboard-bench-"));
  folders.push(folder);
  return folder;
}

process.once("exit", () => {
  for (const child of children) child.kill("SIGKILL");
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
