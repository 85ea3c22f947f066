import { Kysely, type KyselyPlugin } from "kysely";
import type { ChangingStore, Store } from "../contracts/store.ts";
import type { BasicLogger } from "../contracts/telemetry.ts";
import { apiKeys } from "./api-keys.ts";
import { appendAudit, auditLog, lockChain } from "./audit-log.ts";
import { connectFlows } from "./connect-flows.ts";
import { connectSessions } from "./connect-sessions.ts";
import { connections } from "./connections.ts";
import { customFields } from "./custom-fields.ts";
import { dashboard } from "./dashboard.ts";
import type { StoreContext } from "./database/context.ts";
import type { DatabaseEngine } from "./database/database-engine.ts";
import { createWriter, type Work } from "./database/group-commit.ts";
import { guardedDialect } from "./database/guarded-dialect.ts";
import { migrate } from "./database/migrate.ts";
import { openPostgres } from "./database/postgres.ts";
import type { Database } from "./database/schema.ts";
import { openSqlite } from "./database/sqlite.ts";
import { createStamp } from "./database/time.ts";
import { createWriteCheck } from "./database/write-check.ts";
import { deliveries } from "./events/deliveries.ts";
import { eventLog } from "./events/event-log.ts";
import { hooks } from "./events/hooks.ts";
import { jobs } from "./events/jobs.ts";
import { subscriptions } from "./events/subscriptions.ts";
import { tracking } from "./events/tracking.ts";
import { webhooks } from "./events/webhooks.ts";
import { idempotentWrites } from "./idempotent-writes.ts";
import { schemaVersions } from "./inspect.ts";
import { integrations } from "./integrations.ts";
import { locks } from "./locks.ts";
import { mcpGrants } from "./mcp-grants.ts";
import { moving } from "./moving/index.ts";
import { providers } from "./providers.ts";
import { requestLog } from "./request-log/request-log.ts";
import { verifyKeys } from "./secrets/key-check.ts";
import { reencrypt } from "./secrets/reencrypt.ts";
import { createStoredSecrets } from "./secrets/stored-secrets.ts";
import type { Keyring } from "./secrets/vault.ts";
import { toolPacks } from "./tool-packs.ts";
import { workspaces } from "./workspaces.ts";

export interface StoreOptions {
  /** `sqlite:<file>` or `postgres://…` */
  url: string;
  keyring: Keyring;
  log?: BasicLogger;
  /** Whether a database without tables gets them, which is the default. Otherwise it is a `MissingStoreError`. */
  create?: boolean;
}

export class MissingStoreError extends Error {}

/** Opens the database, migrates it to the current version, and makes sure that the keys are the right ones. */
export async function createStore(options: StoreOptions): Promise<Store> {
  await migrateToCurrent(options);

  let statements = 0;
  const engine = await open(options, "serving");
  const dialect = guardedDialect(engine, {
    writeFailed: (error) => writeCheck.failed(error),
  });
  const database = new Kysely<Database>({ dialect });
  const counter = statementCounter(() => {
    statements += 1;
  });
  const counted = database.withPlugin(counter);
  const writer = createWriter(database, engine.groupsCommits);
  const eventListeners: (() => void)[] = [];
  const { withRelaxedDurability } = engine;
  const writeCheck = createWriteCheck({ database, withRelaxedDurability, log: options.log });
  const context = {
    database: counted,
    write: <Result>(work: Work<Result>) => writer.write((transaction) => work(transaction.withPlugin(counter))),
    writeOne: <Result>(work: Work<Result>) => writer.writeOne((connection) => work(connection.withPlugin(counter))),
    keyring: options.keyring,
    secrets: createStoredSecrets(options.keyring, options.log),
    stamp: createStamp(),
    clock: engine.clock,
    skipLocked: engine.skipLocked,
    metadataTerm: engine.metadataTerm,
    eventsWritten() {
      for (const listener of eventListeners) listener();
    },
  };
  /** For what runs by itself in the background. */
  const background = { ...context, ...writer, database };

  const logOn = (on: StoreContext) => requestLog({ ...on, withRelaxedDurability, hasLogTerms: engine.hasLogTerms });

  const changing = (on: StoreContext): ChangingStore => ({
    workspaces: workspaces(on),
    keys: apiKeys(on),
    toolPacks: toolPacks(on),
    customFields: customFields(on),
    integrations: integrations(on),
    providers: providers(on),
    connections: connections(on),
    connectSessions: connectSessions(on),
    connectFlows: connectFlows(on),
    webhooks: webhooks(on),
    dashboard: dashboard(on),
    mcpGrants: mcpGrants(on),
    subscriptions: subscriptions(on),
    hooks: hooks(on),
    jobs: jobs(on),
    deliveries: deliveries(on),
  });

  return {
    ping: writeCheck.ping,
    async close() {
      await database.destroy();
    },
    get statements() {
      return statements;
    },
    ...(engine.externalWriteCounter ? { externalWriteCounter: engine.externalWriteCounter } : {}),
    ...changing(context),
    // Written in the background, and not with a call.
    keys: { ...apiKeys(context), used: apiKeys(background).used },
    mcpGrants: { ...mcpGrants(context), used: mcpGrants(background).used },
    change: (workspaceId, work, entry) =>
      counted.transaction().execute(async (transaction) => {
        let head = await lockChain(transaction, workspaceId);
        const now = <Result>(work: Work<Result>) => work(transaction);
        const result = await work(changing({ ...context, database: transaction, write: now, writeOne: now }));
        if (result === undefined || result === null || result === false) return result;
        const written = typeof entry === "function" ? entry(result) : entry;
        for (const one of [written ?? []].flat()) head = await appendAudit(transaction, context, head, one);
        return result;
      }),
    audit: auditLog(context),
    requestLog: {
      ...logOn(context),
      // Old entries are deleted in the background, and not with a call.
      trim: logOn(background).trim,
      trimUsage: logOn(background).trimUsage,
    },
    locks: locks(context),
    idempotentWrites: idempotentWrites(context),
    events: eventLog(background, (listener) => void eventListeners.push(listener)),
    jobs: jobs(background),
    deliveries: deliveries(background),
    tracking: tracking(context),
    moving: moving(context),
    reencrypt: (progress) => reencrypt(context, progress),
  };
}

const statementCounter = (count: () => void): KyselyPlugin => ({
  transformQuery({ node }) {
    count();
    return node;
  },
  transformResult: async ({ result }) => result,
});

async function migrateToCurrent(options: StoreOptions): Promise<void> {
  const engine = await open(options, "migrating");
  const database = new Kysely<Database>({ dialect: guardedDialect(engine) });
  try {
    if (options.create === false && (await schemaVersions(database)).found === 0) throw new MissingStoreError();
    await migrate(database, engine, (connection) => verifyKeys(connection, options.keyring));
  } finally {
    await database.destroy();
  }
}

async function open({ url, log }: StoreOptions, purpose: "serving" | "migrating"): Promise<DatabaseEngine> {
  if (url.startsWith("sqlite:")) return openSqlite(url.slice("sqlite:".length));
  if (/^postgres(ql)?:/.test(url)) return openPostgres(url, purpose, log);
  throw new Error("The database URL must start with sqlite: or postgres://");
}
