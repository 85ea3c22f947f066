import { join } from "node:path";
import { defineConfig } from "vitest/config";

// For `plugboard test-provider`: the conformance suite over providers that are not part of the repository.
export default defineConfig({
  root: join(import.meta.dirname, "../.."),
  test: {
    include: ["test/conformance/folders.ts"],
    setupFiles: "test/support/setup.ts",
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
    isolate: false,
    // The providers' files are loaded by Node, as the service loads them.
    experimental: { viteModuleRunner: false },
  },
});
