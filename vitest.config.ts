import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Tests without processes, files or changed globals. They share workers: loading the modules takes longer than they do. */
const PURE = ["src/providers/**/*.test.ts", "src/provider-kit/**/*.test.ts"];

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is written once a second can take longer than the second that is waited by default.
    expect: { poll: { timeout: 10_000 } },
    // Most tests wait for processes and sockets more than they compute.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    reporters: ["default"],
    projects: [
      { extends: true, test: { name: "providers", include: PURE, isolate: false } },
      { extends: true, test: { name: "others", include: ["src/**/*.test.ts", "test/**/*.test.ts"], exclude: PURE } },
    ],
  },
});
