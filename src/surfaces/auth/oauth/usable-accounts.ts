import { isTool, toLimitedTool } from "../../../categories/tools.ts";
import type { ListedConnection } from "../../../contracts/entities.ts";
import { Fault } from "../../../contracts/fault.ts";
import { allowsTool, type ToolPack } from "../../../contracts/tool-packs.ts";
import type { ProvenSignIn } from "../../shared/mcp-sign-ins.ts";
import type { AuthParts } from "../parts.ts";

/** Finds the accounts that have any tool which a tool pack allows: a client could do nothing with the others. */
export function createUsableAccounts({ engine, operations }: Pick<AuthParts, "engine" | "operations">) {
  return async (
    { person, workspace_id }: ProvenSignIn,
    accounts: readonly ListedConnection[],
    pack: ToolPack,
  ): Promise<ListedConnection[]> => {
    const allowed = operations.filter((operation) => isTool(operation) && allowsTool([pack], toLimitedTool(operation)));
    const user = { workspace: { id: workspace_id }, ...person };
    const isUsable = await Promise.all(
      accounts.map(async ({ id }) => {
        try {
          const connection = await engine.inspect({ user, connectionId: id });
          return allowed.some((operation) => engine.supports(connection, operation));
        } catch (error) {
          if (error instanceof Fault) return false;
          throw error;
        }
      }),
    );
    return accounts.filter((_, index) => isUsable[index]);
  };
}
