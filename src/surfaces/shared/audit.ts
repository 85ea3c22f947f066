import type { NewAuditEntry } from "../../contracts/audit.ts";
import type { Actor } from "../../contracts/caller.ts";

/** What an entry of the audit log says about the request behind it. */
export interface AuditedRequest {
  id: string;
  ip: string;
}

interface Deed {
  /** Such as `connection.delete`: the kind of the target, and what was done. */
  action: string;
  /** The id of the target. */
  id: string | null;
  changes?: string[] | null;
}

/** Somebody did something in a workspace. */
export const auditEntry = (
  workspaceId: string | null,
  actor: Actor,
  { action, id, changes = null }: Deed,
  request?: AuditedRequest,
): NewAuditEntry => ({
  workspace_id: workspaceId,
  actor,
  action,
  target: { kind: action.slice(0, action.indexOf(".")), id },
  outcome: "success",
  request_id: request?.id ?? null,
  ip: request?.ip ?? null,
  changes,
});
