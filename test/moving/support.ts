import { hash } from "node:crypto";
import { readConfig } from "../../src/config/index.ts";
import type { AuditEntry } from "../../src/contracts/audit.ts";
import type { MovedRow } from "../../src/contracts/moving.ts";
import { openStore } from "../../src/open-store.ts";
import { createLogger } from "../../src/runtime/logger.ts";
import type { AnyDatabase } from "../support/databases.ts";

/** What a command needs to use the same store as a service that a test has started. */
export const commandEnv = ({ env }: Pick<AnyDatabase, "env">): Record<string, string> => ({
  ...env,
  ...(env.DATABASE_URL ? { ENCRYPTION_KEY: hash("sha256", env.DATABASE_URL, "base64") } : {}),
});

/** Everything of the workspaces that an export would have, and the newest entries of the first one's audit log. */
export async function readAll(database: Pick<AnyDatabase, "env">, workspaceIds: string[]) {
  const { store } = await openStore(readConfig(commandEnv(database)), createLogger("silent"));
  const rows: { table: string; row: MovedRow }[] = [];
  try {
    await store.moving.read(workspaceIds, async (read) => {
      for (const row of read.rows) rows.push({ table: read.table, row });
    });
    const audit: AuditEntry[] = await store.audit.list(workspaceIds[0]!, { limit: 5 }, {});
    return { rows, audit };
  } finally {
    await store.close();
  }
}
