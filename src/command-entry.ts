import { userInfo } from "node:os";
import type { NewAuditEntry } from "./contracts/audit.ts";
import { auditEntry } from "./surfaces/shared/audit.ts";

/** The user who runs the command. In a container, they may have no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "");
  }
}

/** That a command, such as `keys create`, has done something in a workspace. */
export const commandEntry = (
  command: string,
  workspaceId: string | null,
  deed: { action: string; id: string | null; changes?: string[] },
): NewAuditEntry => auditEntry(workspaceId, { kind: "command", id: userName(), name: `plugboard ${command}` }, deed);
