import { hash, randomBytes } from "node:crypto";
import type { Coordination } from "../../contracts/coordination.ts";
import type { ConnectCode } from "../../contracts/entities.ts";
import { isStoreUnavailable } from "../../contracts/fault.ts";
import type { Store } from "../../contracts/store.ts";
import { type Grant, retry } from "../../engine/index.ts";
import { FlowError } from "./errors.ts";
import { type ConnectFlow, endingOf, type OpenSession } from "./flow.ts";
import { returnUrl } from "./return-url.ts";
import { usedSession } from "./session-errors.ts";

const CODE_TTL_MS = 5 * 60_000;
/** Short because the user is waiting, but without retries the user would have to start again. */
const STORE_RETRY_MS = 5_000;

/** A flow whose user has granted access. */
export interface GrantedFlow
  extends Pick<ConnectFlow, "workspace" | "integration" | "redirectUri" | "externalId" | "state" | "session"> {
  connectionId: string;
  /** Whether the connection already exists and keeps its id. */
  reconnects: boolean;
  /** The same if a form is submitted twice. */
  attempt: string;
}

export const hashCode = (code: string): string => hash("sha256", code);

/**
 * Returns the redirect to the application, with the code for the connection. A new connection is stored now. One that
 * exists already stays as it is until the application redeems the code: anybody may have followed a link to reconnect it.
 * A connect session without a redirect is different: its link came from the application's server, so nobody else has to
 * confirm the connection, and the redirect is to the session's own page.
 */
export function createFinish({ store, coordination }: { store: Store; coordination: Coordination }) {
  const exists = async ({ workspace, connectionId }: GrantedFlow) =>
    (await store.connections.get(workspace.id, connectionId)) !== undefined;

  /** False if the connection exists already, because the form was submitted twice. */
  async function create(flow: GrantedFlow, grant: Grant): Promise<boolean> {
    if (await exists(flow)) return false;
    try {
      await store.connections.create(newConnection(flow, grant));
      return true;
    } catch (error) {
      if (await exists(flow)) return false;
      throw error;
    }
  }

  /** What the code changes when it is redeemed. */
  async function save(flow: GrantedFlow, grant: Grant): Promise<ConnectCode["reconnect"]> {
    if (!flow.reconnects && (await create(flow, grant))) return null;
    if (!(await exists(flow))) throw deleted(flow);
    return renewed(grant);
  }

  /** The same for a connect session, which it uses up in the same step. */
  async function saveInSession(
    flow: GrantedFlow,
    { id: sessionId }: OpenSession,
    grant: Grant,
  ): Promise<ConnectCode["reconnect"]> {
    const { connectionId: id, reconnects, redirectUri } = flow;
    const change = { ...renewed(grant), is_valid: true, invalid_reason: null };
    const outcome = await store.connectSessions.complete(sessionId, flow.attempt, {
      id,
      ...(reconnects ? {} : { create: newConnection(flow, grant) }),
      ...(reconnects && redirectUri === null ? { change } : {}),
    });
    if (outcome === "used") throw usedSession();
    if (outcome === "connection_missing") throw deleted(flow);
    await coordination.invalidate("connection", id);
    return reconnects ? renewed(grant) : null;
  }

  async function attempt(flow: GrantedFlow, grant: Grant): Promise<string> {
    const { workspace, redirectUri, state, connectionId, session } = flow;
    const reconnect = session ? await saveInSession(flow, session, grant) : await save(flow, grant);
    if (redirectUri === null) return session!.url;
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

const newConnection = ({ workspace, integration, connectionId, externalId, session }: GrantedFlow, grant: Grant) => ({
  ...grant,
  id: connectionId,
  workspace_id: workspace.id,
  integration_id: integration.id,
  integration_identifier: integration.identifier,
  external_id: externalId,
  metadata: session?.metadata ?? null,
  is_valid: true,
  invalid_reason: null,
  refreshed_at: null,
});

const renewed = (grant: Grant) => ({ ...grant, refreshed_at: new Date().toISOString() });

const deleted = (flow: GrantedFlow) =>
  new FlowError(endingOf(flow), "invalid_request", "The connection has been deleted");

export type FinishFlow = ReturnType<typeof createFinish>;
