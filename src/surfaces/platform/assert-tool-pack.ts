import { invalidInput } from "../../contracts/fault.ts";
import type { Store } from "../../contracts/store.ts";

/** Refuses a tool pack that the workspace does not have. In the transaction of the change, so that it stays until then. */
export async function assertToolPack(
  toolPacks: Store["toolPacks"],
  workspaceId: string,
  id: string | null | undefined,
  field = "tool_pack_id",
): Promise<void> {
  if (id != null && !(await toolPacks.get(workspaceId, id)))
    throw invalidInput({ path: [field], message: `There is no tool pack ${id} in this workspace` });
}
