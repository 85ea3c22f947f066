// Installations that are healthy until a test changes something, and what `plugboard doctor` finds in them.
import { rmSync } from "node:fs";
import { afterAll, expect } from "vitest";
import { type Machine, thisMachine } from "../../src/commands/doctor/context.ts";
import { catalogue, type Finding, type FindingId } from "../../src/commands/doctor/findings.ts";
import { describe as describeReport, examine } from "../../src/commands/doctor/index.ts";
import { readConfig } from "../../src/config/index.ts";
import type { Store } from "../../src/contracts/store.ts";
import { openStore } from "../../src/open-store.ts";
import { createLogger } from "../../src/runtime/logger.ts";
import { newDataDir } from "./process.ts";

export type Settings = Record<string, string>;

/** Part of every password in these tests. */
export const SECRET = "hunter2-never-shown";

const GB = 1024 ** 3;

/** A machine on which nothing is wrong. Every name has the address of this one. */
export const healthyMachine: Machine = {
  ...thisMachine,
  resolve: async () => [{ address: "127.0.0.1", family: 4 }],
  fileSystem: () => ({ type: 0xef53, freeBytes: 100 * GB }),
  isContainer: false,
  maxOpenFiles: () => 65_536,
};

/** Runs the checks, and makes sure that nothing shows a secret. */
export async function findings(env: Settings, machine: Partial<Machine> = {}): Promise<Finding[]> {
  const report = await examine(env, { machine: { ...healthyMachine, ...machine } });
  const shown = JSON.stringify(report) + describeReport(report);
  expect(shown).not.toContain(SECRET);
  if (env.ENCRYPTION_KEY) expect(shown).not.toContain(env.ENCRYPTION_KEY.slice(0, 12));
  for (const { id, severity } of report.findings) expect(severity).toBe(catalogue[id][0]);
  expect(report.healthy).toBe(report.findings.every(({ severity }) => severity === "warning"));
  return report.findings;
}

/** Expects that exactly this is found. */
export async function expectFinding(
  env: Settings,
  id: FindingId,
  problem: RegExp,
  machine: Partial<Machine> = {},
): Promise<void> {
  const found = await findings(env, machine);
  expect(found).toEqual([
    { id, severity: catalogue[id][0], problem: expect.stringMatching(problem), fix: found[0]?.fix },
  ]);
  // A sentence that says what to do.
  expect(found[0]!.fix).toMatch(/^[A-Z][a-z]+ .{10,}/);
}

export interface Installation {
  env: Settings;
  store: Store;
}

/** An installation with one workspace. Its store is open until the end of the file, as that of a running service. */
export async function newInstallation(settings: Settings = {}): Promise<Installation> {
  const folder = newDataDir();
  const env = { DATA_DIR: folder, SANDBOX: "off", PORT: "0", ...settings };
  const { store } = await openStore(readConfig(env), createLogger("silent"));
  await store.workspaces.create({ id: "ws_1", name: "Acme", client_id: "client_1", redirect_uris: [] });
  afterAll(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { env, store };
}
