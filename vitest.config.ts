import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Tests without processes, files or changed globals. They share workers: loading the modules takes longer than they do. */
const PURE = ["src/providers/**/*.test.ts", "src/provider-kit/**/*.test.ts"];

/** Files that take longer than their size suggests, the longest first. */
const LONG = [
  "chaos/changes",
  "chaos/chaos",
  "new-provider",
  "conformance/conformance-",
  "hostile-text",
  "fuzz",
  "accessibility",
  "command-line",
  "dashboard/browser",
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

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is written once a second can take longer than the second that is waited by default.
    expect: { poll: { timeout: 10_000 } },
    // Most tests wait for processes and sockets more than they compute.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: LongFilesFirst },
    reporters: ["default"],
    projects: [
      { extends: true, test: { name: "providers", include: PURE, isolate: false } },
      { extends: true, test: { name: "others", include: ["src/**/*.test.ts", "test/**/*.test.ts"], exclude: PURE } },
    ],
  },
});
