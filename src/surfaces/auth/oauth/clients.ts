import type { McpClient } from "../../../contracts/mcp-grants.ts";
import type { Store } from "../../../contracts/store.ts";
import { ClientDocumentProblem, type Engine, isDocumentAddress } from "../../../engine/index.ts";
import { ErrorPage } from "../errors.ts";

const MAX_NAME_LENGTH = 100;

const unusable = (reason: string) =>
  new ErrorPage("This link does not work", `The program that sent you here cannot be identified: ${reason}.`);

/** What people see of a client's own name: one line, without marks that would turn its direction. */
export const shownName = (name: string): string =>
  name
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .trim()
    .slice(0, MAX_NAME_LENGTH) || "A program without a name";

interface ClientSources {
  store: Pick<Store, "mcpGrants">;
  engine: Pick<Engine, "readMcpClient">;
}

/** Who a client is: it registered itself, or its ID is the address of a document that says so. */
export async function findClient({ store, engine }: ClientSources, id: string): Promise<McpClient> {
  if (!isDocumentAddress(id)) {
    const client = await store.mcpGrants.client(id);
    if (!client) throw unusable("its client_id is unknown, or was not used for a long time");
    return client;
  }
  try {
    return await engine.readMcpClient(id);
  } catch (error) {
    if (!(error instanceof ClientDocumentProblem)) throw error;
    throw unusable(`its metadata document cannot be used, because ${error.message}`);
  }
}
