import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { callCommand } from "../support/command.ts";
import { newConnection } from "../support/entities.ts";
import { newDataDir, runCommand } from "../support/process.ts";
import { startService, type TestService } from "../support/service.ts";

const count = (file: string) => {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return (database.prepare("select count(*) as count from connections").get() as { count: number }).count;
  } finally {
    database.close();
  }
};

describe("backup and restore of the embedded store", () => {
  const folder = newDataDir();
  const DATA_DIR = join(folder, "data");
  const file = join(folder, "backup.db");
  const database = join(DATA_DIR, "plugboard.db");
  let service: TestService;
  const run = (...args: string[]) => callCommand(args, { DATA_DIR });

  beforeAll(async () => {
    mkdirSync(DATA_DIR);
    service = await startService({ env: { DATA_DIR } });
  });
  afterAll(async () => {
    await service?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const call = () =>
    fetch(`${service.url}/unified/v1/git/repos?limit=1`, {
      headers: { authorization: `Bearer ${service.apiKey}`, "SVC-Connection-ID": service.connections.github! },
    });

  it("a backup is made while the service writes, is one file for its owner, and says where the key is", async () => {
    const [workspace] = await service.store.workspaces.list();
    let isRunning = true;
    let written = 0;
    const before = count(database);
    const writing = (async () => {
      for (; isRunning; written += 1) {
        await service.store.connections.create(newConnection({ workspace_id: workspace!.id }));
        await wait(20);
      }
    })();
    const { code, stdout, stderr } = await runCommand(["backup", file], { DATA_DIR });
    isRunning = false;
    await writing;
    expect([code, stderr]).toEqual([0, ""]);
    expect(written).toBeGreaterThan(0);
    const saved = count(file);
    expect(saved).toBeGreaterThanOrEqual(before);
    expect(saved).toBeLessThanOrEqual(before + written);
    expect(stdout).toContain(`with 1 workspaces and ${saved} connections; checked`);
    expect(stdout).toContain(`keep ${join(DATA_DIR, "encryption.key")}, elsewhere`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["backup.db", "data"]);
    expect(readFileSync(file, "latin1")).not.toContain(readFileSync(join(DATA_DIR, "encryption.key"), "utf8").trim());
    const [newest] = await service.store.audit.list(null, { limit: 1 }, {});
    expect(newest).toMatchObject({ action: "store.backup", actor: { kind: "command" } });
  });

  it("a backup overwrites no file, and is not for Postgres", async () => {
    expect(await run("backup", file)).toMatchObject({ code: 1, stderr: expect.stringContaining("exists already") });
    expect((await run("backup")).code).toBe(2);
    const env = { DATABASE_URL: "postgres://127.0.0.1:1/none", ENCRYPTION_KEY: Buffer.alloc(32).toString("base64") };
    expect((await callCommand(["restore", file], env)).stderr).toContain("this command is for the embedded store");
  });

  it("nothing is restored while the service runs", async () => {
    const { code, stderr } = await runCommand(["restore", file], { DATA_DIR });
    expect(code).toBe(1);
    expect(stderr).toContain("stop the service, then try again");
    expect((await call()).status).toBe(200);
  });

  it("what is damaged, no database, or of another key, is not restored, and the store stays as it is", async () => {
    await service.parts.stop();
    const before = count(database);
    const damaged = join(folder, "damaged.db");
    writeFileSync(damaged, readFileSync(file).fill(7, 20_000, 60_000));
    const noDatabase = join(folder, "text.db");
    writeFileSync(noDatabase, "not a database, and longer than a header of SQLite would be ".repeat(10));
    const empty = join(folder, "empty.db");
    new DatabaseSync(empty).exec("create table other (id integer)");
    for (const wrong of [damaged, noDatabase, empty, join(folder, "missing.db")]) {
      const { code, stderr } = await run("restore", wrong);
      expect([wrong, code]).toEqual([wrong, 1]);
      expect(stderr).toMatch(/^plugboard: .+\n$/);
    }
    expect((await run("restore", folder)).stderr).toBe(`plugboard: ${folder} cannot be read: EISDIR\n`);
    const ENCRYPTION_KEY = Buffer.alloc(32, 1).toString("base64");
    const otherKey = await callCommand(["restore", file], { DATA_DIR, ENCRYPTION_KEY });
    expect(otherKey.stderr).toContain("secrets are encrypted with key");
    expect(count(database)).toBe(before);
    expect(readdirSync(DATA_DIR).toSorted()).toEqual(["encryption.key", "plugboard.db", "sandbox.json"]);
  });

  it("a restored store works, and what was there before is kept beside it", async () => {
    const last = count(database);
    const { code, stdout, stderr } = await run("restore", file);
    expect([code, stderr]).toEqual([0, ""]);
    const kept = /What was there before is in (.+)/.exec(stdout)![1]!;
    expect(count(kept)).toBe(last);
    expect(count(database)).toBe(count(file));
    expect(statSync(database).mode & 0o777).toBe(0o600);
    service = await startService({ env: { DATA_DIR } });
    expect((await call()).status).toBe(200);
    const [newest] = await service.store.audit.list(null, { limit: 1 }, {});
    expect(newest).toMatchObject({ action: "store.restore" });
    expect((await service.store.audit.verify(null)).problems).toEqual([]);
  });

  it("restores that follow one another within a second keep each store that was there", async () => {
    const often = join(folder, "often");
    mkdirSync(often);
    copyFileSync(join(DATA_DIR, "encryption.key"), join(often, "encryption.key"));
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      for (let restores = 0; restores < 4; restores += 1)
        expect(await callCommand(["restore", file], { DATA_DIR: often })).toMatchObject({ code: 0 });
    } finally {
      vi.useRealTimers();
    }
    const kept = readdirSync(often).filter((name) => name.includes("before"));
    expect(kept.map((name) => name.replace(/before-.{19}/, "before")).toSorted()).toEqual([
      "plugboard.db.before",
      "plugboard.db.before-2",
      "plugboard.db.before-3",
    ]);
  });

  it("a restore into an empty folder needs the key first, and makes none", async () => {
    const empty = join(folder, "elsewhere");
    const refused = await callCommand(["restore", file], { DATA_DIR: empty });
    expect(refused.stderr).toContain(`the key file ${join(empty, "encryption.key")} does not exist`);
    mkdirSync(empty, { recursive: true });
    copyFileSync(join(DATA_DIR, "encryption.key"), join(empty, "encryption.key"));
    expect((await callCommand(["restore", file], { DATA_DIR: empty })).code).toBe(0);
    expect((await callCommand(["audit", "verify"], { DATA_DIR: empty })).code).toBe(0);
  });

  it("a damaged store is replaced too, and no write-ahead log of it is left for the new one", async () => {
    const broken = join(folder, "broken");
    mkdirSync(broken);
    copyFileSync(join(DATA_DIR, "encryption.key"), join(broken, "encryption.key"));
    writeFileSync(join(broken, "plugboard.db"), "not a database any more ".repeat(100));
    writeFileSync(join(broken, "plugboard.db-wal"), "nor is this a log");
    expect((await callCommand(["restore", file], { DATA_DIR: broken })).stderr).toBe("");
    expect(count(join(broken, "plugboard.db"))).toBe(count(file));
    const names = readdirSync(broken).map((name) => name.replace(/before-.{19}/, "before"));
    expect(names).toContain("plugboard.db.before");
    expect(names).not.toContain("plugboard.db-wal");
  });
});
