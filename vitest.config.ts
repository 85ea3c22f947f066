import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is written once a second can take longer than the second that is waited by default.
    expect: { poll: { timeout: 10_000 } },
    // Most tests wait for processes and sockets more than they compute: a worker for each core, and none kept free.
    maxWorkers: "100%",
    reporters: ["default"],
  },
});
