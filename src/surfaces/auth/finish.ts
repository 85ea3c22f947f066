import { hash, randomBytes } from "node:crypto";
import type { Actor } from "../../contracts/caller.ts";
import type { ConnectionChange, NewConnection } from "../../contracts/connections.ts";
import type { Coordination } from "../../contracts/coordination.ts";
import type { ConnectCode, Workspace } from "../../contracts/entities.ts";
import { isStoreUnavailable } from "../../contracts/fault.ts";
import type { Store } from "../../contracts/store.ts";
import { type Grant, retry } from "../../engine/index.ts";
import { type AuditedRequest, auditEntry } from "../shared/audit.ts";
import { ErrorPage, FlowError } from "./errors.ts";
import { type ConnectFlow, endingOf } from "./flow.ts";
import { returnUrl } from "./return-url.ts";
import { usedSession } from "./session-errors.ts";

const CODE_TTL_MS = 5 * 60_000;
/** Codes of a workspace that may wait to be redeemed. Applications redeem them within seconds; others can make up more. */
const MAX_UNREDEEMED = 1_000;
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
  /** The request with which it is granted. */
  request: AuditedRequest;
}

export const hashCode = (code: string): string => hash("sha256", code);

/** Refuses a link that anybody can write while too many codes wait. A connect session comes from the server: it may. */
export async function assertMayWait(store: Store, workspace: Workspace): Promise<void> {
  if ((await store.connectFlows.unredeemed(workspace.id)) < MAX_UNREDEEMED) return;
  throw new ErrorPage(
    "Too many accounts are being connected",
    "Nothing was connected. Please go back to the application, and start again in five minutes. If you are its developer: your server has to redeem each code with POST /connection.",
    { status: 429 },
  );
}

/**
 * Returns the redirect to the application, with the code for the connection. Nothing is created or changed before the
 * application's server redeems the code: anybody may have followed the link, with any `external_id`. A connect session
 * without a redirect is different: its link came from that server, so nobody else has to confirm the connection, and the
 * redirect is to the session's own page.
 */
export function createFinish({ store, coordination }: { store: Store; coordination: Coordination }) {
  /** Uses up the session, and creates or changes the connection, or issues the code for it, in the same step. */
  async function completeSession(
    sessionId: string,
    { attempt, ...flow }: GrantedFlow,
    connection: { create?: NewConnection; change?: ConnectionChange; code?: ConnectCode },
  ): Promise<void> {
    const { connectionId: id, workspace, externalId } = flow;
    const user: Actor = { kind: "person", id: externalId, name: null };
    const grantId = connection.create ? flow.session?.mcp_grant_id : undefined;
    const outcome = await store.change(
      workspace.id,
      ({ connectSessions }) => connectSessions.complete(sessionId, attempt, { id, ...connection }),
      // With a code, nothing is connected before the code is redeemed.
      (result) =>
        result === "completed" && !connection.code
          ? [{ action: "connection.connect", id }, ...(grantId ? [joined(grantId)] : [])].map((deed) =>
              auditEntry(workspace.id, user, deed, flow.request),
            )
          : undefined,
    );
    if (outcome === "used") throw usedSession();
    if (outcome === "connection_missing") throw deleted(flow);
    if (grantId) await coordination.invalidate("key", grantId);
  }

  async function issue(flow: GrantedFlow, code: ConnectCode): Promise<void> {
    const { workspace, session, reconnects, connectionId } = flow;
    if (session) return completeSession(session.id, flow, { code });
    await assertMayWait(store, workspace);
    if (reconnects && !(await store.connections.get(workspace.id, connectionId))) throw deleted(flow);
    await store.connectFlows.issue(code);
  }

  async function attempt(flow: GrantedFlow, grant: Grant): Promise<string> {
    const { workspace, redirectUri, state, connectionId: id, session, reconnects } = flow;
    const changes = { ...grant, refreshed_at: new Date().toISOString() };
    const creates = reconnects ? null : newConnection(flow);
    const valid = { is_valid: true, invalid_reason: null };
    if (redirectUri === null) {
      const { id: sessionId, url } = session!;
      await completeSession(
        sessionId,
        flow,
        creates
          ? { create: { ...grant, ...creates, ...valid, id, workspace_id: workspace.id, refreshed_at: null } }
          : { change: { ...changes, ...valid } },
      );
      await coordination.invalidate("connection", id);
      return url;
    }
    const code = randomBytes(32).toString("base64url");
    await issue(flow, {
      hash: hashCode(code),
      workspace_id: workspace.id,
      redirect_uri: redirectUri,
      connection_id: id,
      expires_at: new Date(Date.now() + CODE_TTL_MS).toISOString(),
      changes,
      creates,
    });
    return returnUrl(redirectUri, { code, state });
  }

  return (flow: GrantedFlow, grant: Grant): Promise<string> =>
    retry(() => attempt(flow, grant), { forMs: STORE_RETRY_MS, mayRetry: isStoreUnavailable });
}

const joined = (id: string) => ({ action: "mcp_grant.update", id, changes: ["connection_ids"] });

const newConnection = ({ integration, externalId, session }: GrantedFlow): NonNullable<ConnectCode["creates"]> => ({
  integration_id: integration.id,
  integration_identifier: integration.identifier,
  external_id: externalId,
  metadata: session?.metadata ?? null,
});

const deleted = (flow: Parameters<typeof endingOf>[0]) =>
  new FlowError(endingOf(flow), "invalid_request", "The connection has been deleted");

export type FinishFlow = ReturnType<typeof createFinish>;
