import { statfsSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Chaos, storms, crashes, rolling restarts and memory. */
const SLOW = ["**/*.slow.test.ts"];

/** Files that take longer than their size suggests, the longest first. Those that mostly wait run beside the others. */
const LONG = [
  "chaos/changes",
  "upgrade/upgrade",
  "release/package",
  "degrade/postgres-unavailable",
  "chaos/chaos",
  "degrade/full-disk",
  "conformance/conformance-",
  "hooks/providers",
  "new-provider",
  "accessibility",
  "python-sdk",
  "growth",
  "auth/races",
  "redis-outage",
  "hostile-text",
  "fuzz",
  "command-line",
  "dashboard/browser",
  "mcp/conformance",
  "conformance/changes-",
];

/** Starts with the long files: one that starts last would keep one processor busy and leave the others idle. */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const found = LONG.findIndex((name) => moduleId.includes(`/${name}`));
      return found < 0 ? LONG.length : found;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

/**
 * A folder in memory with room for the databases of the tests. SQLite waits for the disk after each write, and right
 * after an installation that takes six times as long.
 */
function memoryFolder(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    return bavail * bsize > 4e9 ? "/dev/shm" : undefined;
  } catch {
    return undefined;
  }
}

const temporary = memoryFolder();

/** Optimizing costs more than it brings where little runs often. */
const LATE_OPTIMIZATION = "--invocation-count-for-turbofan=20000";
/** With room to grow, a worker seldom searches its whole heap, which is large with all modules loaded. */
const LARGE_HEAP = totalmem() > 12e9 ? ["--initial-old-space-size=1536", "--max-semi-space-size=128"] : [];

export default defineConfig({
  test: {
    env: temporary ? { TMPDIR: temporary } : {},
    // A busy machine needs long for what takes a second. These limits only end what hangs.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // Most tests wait for processes and sockets more than they compute: with fewer workers, processors would be idle.
    maxWorkers: availableParallelism() * 2,
    // There are more workers than processors, so that none of them has to collect its garbage with several threads.
    execArgv: ["--single-threaded-gc", "--max-semi-space-size=64"],
    // Loading all modules again for each file would take longer than many tests. So each test puts back what it changes.
    isolate: false,
    setupFiles: "test/support/setup.ts",
    sequence: { sequencer: LongFilesFirst },
    reporters: ["default"],
    projects: [
      {
        extends: true,
        test: {
          name: "tests",
          include: ["{src,test}/**/*.test.ts"],
          exclude: SLOW,
          execArgv: [LATE_OPTIMIZATION, ...LARGE_HEAP],
        },
      },
      // Each in a process of its own, whose memory can be measured.
      { extends: true, test: { name: "slow", include: SLOW, exclude: ["**/node_modules/**"], isolate: true } },
    ],
  },
});
