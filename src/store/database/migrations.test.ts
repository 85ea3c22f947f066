import { expect, it } from "vitest";
import { describeDatabases, type OpenDatabase } from "../../../test/support/databases.ts";
import { migrations } from "./migrations.ts";

/** The last version of the tables without a certain column or table. */
const versionBefore = (text: string) =>
  migrations.findIndex((statements) => statements.some((statement) => statement.includes(text)));

/** Makes the database one of an earlier version, with a workspace. */
async function createVersion({ run }: OpenDatabase, version: number): Promise<void> {
  for (const statement of migrations.slice(0, version).flat()) await run(statement);
  await run("create table schema_version (version integer not null)");
  await run(`insert into schema_version values (${version})`);
  await run(
    "insert into workspaces (id, name, client_id, redirect_uris, created_at, updated_at) values ('ws_1', 'old', 'client_1', '[]', 1, 1)",
  );
}

await describeDatabases("migrations of keys", (database) => {
  it("a key of a version without scopes may do everything, as before", async () => {
    await createVersion(database, versionBefore("alter table api_keys add column scopes"));
    await database.run("insert into api_keys values ('key_1', 'ws_1', 'old key', 'sk_12345', 'hash of the key', 1)");

    const store = await database.open();
    const found = await store.keys.byHash("hash of the key");
    expect(found?.workspace).toMatchObject({ id: "ws_1", name: "old" });
    expect(found?.key).toMatchObject({
      id: "key_1",
      name: "old key",
      scopes: ["*"],
      external_id: null,
      connection_ids: null,
      expires_at: null,
      last_used_at: null,
      tool_pack_id: null,
    });
    // A process of that version may still be running: its keys are the same.
    await database.run(
      "insert into api_keys (id, workspace_id, name, prefix, hash, created_at) values ('key_2', 'ws_1', null, 'sk_2', 'another', 2)",
    );
    expect((await store.keys.byHash("another"))?.key.scopes).toEqual(["*"]);
  });
});

await describeDatabases("migrations of providers", (database) => {
  it("a workspace of a version without providers of its own has none, and can be given one", async () => {
    await createVersion(database, versionBefore("create table provider_documents"));
    const store = await database.open();
    expect(await store.providers.list("ws_1")).toEqual([]);
    await store.providers.create({ workspace_id: "ws_1", id: "acme", document: "{}" });
    expect(await store.providers.get("ws_1", "acme")).toMatchObject({ id: "acme", document: "{}" });
  });
});

await describeDatabases("migrations of integrations", (database) => {
  it("an integration of a version without private keys has none, and no settings", async () => {
    await createVersion(database, versionBefore("alter table integrations add column private_key"));
    const insert = (id: string) =>
      database.run(
        `insert into integrations (id, workspace_id, identifier, type, created_at, updated_at) values ('${id}', 'ws_1', '${id}', 'api_key', 1, 1)`,
      );
    await insert("int_1");

    const store = await database.open();
    expect(await store.integrations.get("ws_1", "int_1")).toMatchObject({ private_key: null, settings: {} });
    // A process of that version may still be running.
    await insert("int_2");
    expect(await store.integrations.get("ws_1", "int_2")).toMatchObject({ private_key: null, settings: {} });
    await store.integrations.update("ws_1", "int_2", { private_key: "made-up", settings: { a: "b" } });
    expect(await store.integrations.get("ws_1", "int_2")).toMatchObject({
      private_key: "made-up",
      settings: { a: "b" },
    });
  });
});
