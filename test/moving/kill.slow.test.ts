// An import that is killed leaves nothing behind, and the next one brings everything, on either store.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandEntry } from "../../src/command-entry.ts";
import { readConfig } from "../../src/config/index.ts";
import type { MovedRow } from "../../src/contracts/moving.ts";
import { openStore } from "../../src/open-store.ts";
import { createLogger } from "../../src/runtime/logger.ts";
import { type AnyDatabase, testDatabases } from "../support/databases.ts";
import { launch, newDataDir, runCommand } from "../support/process.ts";
import { createWorkspace } from "../support/workspace.ts";
import { commandEnv, readAll } from "./support.ts";

/** Enough that an import takes longer than it takes to notice that it has begun. */
const CONNECTIONS = 10_000;
const BATCH = 500;
const EXPORT_PASSPHRASE = "correct horse battery";
const databases = await testDatabases();

/** Whether a transaction that is not committed has written to the store. */
async function isWriting({ name, env, run }: AnyDatabase): Promise<boolean> {
  if (name === "Postgres") {
    const locks = await run(
      `select 1 from pg_locks l join pg_class c on c.oid = l.relation
       where c.relname = 'connections' and c.relnamespace = current_schema()::regnamespace
         and l.mode = 'RowExclusiveLock'`,
    );
    return locks.length > 0;
  }
  const database = new DatabaseSync(join(env.DATA_DIR!, "plugboard.db"), { timeout: 0 });
  try {
    database.exec("begin immediate");
    return false;
  } catch {
    return true;
  } finally {
    database.close();
  }
}

describe("an import that is killed", () => {
  const folder = newDataDir();
  const file = join(folder, "export");
  const source = { env: { DATA_DIR: join(folder, "source") } };
  let workspaceId: string;

  beforeAll(async () => {
    const { store } = await openStore(readConfig(source.env), createLogger("silent"));
    const { workspace } = await createWorkspace(store, "Acme");
    workspaceId = workspace.id;
    const row = (number: number): MovedRow => ({
      id: `conn_${number}`,
      workspace_id: workspaceId,
      integration_id: "int_none",
      integration_identifier: "example",
      external_id: `user-${number}`,
      credentials: JSON.stringify({ token: randomBytes(300).toString("base64") }),
      settings: "{}",
      is_valid: 1,
      created_at: number,
      updated_at: number,
    });
    const batches = Array.from({ length: CONNECTIONS / BATCH }, (_, batch) => ({
      table: "connections",
      rows: Array.from({ length: BATCH }, (_, number) => row(batch * BATCH + number)),
    }));
    const entry = (id: string) => commandEntry("test", id, { action: "workspace.test", id });
    await store.moving.write(batches, { different: "refuse", entry });
    await store.close();
    const { code } = await runCommand(["export", file], { ...source.env, EXPORT_PASSPHRASE });
    expect(code).toBe(0);
  });
  afterAll(async () => {
    await Promise.all(databases.map((database) => database.drop()));
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(databases.map((database) => [database.name, database] as const))(
    "leaves nothing behind on %s, and the next import brings everything under the same ids",
    async (_, target) => {
      const env = commandEnv(target);
      const { store } = await openStore(readConfig(env), createLogger("silent"));
      const connections = async () => (await target.run("select count(*) as count from connections"))[0].count;
      for (let kills = 0; kills < 3; kills += 1) {
        const { child } = launch(["import", file], { ...env, EXPORT_PASSPHRASE });
        const ended = once(child, "close");
        while (!(await isWriting(target)) && child.exitCode === null) await wait(2);
        await wait(100 * kills);
        child.kill("SIGKILL");
        const [code] = await ended;
        expect(code, "it had ended already").toBeNull();
        // The server notices when it writes to the connection that is gone.
        await expect.poll(() => isWriting(target)).toBe(false);
        expect(Number(await connections())).toBe(0);
        expect(await store.workspaces.list()).toEqual([]);
      }
      const { code, stdout } = await runCommand(["import", file], { ...env, EXPORT_PASSPHRASE });
      expect(code).toBe(0);
      expect(stdout).toMatch(new RegExp(`^connections +${CONNECTIONS} +0 +0$`, "m"));
      const again = await runCommand(["import", file], { ...env, EXPORT_PASSPHRASE });
      expect(again.stdout).toMatch(new RegExp(`^connections +0 +${CONNECTIONS} +0$`, "m"));
      const before = await readAll(source, [workspaceId]);
      const after = await readAll(target, [workspaceId]);
      expect(after.rows.length).toBe(before.rows.length);
      expect(after.rows).toEqual(before.rows);
      await store.close();
    },
  );
});
