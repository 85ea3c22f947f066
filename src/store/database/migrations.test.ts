import { expect, it } from "vitest";
import { describeDatabases, type OpenDatabase } from "../../../test/support/databases.ts";
import { migrations } from "./migrations.ts";

/** The last version of the tables without a certain column or table. */
const versionBefore = (text: string) =>
  migrations.findIndex((steps) => steps.some((step) => typeof step === "string" && step.includes(text)));

/** The last version without a table of metadata. */
const metadataVersion = migrations.findIndex((steps) => steps.some((step) => typeof step === "object"));

/** Makes the database one of an earlier version, with a workspace. */
async function createVersion({ run }: OpenDatabase, version: number): Promise<void> {
  for (const step of migrations.slice(0, version).flat()) if (typeof step === "string") await run(step);
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

await describeDatabases("migrations of metadata", (database) => {
  const CONNECTIONS = 10_010;
  const insert = (id: string, metadata: object) =>
    database.run(
      `insert into connections (id, workspace_id, integration_id, integration_identifier, credentials, settings, metadata, is_valid, created_at, updated_at)
        values ('${id}', 'ws_1', 'int_1', 'github', 'made-up', '{}', '${JSON.stringify(metadata)}', 1, 1, 1)`,
    );

  it("connections of a version without an index of metadata are found by it, also those that it writes from now on", async () => {
    await createVersion(database, metadataVersion);
    await database.run(
      `insert into connections (id, workspace_id, integration_id, integration_identifier, credentials, settings, metadata, is_valid, created_at, updated_at)
        select 'conn_' || i, 'ws_1', 'int_1', 'github', 'made-up', '{}', '{"plan":"free","seats":' || i || '}', 1, i, i
        from (with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${CONNECTIONS}) select i from numbers) as counted`,
    );
    // Two processes start at the same time.
    const [store] = await Promise.all([database.open(), database.open()]);
    const find = async (metadata: Record<string, string>) =>
      (await store.connections.list("ws_1", { offset: 0, limit: 3 }, { metadata })).map(({ id }) => id);
    expect(await find({ seats: "10001" })).toEqual(["conn_10001"]);
    expect(await find({ plan: "free" })).toEqual(["conn_1", "conn_2", "conn_3"]);
    expect(await find({ plan: "free", seats: "7" })).toEqual(["conn_7"]);

    await insert("conn_old", { plan: "rare" });
    expect(await find({ plan: "rare" })).toEqual(["conn_old"]);
    await database.run(`update connections set metadata = '{"plan":"other"}' where id = 'conn_old'`);
    expect(await find({ plan: "rare" })).toEqual([]);
    expect(await find({ plan: "other" })).toEqual(["conn_old"]);
    await database.run("delete from connections where id = 'conn_old'");
    expect(await database.run("select * from connection_metadata where term = 'plan:other'")).toEqual([]);
    await database.run("delete from workspaces where id = 'ws_1'");
    expect(await database.run("select * from connection_metadata limit 1")).toEqual([]);
  });
});

await describeDatabases("an interrupted migration", (database) => {
  // On SQLite nothing is left: everything is in one transaction.
  it.skipIf(database.name === "SQLite")("what a process has left to do is done by the next one", async () => {
    await (await database.open()).close();
    await database.run(
      `insert into deferred_steps values (0, 'connections_validity', 'create index concurrently connections_validity on connections (workspace_id, is_valid, created_at, id)', null)`,
    );
    await database.run("update pg_index set indisvalid = false where indexrelid = 'connections_validity'::regclass");
    await database.open();
    const [index] = await database.run(
      "select indisvalid from pg_index where indexrelid = 'connections_validity'::regclass",
    );
    expect(index).toEqual({ indisvalid: true });
    expect(await database.run("select * from deferred_steps")).toEqual([]);
  });
});
