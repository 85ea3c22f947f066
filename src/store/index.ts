import { Kysely, sql } from "kysely";
import type { Store } from "../contracts/store.ts";
import { connect } from "./connect-flows.ts";
import { connections } from "./connections.ts";
import type { Engine, Log } from "./database-engine.ts";
import { guard } from "./guard.ts";
import { integrations } from "./integrations.ts";
import { keys } from "./keys.ts";
import { locks } from "./locks.ts";
import { migrate } from "./migrations.ts";
import { openPostgres } from "./postgres.ts";
import { reencrypt } from "./reencrypt.ts";
import { log } from "./request-log.ts";
import type { Database } from "./schema.ts";
import { openSqlite } from "./sqlite.ts";
import { createStamp } from "./time.ts";
import type { Keyring } from "./vault.ts";
import { workspaces } from "./workspaces.ts";

export interface StoreOptions {
  /** `sqlite:<file>` or `postgres://…` */
  url: string;
  keyring: Keyring;
  log?: Log;
}

/** Opens the database and brings it up to date. */
export async function createStore(options: StoreOptions): Promise<Store> {
  await bringUpToDate(options);

  let statements = 0;
  const engine = await open(options, "serving");
  const count = () => {
    statements += 1;
  };
  const database = new Kysely<Database>({ dialect: guard(engine, count) });
  const context = { database, keyring: options.keyring, stamp: createStamp(), clock: engine.clock };

  return {
    async ping() {
      await sql`select 1`.execute(database);
    },
    async close() {
      await database.destroy();
    },
    get statements() {
      return statements;
    },
    ...(engine.externalWriteCounter ? { externalWriteCounter: engine.externalWriteCounter } : {}),
    workspaces: workspaces(context),
    keys: keys(context),
    integrations: integrations(context),
    connections: connections(context),
    connect: connect(context),
    log: log({ database, relax: engine.relax }),
    locks: locks(context),
    reencrypt: (progress) => reencrypt(context, progress),
  };
}

async function bringUpToDate(options: StoreOptions): Promise<void> {
  const engine = await open(options, "migrating");
  const database = new Kysely<Database>({ dialect: guard(engine, () => {}) });
  try {
    await migrate(database, engine);
  } finally {
    await database.destroy();
  }
}

async function open({ url, log }: StoreOptions, purpose: "serving" | "migrating"): Promise<Engine> {
  if (url.startsWith("sqlite:")) return openSqlite(url.slice("sqlite:".length));
  if (/^postgres(ql)?:/.test(url)) return openPostgres(url, purpose, log);
  throw new Error("The database's address must begin with sqlite: or postgres://");
}
