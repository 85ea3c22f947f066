import type { NewLogEntry } from "../../src/contracts/entities.ts";
import type { Store } from "../../src/contracts/store.ts";

/** Writes entries to the request log as one batch. */
export async function appendEntries(
  { requestLog }: Pick<Store, "requestLog">,
  id: string,
  entries: readonly NewLogEntry[],
): Promise<void> {
  const batch = requestLog.newBatch(id);
  for (const entry of entries) batch.add(entry);
  await requestLog.write(batch);
}
