// Fills a store for the benchmark: one workspace for each body size, the connections to call, and any number of others.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { newApiKey, newId } from "../src/runtime/ids.ts";
import { createStore } from "../src/store/index.ts";
import { keysFromText } from "../src/store/secrets/key-source.ts";
import { createKeyring } from "../src/store/secrets/vault.ts";
import { type Size, sizes } from "./bodies.ts";
import { temporaryFolder } from "./clean-up.ts";

export interface Account {
  key: string;
  connections: string[];
}

export interface Prepared {
  /** The environment to start Plugboard with. */
  env: Record<string, string>;
  accounts: Record<Size, Account>;
}

export interface SetupOptions {
  upstream: number;
  /** How many connections are called, per body size. */
  used: number;
  /** How many connections the store has in all. */
  stored: number;
  databaseUrl?: string;
  redisUrl?: string;
}

/** Copies of the first row under other ids. They are never called: they only fill the table. */
function multiply(count: number, ids: string): string {
  const columns =
    "workspace_id, integration_id, integration_identifier, external_id, credentials, settings, metadata, is_valid, invalid_reason, expires_at, refreshed_at, created_at, updated_at";
  return `insert into connections (id, ${columns}) select ids.id, ${columns} from (select * from connections limit 1) one, (${ids}) ids limit ${count}`;
}

export async function prepare({ upstream, used, stored, databaseUrl, redisUrl }: SetupOptions): Promise<Prepared> {
  const dataDir = temporaryFolder();
  const encryptionKey = randomBytes(32).toString("base64");
  const file = join(dataDir, "plugboard.db");
  const store = await createStore({
    url: databaseUrl ?? `sqlite:${file}`,
    keyring: createKeyring(keysFromText(encryptionKey)),
  });
  const accounts = {} as Record<Size, Account>;
  for (const size of sizes) {
    const workspace_id = newId("ws");
    await store.workspaces.create({
      id: workspace_id,
      name: `bench-${size}`,
      client_id: newId("client"),
      redirect_uris: [],
    });
    const { key, hash, prefix } = newApiKey();
    await store.keys.create({ id: newId("key"), workspace_id, name: null, prefix, hash });
    const integration_id = newId("int");
    await store.integrations.create({
      id: integration_id,
      workspace_id,
      identifier: "github",
      name: null,
      type: "api_key",
      client_id: null,
      client_secret: null,
      scopes: null,
      base_url: `http://127.0.0.1:${upstream}/${size}`,
      mcp_url: null,
    });
    const connections: string[] = [];
    for (let index = 0; index < used; index++) {
      const id = newId("conn");
      connections.push(id);
      await store.connections.create({
        id,
        workspace_id,
        integration_id,
        integration_identifier: "github",
        external_id: `user-${index}`,
        credentials: { token: `bench-token-${index}` },
        settings: {},
        metadata: null,
        is_valid: true,
        invalid_reason: null,
        expires_at: null,
        refreshed_at: null,
      });
    }
    accounts[size] = { key, connections };
  }
  await store.close();

  const more = stored - used * sizes.length;
  if (more > 0 && databaseUrl) {
    const client = new pg.Client(databaseUrl);
    await client.connect();
    await client.query(
      multiply(more, `select 'conn_' || lpad(n::text, 24, '0') as id from generate_series(1, ${more}) n`),
    );
    await client.query("analyze connections");
    await client.end();
  } else if (more > 0) {
    const database = new DatabaseSync(file);
    const series = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${more}) select 'conn_' || printf('%024d', i) as id from n`;
    database.exec(multiply(more, series));
    database.close();
  }
  return {
    env: {
      DATA_DIR: dataDir,
      ENCRYPTION_KEY: encryptionKey,
      DATABASE_URL: databaseUrl ?? "",
      REDIS_URL: redisUrl ?? "",
    },
    accounts,
  };
}
