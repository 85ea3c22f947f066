import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findRunner } from "./test-provider.ts";

it("test-provider says what it needs if the conformance suite or vitest is not installed", () => {
  const folder = mkdtempSync(join(tmpdir(), "plugboard-"));
  expect(() => findRunner(folder)).toThrow("run it from a checkout of Plugboard's repository");
  mkdirSync(join(folder, "test/conformance"), { recursive: true });
  writeFileSync(join(folder, "test/conformance/folders.config.ts"), "");
  expect(() => findRunner(folder)).toThrow("npm install --save-dev vitest");
  expect(findRunner()).toMatch(/vitest\.mjs$/);
  rmSync(folder, { recursive: true });
});
