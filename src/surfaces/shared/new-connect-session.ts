import type { Actor } from "../../contracts/caller.ts";
import type { ConnectSession } from "../../contracts/entities.ts";
import type { Store } from "../../contracts/store.ts";
import { newId } from "../../runtime/ids.ts";
import { type AuditedRequest, auditEntry } from "./audit.ts";

type Chosen =
  | "integrations"
  | "scopes"
  | "redirect_uri"
  | "metadata"
  | "connection_id"
  | "browser"
  | "mcp_sign_in_id"
  | "mcp_grant_id";

/** A connect session for any account of a person, except for what is given. */
export const newConnectSession = (
  given: Pick<ConnectSession, "workspace_id" | "external_id"> & Partial<Pick<ConnectSession, Chosen>>,
  seconds: number,
) => ({
  id: newId("cs"),
  integrations: null,
  scopes: null,
  redirect_uri: null,
  metadata: null,
  connection_id: null,
  ...given,
  expires_at: new Date(Date.now() + seconds * 1000).toISOString(),
});

/** Stores a session that somebody has asked for, with its entry in the audit log. */
export const addConnectSession = (
  store: Pick<Store, "change">,
  actor: Actor,
  session: ReturnType<typeof newConnectSession>,
  request: AuditedRequest,
) =>
  store.change(
    session.workspace_id,
    async ({ connectSessions }) => {
      await connectSessions.create(session);
      return session;
    },
    auditEntry(session.workspace_id, actor, { action: "connect_session.create", id: session.id }, request),
  );
