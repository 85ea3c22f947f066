import { hash, randomBytes } from "node:crypto";
import type { ConnectCode, Integration, Workspace } from "../../contracts/entities.ts";
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

/**
 * Returns the redirect to the application, with the code for the connection. A new connection is stored now. One that
 * exists already stays as it is until the application redeems the code: anybody may have followed a link to reconnect it.
 */
export function createFinish({ store }: { store: Store }) {
  const exists = async ({ workspace, connectionId }: GrantedFlow) =>
    (await store.connections.get(workspace.id, connectionId)) !== undefined;

  /** False if the connection exists already, because the form was submitted twice. */
  async function create(flow: GrantedFlow, grant: Grant): Promise<boolean> {
    const { workspace, integration, connectionId: id, externalId } = flow;
    if (await exists(flow)) return false;
    try {
      await store.connections.create({
        ...grant,
        id,
        workspace_id: workspace.id,
        integration_id: integration.id,
        integration_identifier: integration.identifier,
        external_id: externalId,
        metadata: null,
        is_valid: true,
        invalid_reason: null,
        refreshed_at: null,
      });
      return true;
    } catch (error) {
      if (await exists(flow)) return false;
      throw error;
    }
  }

  /** What the code changes when it is redeemed. */
  async function save(flow: GrantedFlow, grant: Grant): Promise<ConnectCode["reconnect"]> {
    if (!flow.reconnects && (await create(flow, grant))) return null;
    if (!(await exists(flow))) throw new RedirectError(flow, "invalid_request", "The connection has been deleted");
    return { ...grant, refreshed_at: new Date().toISOString() };
  }

  async function attempt(flow: GrantedFlow, grant: Grant): Promise<string> {
    const { workspace, redirectUri, state, connectionId } = flow;
    const reconnect = await save(flow, grant);
    const code = randomBytes(32).toString("base64url");
    await store.connectFlows.issue({
      hash: hashCode(code),
      workspace_id: workspace.id,
      redirect_uri: redirectUri,
      connection_id: connectionId,
      expires_at: new Date(Date.now() + CODE_TTL_MS).toISOString(),
      reconnect,
    });
    return returnUrl(redirectUri, { code, state });
  }

  return (flow: GrantedFlow, grant: Grant): Promise<string> =>
    retry(() => attempt(flow, grant), { forMs: STORE_RETRY_MS, mayRetry: isStoreUnavailable });
}

export type FinishFlow = ReturnType<typeof createFinish>;
