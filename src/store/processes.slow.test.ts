import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { type AnyDatabase, describeDatabases } from "../../test/support/databases.ts";
import { createStore } from "./index.ts";
import { keysFromFile } from "./secrets/key-source.ts";
import { createKeyring } from "./secrets/vault.ts";

const writer = fileURLToPath(new URL("../../test/support/store-writer.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "plugboard-keys-"));

afterAll(() => rmSync(folder, { recursive: true }));

function startWriter(database: AnyDatabase, count?: number) {
  const child = spawn(process.execPath, [writer, database.url, keyFile(database), ...(count ? [String(count)] : [])]);
  let output = "";
  let errors = "";
  child.stdout.on("data", (data) => (output += data));
  child.stderr.on("data", (data) => (errors += data));
  const ended = once(child, "close");
  return { child, ended, ids: () => output.split("\n").slice(0, -1), errors: () => errors };
}

const keyFile = (database: AnyDatabase) => join(folder, `${database.name}.key`);
const open = (database: AnyDatabase) =>
  createStore({ url: database.url, keyring: createKeyring(keysFromFile(keyFile(database))) });

await describeDatabases("processes", (database) => {
  it("several processes that start at the same time on an empty database agree on its tables and one encryption key", async () => {
    const writers = Array.from({ length: 4 }, () => startWriter(database, 5));
    await Promise.all(writers.map((each) => each.ended));
    expect(writers.map((each) => each.errors())).toEqual(writers.map(() => ""));

    const store = await open(database);
    for (const id of writers.flatMap((each) => each.ids())) {
      expect((await store.connections.load(id))?.connection.credentials).toEqual({ token: "made up" });
    }
    await store.close();
    expect(statSync(keyFile(database)).mode & 0o777).toBe(0o600);
    expect(writers.flatMap((each) => each.ids())).toHaveLength(20);
  });

  it("no completed write is lost when the process is killed with SIGKILL", async () => {
    const completed: string[] = [];
    let kills = 0;
    while (completed.length < 1000 || kills < 4) {
      const { child, ended, ids, errors } = startWriter(database);
      // At a random moment: after some completed writes, and in the middle of the next one.
      const enough = Math.random() * 500;
      while (ids().length < enough) await once(child.stdout, "data");
      setTimeout(() => child.kill("SIGKILL"), Math.random() * 10);
      await ended;
      expect(errors()).toBe("");
      completed.push(...ids());
      kills += 1;
    }

    const stored = await database.run("select id from connections");
    const found = new Set(stored.map((row) => row.id));
    expect(completed.filter((id) => !found.has(id))).toEqual([]);

    const store = await open(database);
    // No change without its audit entry, and no entry without its change.
    const audited = await database.run("select target_id from audit_log");
    expect(audited.map((row) => row.target_id).sort()).toEqual([...found].sort());
    for (const { id } of await store.workspaces.list()) expect((await store.audit.verify(id)).problems).toEqual([]);
    const last = await store.connections.load(completed.at(-1)!);
    expect(last?.connection.credentials).toEqual({ token: "made up" });
    await store.close();
  });

  it("a database created by a newer version is refused with a clear message and left unchanged", async () => {
    await database.run("update schema_version set version = 999");
    await expect(open(database)).rejects.toThrow(/created by a newer version of Plugboard: it has schema version 999/);
    expect(await database.run("select version from schema_version")).toEqual([{ version: 999 }]);
  });
});
