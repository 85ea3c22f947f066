// From the previous release to this version, with processes of both: what one writes, the other one reads.
import { hash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { VERSION } from "../../src/runtime/version.ts";
import { createStrictPlatform } from "../support/platform.ts";
import { testDatabase } from "../support/postgres.ts";
import { newDataDir, type PlugboardProcess, runCommand, startPlugboard } from "../support/process.ts";
import { answerJson, startUpstream, type Upstream } from "../support/upstream.ts";
import { previousRelease } from "./previous-release.ts";

const previous = previousRelease();
const database = previous && (await testDatabase());
let upstream: Upstream;
beforeAll(async () => {
  upstream = await startUpstream(answerJson("[]"));
});
afterAll(async () => {
  await upstream.close();
  await database?.drop();
  previous?.remove();
});

const versionOf = async ({ url }: PlugboardProcess): Promise<string> =>
  ((await (await fetch(`${url}/healthz`)).json()) as { version: string }).version;

async function callOver(service: PlugboardProcess, key: string, connection: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, "svc-connection-id": connection };
  const [unified, proxy] = await Promise.all(
    ["/unified/v1/git/repos?limit=1", "/proxy/user"].map((path) => fetch(service.url + path, { headers })),
  );
  return `${unified!.status} ${proxy!.status}`;
}

describe.skipIf(!previous).each([
  ["a data folder", false],
  ["a Postgres database", true],
])("the upgrade of %s", (_, usesPostgres) => {
  const folder = newDataDir();
  const limit = "1000000/60";
  const limits = { RATE_LIMIT: limit, UNIFIED_RATE_LIMIT: limit };
  const env: Record<string, string> = { DATA_DIR: folder, SANDBOX: "off", ALLOW_PRIVATE_UPSTREAMS: "true", ...limits };
  const started: PlugboardProcess[] = [];
  const start = async (isOld: boolean) => {
    const service = await startPlugboard(env, isOld ? { launcher: previous!.launcher } : {});
    started.push(service);
    return service;
  };
  beforeAll(() => {
    if (!usesPostgres) return;
    Object.assign(env, { DATABASE_URL: database!.url, ENCRYPTION_KEY: hash("sha256", database!.url, "base64") });
  });
  afterAll(async () => {
    for (const service of started) await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("processes of the previous release keep working after the migration, and both versions read what the other writes", async () => {
    const old = { launcher: previous!.launcher };
    const { stdout, stderr } = await runCommand(["keys", "create", "--workspace", "upgraded", "--json"], env, old);
    expect(stderr).toBe("");
    const { api_key: key } = JSON.parse(stdout);
    const before = await start(true);
    const oldPlatform = createStrictPlatform(before, key);
    const integration = { identifier: "github", type: "api_key", base_url: upstream.url };
    const { id: first } = await oldPlatform("POST", "/integrations", integration);
    const connect = (platform: typeof oldPlatform, token: string): Promise<{ id: string }> =>
      platform("POST", "/connections", { integration_id: first, auth_token: token, metadata: { token } });
    const connections = [await connect(oldPlatform, "before")];
    expect(await callOver(before, key, connections[0]!.id)).toBe("200 200");

    // Calls to the old process all through the start of the new one, which migrates.
    let isMigrated = false;
    const during = new Map<string, number>();
    const calls = (async () => {
      while (!isMigrated) {
        const result = await callOver(before, key, connections[0]!.id);
        during.set(result, (during.get(result) ?? 0) + 1);
      }
    })();
    const after = await start(false).finally(() => {
      isMigrated = true;
    });
    await calls;
    expect([...during.keys()]).toEqual(["200 200"]);
    expect(await versionOf(after)).toBe(VERSION);

    const newPlatform = createStrictPlatform(after, key);
    connections.push(
      await connect(oldPlatform, "written by the old one"),
      await connect(newPlatform, "by the new one"),
    );
    for (const service of [before, after])
      for (const { id } of connections) expect(await callOver(service, key, id)).toBe("200 200");
    for (const platform of [oldPlatform, newPlatform]) {
      const listed = await platform("GET", "/connections?limit=10");
      expect(listed.map(({ id }: { id: string }) => id).sort()).toEqual(connections.map(({ id }) => id).sort());
      expect(await platform("GET", "/integrations")).toMatchObject([{ id: first, identifier: "github" }]);
    }

    // Changes and deletions of one are those of the other.
    const [, second, third] = connections;
    await oldPlatform("DELETE", `/connections/${third!.id}`);
    const { updated_at } = await newPlatform("PATCH", `/connections/${second!.id}`, { metadata: { changed: true } });
    await expect.poll(() => callOver(after, key, third!.id)).toMatch(/^4\d\d 4\d\d$/);
    expect(await oldPlatform("GET", `/connections/${second!.id}`)).toMatchObject({ updated_at });

    expect(await before.stop("SIGTERM")).toBe(0);
    expect(await callOver(after, key, second!.id)).toBe("200 200");
    const refused = await runCommand(["start"], { ...env, PORT: "0" }, old);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("newer version of Plugboard");
    expect(await after.stop("SIGTERM")).toBe(0);
  });
});

it.skipIf(!previous)("the sandbox of the previous release keeps its key and its connections", async () => {
  const folder = newDataDir();
  const env = { DATA_DIR: folder };
  const readSandbox = () => JSON.parse(readFileSync(join(folder, "sandbox.json"), "utf8"));
  const before = await startPlugboard(env, { launcher: previous!.launcher });
  const old = readSandbox();
  await before.stop("SIGTERM");
  const after = await startPlugboard(env);
  try {
    expect(readSandbox().api_key).toBe(old.api_key);
    expect(readSandbox().connections).toMatchObject(old.connections);
    const headers = { authorization: `Bearer ${old.api_key}`, "svc-connection-id": old.connections.github };
    const response = await fetch(`${after.url}/unified/v1/git/repos?limit=3`, { headers });
    expect(((await response.json()) as any).response.data).toHaveLength(3);
  } finally {
    await after.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
