// With a full disk, what can be read is still served, and health checks and metrics show that nothing can be written.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createPlatform } from "../support/platform.ts";
import { newDataDir, type PlugboardProcess, startPlugboard } from "../support/process.ts";
import { createWorkspaces } from "../support/workspace.ts";

const patience = { timeout: 60_000, interval: 100 };

/** No file can grow beyond this size, as if the disk were full. https://man7.org/linux/man-pages/man1/prlimit.1.html */
function limitFileSize(pid: number, size: string): void {
  const { status, stderr } = spawnSync("prlimit", ["--pid", String(pid), `--fsize=${size}:unlimited`]);
  if (status !== 0) throw new Error(`prlimit failed: ${stderr}`);
}

describe.skipIf(process.platform !== "linux")("a full disk", () => {
  const dataDir = newDataDir();
  const env = { DATA_DIR: dataDir, SANDBOX: "off" };
  let service: PlugboardProcess;
  let key: string;

  beforeAll(async () => {
    [key = ""] = await createWorkspaces(env, "a");
    service = await startPlugboard(env);
  });
  afterAll(async () => {
    service?.child.kill("SIGKILL");
    await service?.ended;
    rmSync(dataDir, { recursive: true, force: true });
  });

  const ready = async () => {
    const response = await fetch(`${service.url}/readyz`);
    return [response.status, ((await response.json()) as { store: string }).store];
  };
  const storeUp = async () =>
    /^plugboard_store_up (\d)$/m.exec(await (await fetch(`${service.url}/metrics`)).text())?.[1];

  it("a full disk makes /readyz 503 and plugboard_store_up 0 until there is room again, while reads are served", async () => {
    const platform = createPlatform(service, key);
    expect([await ready(), await storeUp()]).toEqual([[200, "ok"], "1"]);

    limitFileSize(service.child.pid!, "0");
    await vi.waitFor(async () => expect(await ready()).toEqual([503, "unavailable"]), patience);
    expect(await storeUp()).toBe("0");
    expect((await platform("GET", "/v1/workspace")).status).toBe(200);
    expect((await platform("POST", "/v1/api-keys", {})).status).toBe(503);
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    expect(service.output.stdout).toContain("the database can be read but not written to: is its disk full?");

    limitFileSize(service.child.pid!, "unlimited");
    await vi.waitFor(async () => expect(await ready()).toEqual([200, "ok"]), patience);
    expect(await storeUp()).toBe("1");
    expect((await platform("POST", "/v1/api-keys", {})).status).toBe(201);
    expect(service.output.stdout).toContain("the database can be written to again");
  });
});
