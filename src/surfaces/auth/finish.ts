import { hash, randomBytes } from "node:crypto";
import type { Coordination } from "../../contracts/coordination.ts";
import type { Connection, Integration, Workspace } from "../../contracts/entities.ts";
import { isStoreUnavailable } from "../../contracts/fault.ts";
import type { Store } from "../../contracts/store.ts";
import { type Grant, retry } from "../../engine/index.ts";
import { RedirectError } from "./errors.ts";
import { returnUrl } from "./return-url.ts";

const CODE_TTL_MS = 5 * 60_000;
/** Short because the user is waiting, but without retries the user would have to start again. */
const STORE_RETRY_MS = 5_000;

/** A flow whose user has granted access. */
export interface GrantedFlow {
  workspace: Pick<Workspace, "id">;
  integration: Integration;
  redirectUri: string;
  externalId: string | null;
  state: string | null;
  connectionId: string;
  /** Whether the connection already exists and keeps its id. */
  reconnects: boolean;
}

export const hashCode = (code: string): string => hash("sha256", code);

/** Stores the connection and returns the redirect to the application, with the code for the connection. */
export function createFinish({ store, coordination }: { store: Store; coordination: Coordination }) {
  async function save(flow: GrantedFlow, grant: Grant): Promise<Connection | undefined> {
    const { workspace, integration, connectionId: id, externalId } = flow;
    const change = {
      ...grant,
      ...(externalId === null ? {} : { external_id: externalId }),
      is_valid: true,
      invalid_reason: null,
    };
    const update = () => store.connections.update(id, { ...change, refreshed_at: new Date().toISOString() });
    if (flow.reconnects) return update();
    const create = () =>
      store.connections.create({
        external_id: null,
        ...change,
        id,
        workspace_id: workspace.id,
        integration_id: integration.id,
        integration_identifier: integration.identifier,
        metadata: null,
        refreshed_at: null,
      });
    // A form that is submitted twice makes one connection. The second submission updates the first's, even if both try
    // to create it at the same time.
    return (await update()) ?? create().catch(async (error: unknown) => (await update()) ?? Promise.reject(error));
  }

  async function attempt(flow: GrantedFlow, grant: Grant): Promise<string> {
    const { workspace, redirectUri, state, connectionId } = flow;
    if (!(await save(flow, grant))) throw new RedirectError(flow, "invalid_request", "The connection has been deleted");
    await coordination.invalidate("connection", connectionId);
    const code = randomBytes(32).toString("base64url");
    await store.connectFlows.issue({
      hash: hashCode(code),
      workspace_id: workspace.id,
      redirect_uri: redirectUri,
      connection_id: connectionId,
      expires_at: new Date(Date.now() + CODE_TTL_MS).toISOString(),
    });
    return returnUrl(redirectUri, { code, state });
  }

  return (flow: GrantedFlow, grant: Grant): Promise<string> =>
    retry(() => attempt(flow, grant), { forMs: STORE_RETRY_MS, mayRetry: isStoreUnavailable });
}

export type FinishFlow = ReturnType<typeof createFinish>;
