import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { describeDatabases } from "../../../test/support/databases.ts";
import type { Store } from "../../contracts/store.ts";
import { createStore } from "../index.ts";
import { keptColumns } from "./encrypted-columns.ts";
import { keysFromFile, keysFromText, rotateKeyFile } from "./key-source.ts";
import { createKeyring, type Keyring, keyId } from "./vault.ts";

const newKey = () => randomBytes(32).toString("base64");
const idOf = (key: string) => keyId(Buffer.from(key, "base64"));
const workspace_id = "ws_1";

const connection = (id: string) => ({
  id,
  workspace_id,
  integration_id: "int_1",
  integration_identifier: "example",
  external_id: null,
  credentials: { token: "hush" },
  settings: {},
  metadata: null,
  is_valid: true,
  invalid_reason: null,
  expires_at: null,
  refreshed_at: null,
});
const integration = {
  id: "int_1",
  workspace_id,
  identifier: "example",
  name: null,
  type: "oauth2" as const,
  client_id: "client",
  client_secret: "hush client",
  scopes: null,
  base_url: null,
  mcp_url: null,
};

await describeDatabases("keys of a database", (database) => {
  let opened: Store[] = [];

  // What is left is like a new database.
  afterEach(async () => {
    await Promise.all(opened.map((store) => store.close()));
    opened = [];
    for (const table of ["workspaces", "encryption_keys"]) await database.run(`delete from ${table}`);
  });

  async function openWith(keyring: Keyring, log?: { info(): void; warn(details: object): void }): Promise<Store> {
    const store = await createStore({ url: database.url, keyring, ...(log ? { log } : {}) });
    opened.push(store);
    return store;
  }
  const open = (keys: string) => openWith(createKeyring(keysFromText(keys)));
  const refusal = (keys: string) =>
    open(keys).then(
      () => undefined,
      (error: Error) => `${error.constructor.name}: ${error.message}`,
    );
  const registered = async () => {
    const rows = await database.run("select id from encryption_keys order by created_at, id");
    return rows.map(({ id }) => id as string);
  };

  async function fill(store: Store, ...ids: string[]): Promise<void> {
    if (!(await store.workspaces.get(workspace_id)))
      await store.workspaces.create({ id: workspace_id, name: "Acme", client_id: randomUUID(), redirect_uris: [] });
    for (const id of ids) await store.connections.create(connection(id));
  }

  it("a wrong key is refused, names both keys by id and changes nothing, even if no secret is stored yet", async () => {
    const [right, wrong] = [newKey(), newKey()];
    await open(right);
    for (const step of ["empty", "filled"]) {
      expect(await refusal(wrong), step).toBe(
        `KeyMismatchError: the database's secrets are encrypted with key ${idOf(right)}, but the configured key is ${idOf(wrong)}. Configure the key that was used before`,
      );
      expect(await registered()).toEqual([idOf(right)]);
      await fill(await open(right), `conn_${step}`);
    }
  });

  it("an old database without check values is checked against its oldest secret, and then gets check values", async () => {
    const [right, wrong, other] = [newKey(), newKey(), newKey()];
    await fill(await open(right), "conn_1");
    await database.run("update connections set created_at = created_at - 1000");
    // As an earlier version left it that was started with the wrong key, and wrote newer secrets with it.
    await (await open(`${wrong},${right}`)).integrations.create(integration);
    await database.run("delete from encryption_keys");

    for (const keys of [wrong, other, `${other},${wrong}`]) expect(await refusal(keys)).toContain(idOf(right));
    expect(await registered()).toEqual([]);
    await open(right);
    expect(await registered()).toEqual([idOf(right)]);
    expect(await refusal(wrong)).toContain(idOf(right));
  });

  it("a damaged secret does not keep an old database from being checked against the next one", async () => {
    const right = newKey();
    await fill(await open(right), "conn_1", "conn_2");
    const value = `'aes256gcm.${idOf(right)}.${"A".repeat(60)}'`;
    await database.run(`update connections set credentials = ${value} where id = 'conn_1'`);
    await database.run("delete from encryption_keys");
    expect(await refusal(newKey())).toContain(idOf(right));
    expect(await refusal(right)).toBeUndefined();
  });

  it("a rotation through OLD, then OLD and NEW, NEW and OLD, and NEW is accepted at every step, and only in this order", async () => {
    const [old, fresh] = [newKey(), newKey()];
    await fill(await open(old), "conn_1");
    expect(await refusal(fresh)).toContain(`encrypted with key ${idOf(old)}`);
    await open(`${old},${fresh}`);
    // A process that restarts with the previous setting does no harm.
    await open(old);
    const store = await open(`${fresh},${old}`);
    await fill(store, "conn_2");
    const needed = (key: string) =>
      `KeyMismatchError: the database still has secrets that are encrypted with key ${idOf(key)}, which is not configured. Add it after the current key, and run "plugboard keys rotate-encryption" before you remove it`;
    expect(await refusal(fresh)).toBe(needed(old));
    expect(await refusal(old)).toBe(needed(fresh));
    // The connection's credentials, and its event.
    expect(await store.reencrypt()).toBe(2);
    await open(`${fresh},${old}`);
    await open(fresh);
    expect(await registered()).toEqual([idOf(fresh)]);
    expect(await refusal(old)).toContain(`encrypted with key ${idOf(fresh)}`);
  });

  it("after a key was lost, the statements in docs/running.md let the database start with another one", async () => {
    const lost = newKey();
    const store = await open(lost);
    await fill(store, "conn_1");
    await store.integrations.create(integration);
    const [, statements] = /```sql\n(.+?)```/s.exec(readFileSync("docs/running.md", "utf8"))!;
    for (const [table] of keptColumns) expect(statements).toMatch(new RegExp(` ${table} (set|where) `));
    for (const statement of statements!.replaceAll("1a2b3c4d", idOf(lost)).split(";\n").filter(Boolean))
      await database.run(statement);
    expect(await refusal(newKey())).toBeUndefined();
  });

  it("of two processes that start at the same time with different keys on an empty database, one is refused", async () => {
    const outcomes = await Promise.all([refusal(newKey()), refusal(newKey())]);
    expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(1);
    expect(await registered()).toHaveLength(1);
  });

  it("a key file with several keys is accepted before and after a rotation", async () => {
    const folder = mkdtempSync(join(tmpdir(), "plugboard-key-check-"));
    const file = join(folder, "encryption.key");
    const openFile = () => openWith(createKeyring(keysFromFile(file)));
    await fill(await openFile(), "conn_1");
    rotateKeyFile(file);
    await (await openFile()).reencrypt();
    await openFile();
    writeFileSync(file, `${newKey()}\n`);
    await expect(openFile()).rejects.toThrow(/encrypted with key/);
    rmSync(folder, { recursive: true });
  });

  it("one row that cannot be decrypted does not break a list, is shown as invalid, and is logged once", async () => {
    const right = newKey();
    await fill(await open(right), "conn_1", "conn_2", "conn_3");
    await (await open(right)).integrations.create(integration);
    const stray = `'aes256gcm.00000000.${"A".repeat(60)}'`;
    await database.run(`update connections set credentials = ${stray} where id = 'conn_2'`);
    await database.run(`update integrations set client_secret = ${stray} where id = 'int_1'`);

    const keyring = createKeyring(keysFromText(right));
    let decrypted = 0;
    const warnings: object[] = [];
    const store = await openWith(
      {
        ...keyring,
        decrypt(value, location) {
          if (location.table !== "encryption_keys") decrypted += 1;
          return keyring.decrypt(value, location);
        },
      },
      { info() {}, warn: (details) => void warnings.push(details) },
    );
    const page = { offset: 0, limit: 10 };
    const listed = await store.connections.list(workspace_id, page, {});
    expect(listed.map(({ id, is_valid }) => [id, is_valid])).toEqual([
      ["conn_1", true],
      ["conn_2", false],
      ["conn_3", true],
    ]);
    expect(listed[1]?.invalid_reason).toMatch(/cannot be decrypted/);
    expect(await store.integrations.list(workspace_id, page)).toHaveLength(1);
    expect(decrypted).toBe(0);

    const unreadable = { credentials: {}, is_valid: false, invalid_reason: expect.stringContaining("decrypted") };
    expect(await store.connections.get(workspace_id, "conn_2")).toMatchObject(unreadable);
    expect(await store.connections.load("conn_2")).toMatchObject({
      connection: { ...unreadable, unreadable: true },
      integration: { client_secret: null, unreadable: true },
    });
    expect(
      await store.connections.updateIfUnchanged("conn_2", { refresh_token: "x" }, { is_valid: true }),
    ).toBeUndefined();
    await store.connections.list(workspace_id, page, {});
    expect(warnings).toEqual([
      { table: "connections", id: "conn_2", column: "credentials", reason: expect.any(String) },
      { table: "integrations", id: "int_1", column: "client_secret", reason: expect.any(String) },
    ]);

    // New credentials make it usable again.
    await store.connections.update("conn_2", { credentials: { token: "new" }, is_valid: true });
    const healed = await store.connections.get(workspace_id, "conn_2");
    expect(healed).toMatchObject({ credentials: { token: "new" }, is_valid: true });
    expect(healed).not.toHaveProperty("unreadable");
  });
});

describe("a running process", () => {
  const folder = mkdtempSync(join(tmpdir(), "plugboard-key-check-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  it("a key file that is replaced by one of another database is not used", () => {
    const file = join(folder, "replaced.key");
    const keyring = createKeyring(keysFromFile(file));
    const location = { table: "connections", id: "conn_1", column: "credentials" };
    const value = keyring.encrypt("hush", location);
    const foreign = createKeyring(keysFromText(newKey())).encrypt("stray", location);
    writeFileSync(file, `${newKey()}\n`);
    // A value with an unknown key makes the keyring read the file immediately.
    expect(() => keyring.decrypt(foreign, location)).toThrow("not among the configured keys");
    expect(keyring.currentPrefix()).toBe(value.slice(0, keyring.currentPrefix().length));
    expect(keyring.decrypt(value, location)).toBe("hush");
  });
});
