import { isDeepStrictEqual } from "node:util";
import type { FastifyRequest } from "fastify";
import type { ChangingStore, Store } from "../../contracts/store.ts";
import { auditEntry } from "../shared/audit.ts";

/** Ends a transaction that must not be committed, with what it would have changed. */
class DryRunDone extends Error {
  readonly result: unknown;

  constructor(result: unknown) {
    super("dry run");
    this.result = result;
  }
}

/**
 * Makes the change that a route is for, and writes who made it to the audit log, in one transaction. Of fields that
 * `current` has already, only those that are different count as changed. A dry run does the same and rolls it back.
 */
export async function change<Result>(
  store: Store,
  request: Pick<FastifyRequest, "caller" | "id" | "ip" | "params" | "query" | "body" | "routeOptions">,
  work: (store: ChangingStore) => Promise<Result>,
  current: object = {},
): Promise<Result> {
  const { workspace, actor } = request.caller;
  const { id: named } = request.params as { id?: string };
  const changed = Object.entries((request.body ?? {}) as object).filter(
    ([name, value]) => !isDeepStrictEqual((current as Record<string, unknown>)[name], value),
  );
  const action = request.routeOptions.schema!.action!;
  const isDryRun = (request.query as { dry_run?: unknown }).dry_run === true;
  const changing = store.change(workspace.id, work, (result) => {
    if (isDryRun) throw new DryRunDone(result);
    const id = named ?? (result as { id?: string }).id ?? null;
    const changes = changed.length > 0 ? changed.map(([name]) => name) : null;
    return auditEntry(workspace.id, actor, { action, id, changes }, request);
  });
  return changing.catch((error: unknown) => {
    if (error instanceof DryRunDone) return error.result as Result;
    throw error;
  });
}
