import { hash } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { AuditEntry, AuditProblem, AuditStore, NewAuditEntry } from "../contracts/audit.ts";
import { invalidInput } from "../contracts/fault.ts";
import { newId } from "../runtime/ids.ts";
import { inTransaction, type StoreContext } from "./database/context.ts";
import { toJson } from "./database/json.ts";
import { rejectNul } from "./database/reject-nul.ts";
import type { AuditRow, Database } from "./database/schema.ts";
import { fromIso, toIso } from "./database/time.ts";

/** Entries that concern no workspace have a chain of their own. */
const INSTALLATION = "";
const VERIFIED_PER_READ = 1_000;
const MAX_PROBLEMS = 100;

const toEntry = (row: AuditRow): AuditEntry => ({
  id: row.id,
  workspace_id: row.workspace_id === INSTALLATION ? null : row.workspace_id,
  at: toIso(row.at),
  actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
  action: row.action,
  target: { kind: row.target_kind, id: row.target_id },
  outcome: row.outcome,
  request_id: row.request_id,
  ip: row.ip,
  changes: row.changes === null ? null : JSON.parse(row.changes),
  hash: row.hash,
  previous_hash: row.previous_hash,
});

/** Everything in the row, and with `previous_hash` everything before it. */
const hashOf = ({ hash: _, ...row }: AuditRow): string =>
  hash("sha256", JSON.stringify(Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1))));

interface ChainHead {
  position: number;
  hash: string;
}

/**
 * The end of a workspace's chain. Its row is locked until the end of the transaction, so entries are in one order. Taken
 * before anything else, so that two changes never wait for each other.
 */
export const lockChain = (transaction: Kysely<Database>, workspaceId: string | null): Promise<ChainHead> =>
  transaction
    .insertInto("audit_chains")
    .values({ workspace_id: workspaceId ?? INSTALLATION, position: 0, hash: "", swept: 0 })
    .onConflict((conflict) =>
      conflict.column("workspace_id").doUpdateSet(({ ref }) => ({ position: ref("audit_chains.position") })),
    )
    .returning(["position", "hash"])
    .executeTakeFirstOrThrow();

/** Writes an entry in the transaction of the change that it is about, and returns the new end of the chain. */
export async function appendAudit(
  transaction: Kysely<Database>,
  { stamp }: Pick<StoreContext, "stamp">,
  head: ChainHead,
  { workspace_id, actor, target, changes, ...entry }: NewAuditEntry,
): Promise<ChainHead> {
  const values = rejectNul({
    id: newId("aud"),
    workspace_id: workspace_id ?? INSTALLATION,
    position: head.position + 1,
    at: stamp(),
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    target_kind: target.kind,
    target_id: target.id,
    changes: toJson(changes),
    previous_hash: head.hash,
    action: entry.action,
    outcome: entry.outcome,
    request_id: entry.request_id,
    ip: entry.ip,
  });
  const row: AuditRow = { ...values, hash: "" };
  row.hash = hashOf(row);
  await transaction.insertInto("audit_log").values(row).execute();
  await transaction
    .updateTable("audit_chains")
    .set({ position: row.position, hash: row.hash })
    .where("workspace_id", "=", row.workspace_id)
    .execute();
  return { position: row.position, hash: row.hash };
}

