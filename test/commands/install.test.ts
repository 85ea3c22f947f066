// What an installation prints.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

describe("npm ci with a Node that is too old", () => {
  const folder = mkdtempSync(join(tmpdir(), "plugboard-install-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("npm ci with an old Node prints no warnings about engines, and succeeds although nothing can be compiled in advance", () => {
    // The project without its dependencies and its sources, and with an engine that no Node satisfies.
    const { name, version, scripts } = manifest;
    const engines = { node: ">=999" };
    const lock = { name, version, lockfileVersion: 3, requires: true, packages: { "": { name, version, engines } } };
    copyFileSync(join(root, ".npmrc"), join(folder, ".npmrc"));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name, version, engines, scripts }));
    writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock));
    const env = { PATH: process.env.PATH, HOME: folder };
    const { status, stdout, stderr } = spawnSync("npm", ["ci", "--offline"], { cwd: folder, env, encoding: "utf8" });
    expect(status).toBe(0);
    expect(stdout + stderr).not.toMatch(/EBADENGINE|npm warn/i);
    expect(stdout).toContain("postinstall");
  });
});

describe("the description of base_url", () => {
  it("the OpenAPI document and the README say what base_url: sandbox does", async () => {
    const { NewIntegration } = await import("../../src/surfaces/platform/integration-inputs.ts");
    expect(JSON.stringify(NewIntegration.properties.base_url)).toContain("`sandbox` for the provider's emulator");
    expect(readFileSync(join(root, "README.md"), "utf8")).toContain('"base_url": "sandbox"');
  });
});
