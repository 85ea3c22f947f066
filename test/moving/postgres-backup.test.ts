import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config/index.ts";
import { openStore } from "../../src/open-store.ts";
import { createLogger } from "../../src/runtime/logger.ts";
import { newConnection } from "../support/entities.ts";
import { query, testDatabase } from "../support/postgres.ts";
import { newDataDir } from "../support/process.ts";
import { createWorkspace } from "../support/workspace.ts";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/backup.md"), "utf8");
const commands = [...page.split("## Postgres")[1]!.matchAll(/```sh\n(.+)\n```/g)].map(([, command]) => command!);
const ENCRYPTION_KEY = randomBytes(32).toString("base64");
const schema = await testDatabase();

/** An empty database of its own, because a dump has all schemas. */
async function newDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const server = new URL(schema!.url);
  server.search = "";
  const name = `plugboard_${randomBytes(6).toString("hex")}`;
  await query(server.href, `create database ${name}`);
  const url = new URL(server);
  url.pathname = name;
  const drop = async () => void (await query(server.href, `drop database ${name} with (force)`));
  return { url: url.href, drop };
}

describe.skipIf(!schema)("the commands of docs/backup.md for Postgres", () => {
  const folder = newDataDir();
  const databases: Awaited<ReturnType<typeof newDatabase>>[] = [];
  beforeAll(async () => {
    databases.push(await newDatabase(), await newDatabase());
  });
  afterAll(async () => {
    await Promise.all([...databases, schema!].map((database) => database.drop()));
    rmSync(folder, { recursive: true, force: true });
  });

  const open = (DATABASE_URL: string) =>
    openStore(readConfig({ DATABASE_URL, ENCRYPTION_KEY }), createLogger("silent"));
  const run = (command: string, DATABASE_URL: string, key = ENCRYPTION_KEY) =>
    spawnSync("sh", ["-c", command.replace("npx plugboard", `'${process.execPath}' '${root}/bin/plugboard.js'`)], {
      cwd: folder,
      env: { PATH: process.env.PATH, DATABASE_URL, ENCRYPTION_KEY: key },
      encoding: "utf8",
    });

  it("dump, restore and check a database as they are on the page", async () => {
    expect(commands.map((command) => command.split(" ").slice(0, 2).join(" "))).toEqual([
      "pg_dump --format=custom",
      "pg_restore --exit-on-error",
      "npx plugboard",
    ]);
    const [dump, restore, check] = commands as [string, string, string];
    const [from, to] = databases.map(({ url }) => url) as [string, string];
    const { store } = await open(from);
    const { workspace } = await createWorkspace(store, "Acme");
    const { id } = await store.connections.create(
      newConnection({ workspace_id: workspace.id, credentials: { token: "of acme" } }),
    );
    expect(run(dump, from)).toMatchObject({ status: 0, stderr: "" });
    await store.close();
    expect(run(restore, to)).toMatchObject({ status: 0, stderr: "" });
    expect(run(check, to, randomBytes(32).toString("base64")).stderr).toContain("secrets are encrypted with key");
    expect(run(check, to)).toMatchObject({ status: 0, stdout: expect.stringContaining("Acme: ") });
    const { store: restored } = await open(to);
    expect((await restored.connections.get(workspace.id, id))?.credentials).toEqual({ token: "of acme" });
    await restored.close();
  });
});
