import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { testDatabase } from "../../../test/support/postgres.ts";
import { createRelay } from "../../../test/support/relay.ts";
import { createStore } from "../index.ts";
import { keysFromText } from "../secrets/key-source.ts";
import { createKeyring } from "../secrets/vault.ts";

const keyring = createKeyring(keysFromText(randomBytes(32).toString("base64")));
const unavailable = { name: "Fault", kind: "store_unavailable", message: "The database is unavailable" };

const database = await testDatabase();
afterAll(() => database?.drop());

describe.skipIf(!database)("Postgres outage", () => {
  it("calls fail with store_unavailable during an outage of Postgres, and succeed again when it is over", async () => {
    const relay = await createRelay(new URL(database!.url), 5432);
    const store = await createStore({ url: relay.url.href, keyring });
    await store.ping();

    relay.beSilent(true);
    const pending = Promise.allSettled(Array.from({ length: 30 }, () => store.connections.load("conn_1")));
    await vi.waitFor(() => expect(relay.swallowed()).toBeGreaterThan(0), 60_000);
    await relay.cut();
    for (const result of await pending) {
      expect(result).toMatchObject({ status: "rejected", reason: unavailable });
    }
    await expect(store.ping()).rejects.toMatchObject(unavailable);
    await expect(store.workspaces.list()).rejects.toMatchObject(unavailable);

    relay.beSilent(false);
    await relay.restore();
    await vi.waitFor(() => store.ping(), 60_000);
    expect(await store.workspaces.list()).toEqual([]);
    await store.close();
    await relay.cut();
  });

  it("a Postgres server that accepts connections but never responds is unavailable, and its connections are not reused", async () => {
    const relay = await createRelay(new URL(database!.url), 5432);
    // Opened once without a time limit: a busy machine needs long to create the tables.
    await (await createStore({ url: database!.url, keyring })).close();
    relay.url.searchParams.set("query_timeout", "1500");
    const store = await createStore({ url: relay.url.href, keyring });
    await store.ping();
    relay.beSilent(true);
    await expect(store.ping()).rejects.toMatchObject(unavailable);
    relay.beSilent(false);
    await Promise.all(Array.from({ length: 30 }, () => store.ping()));
    await store.close();
    await relay.cut();
  });

  it("opening a store fails with store_unavailable while Postgres is down", async () => {
    const relay = await createRelay(new URL(database!.url), 5432);
    await relay.cut();
    await expect(createStore({ url: relay.url.href, keyring })).rejects.toMatchObject(unavailable);
  });
});

describe("SQLite", () => {
  it("opening a file that is not a SQLite database fails with store_unavailable", async () => {
    const folder = mkdtempSync(join(tmpdir(), "plugboard-outage-"));
    const file = join(folder, "plugboard.db");
    writeFileSync(file, "this is a letter, not a database\n".repeat(100));
    await expect(createStore({ url: `sqlite:${file}`, keyring })).rejects.toMatchObject(unavailable);
    rmSync(folder, { recursive: true });
  });
});

it("a database URL with an unsupported scheme is refused without printing it", async () => {
  await expect(createStore({ url: "mysql://root:hush@127.0.0.1/test", keyring })).rejects.toThrow(
    /^The database URL must start with sqlite: or postgres:\/\/$/,
  );
});