export function auditLog(context: StoreContext): AuditStore["audit"] {
  const { database } = context;
  const entriesOf = (workspaceId: string | null) =>
    database.selectFrom("audit_log").where("workspace_id", "=", workspaceId ?? INSTALLATION);

  /** Where an entry or a time is in the chain: the position of the first entry from it on. */
  async function positionOf(workspaceId: string | null, name: "after" | "before", value: string): Promise<number> {
    const query = entriesOf(workspaceId).select("position");
    if (!value.startsWith("aud_")) {
      const found = await query
        .where("at", name === "after" ? ">" : ">=", fromIso(value))
        .orderBy("at")
        .orderBy("position")
        .limit(1)
        .executeTakeFirst();
      return found?.position ?? Number.MAX_SAFE_INTEGER;
    }
    const found = await query.where("id", "=", value).executeTakeFirst();
    if (!found) throw invalidInput({ path: [name], message: "Unknown id: give that of an entry, or a time" });
    return name === "after" ? found.position + 1 : found.position;
  }

  return {
    append: (entry) =>
      inTransaction(database, async (transaction) => {
        await appendAudit(transaction, context, await lockChain(transaction, entry.workspace_id), entry);
      }),

    async list(workspaceId, { after, before, limit }, { actor, action, target }) {
      let query = entriesOf(workspaceId).selectAll();
      if (after !== undefined) query = query.where("position", ">=", await positionOf(workspaceId, "after", after));
      if (before !== undefined) query = query.where("position", "<", await positionOf(workspaceId, "before", before));
      // The kind of the target is how its actions begin.
      const actions = action?.endsWith(".*")
        ? (["target_kind", action.slice(0, -2)] as const)
        : (["action", action] as const);
      const given = ([["target_id", target], ["actor_id", actor], actions] as const).filter(
        ([, value]) => value !== undefined,
      );
      // Only the first, which has the fewest entries, by its index: SQLite would choose another one.
      for (const [index, [column, value]] of given.entries())
        query = query.where(index === 0 ? column : sql<string>`${sql.ref(column)} || ''`, "=", value!);
      const oldestFirst = after !== undefined && before === undefined;
      const rows = await query
        .orderBy("position", oldestFirst ? "asc" : "desc")
        .limit(limit)
        .execute();
      return rows.map(toEntry);
    },

    async verify(workspaceId) {
      const chain = await database
        .selectFrom("audit_chains")
        .selectAll()
        .where("workspace_id", "=", workspaceId ?? INSTALLATION)
        .executeTakeFirst();
      const problems: AuditProblem[] = [];
      let entries = 0;
      // If every entry has expired, the end of the chain is that of the last one.
      const hash = chain && chain.swept === chain.position ? chain.hash : "";
      let last: Pick<AuditRow, "position" | "hash"> = { position: chain?.swept ?? 0, hash };
      for (;;) {
        const rows = await entriesOf(workspaceId)
          .selectAll()
          .where("position", ">", last.position)
          .orderBy("position")
          .limit(VERIFIED_PER_READ)
          .execute();
        for (const row of rows) {
          const report = (problem: string) => problems.push({ position: row.position, id: row.id, problem });
          const missing = row.position - last.position - 1;
          if (missing > 0) report(`${missing} before it ${missing === 1 ? "is" : "are"} missing`);
          // The one before the oldest that is kept is gone.
          else if (row.previous_hash !== last.hash && (entries > 0 || last.position === 0))
            report("it does not follow the one before it");
          if (hashOf(row) !== row.hash) report("it was changed");
          last = row;
          entries += 1;
        }
        if (rows.length < VERIFIED_PER_READ || problems.length > MAX_PROBLEMS) break;
      }
      // Entries that were written meanwhile are behind the end that was read first.
      if (chain && (last.position < chain.position || (last.position === chain.position && last.hash !== chain.hash)))
        problems.push({ position: last.position, id: null, problem: "the newest entries are missing or were changed" });
      return { entries, problems };
    },

    async withOlder(before) {
      const rows = await database
        .selectFrom("audit_chains")
        .select("workspace_id")
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom("audit_log")
              .select("audit_log.id")
              .whereRef("audit_log.workspace_id", "=", "audit_chains.workspace_id")
              .where("audit_log.at", "<", fromIso(before)),
          ),
        )
        .execute();
      return rows.map(({ workspace_id: id }) => (id === INSTALLATION ? null : id));
    },

    sweep: (workspaceId, before, limit) =>
      inTransaction(database, async (transaction) => {
        await lockChain(transaction, workspaceId);
        const workspace_id = workspaceId ?? INSTALLATION;
        const old = await transaction
          .selectFrom("audit_log")
          .select(["position", "at"])
          .where("workspace_id", "=", workspace_id)
          .orderBy("position")
          .limit(limit)
          .execute();
        const kept = old.findIndex(({ at }) => at >= fromIso(before));
        const expired = kept < 0 ? old : old.slice(0, kept);
        const position = expired.at(-1)?.position;
        if (position === undefined) return 0;
        await transaction
          .deleteFrom("audit_log")
          .where("workspace_id", "=", workspace_id)
          .where("position", "<=", position)
          .execute();
        await transaction
          .updateTable("audit_chains")
          .set({ swept: position })
          .where("workspace_id", "=", workspace_id)
          .execute();
        return expired.length;
      }),
  };
}
