import { Kysely, sql } from "kysely";
import type { Store } from "../contracts/store.ts";
import type { BasicLogger } from "../contracts/telemetry.ts";
import { apiKeys } from "./api-keys.ts";
import { connectFlows } from "./connect-flows.ts";
import { connections } from "./connections.ts";
import type { DatabaseEngine } from "./database-engine.ts";
import { guardedDialect } from "./guarded-dialect.ts";
import { integrations } from "./integrations.ts";
import { locks } from "./locks.ts";
import { migrate } from "./migrations.ts";
import { openPostgres } from "./postgres.ts";
import { reencrypt } from "./reencrypt.ts";
import { requestLog } from "./request-log.ts";
import type { Database } from "./schema.ts";
import { openSqlite } from "./sqlite.ts";
import { createStamp } from "./time.ts";
import type { Keyring } from "./vault.ts";
import { workspaces } from "./workspaces.ts";

export interface StoreOptions {
  /** `sqlite:<file>` or `postgres://…` */
  url: string;
  keyring: Keyring;
  log?: Pick<BasicLogger, "warn">;
}

/** Opens the database and migrates it to the current version. */
export async function createStore(options: StoreOptions): Promise<Store> {
  await migrateToCurrent(options);

  let statements = 0;
  const engine = await open(options, "serving");
  const countStatement = () => {
    statements += 1;
  };
  const database = new Kysely<Database>({ dialect: guardedDialect(engine, countStatement) });
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
    keys: apiKeys(context),
    integrations: integrations(context),
    connections: connections(context),
    connectFlows: connectFlows(context),
    requestLog: requestLog({ database, withRelaxedDurability: engine.withRelaxedDurability }),
    locks: locks(context),
    reencrypt: (progress) => reencrypt(context, progress),
  };
}

async function migrateToCurrent(options: StoreOptions): Promise<void> {
  const engine = await open(options, "migrating");
  const database = new Kysely<Database>({ dialect: guardedDialect(engine, () => {}) });
  try {
    await migrate(database, engine);
  } finally {
    await database.destroy();
  }
}

async function open({ url, log }: StoreOptions, purpose: "serving" | "migrating"): Promise<DatabaseEngine> {
  if (url.startsWith("sqlite:")) return openSqlite(url.slice("sqlite:".length));
  if (/^postgres(ql)?:/.test(url)) return openPostgres(url, purpose, log);
  throw new Error("The database URL must start with sqlite: or postgres://");
}
