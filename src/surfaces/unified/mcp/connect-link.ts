import { includesScope } from "../../../contracts/access.ts";
import type { Caller } from "../../../contracts/caller.ts";
import type { Store } from "../../../contracts/store.ts";
import { newId } from "../../../runtime/ids.ts";
import { type AuditedRequest, auditEntry } from "../../shared/audit.ts";
import type { ConnectUrls } from "../../shared/connect-urls.ts";

/** What a link connects: an account again, or a new one for a person. */
export type LinkTarget =
  | { connection: { id: string; external_id: string | null; integration_id: string } }
  | { externalId: string; integrationId: string };

const LINK_SECONDS = 30 * 60;

/** Makes links with which a person connects an account in the middle of a conversation. */
export function createConnectLinks(store: Pick<Store, "change">, connectUrls: ConnectUrls) {
  return {
    /** Whether this caller may make links at all. */
    allowed: (caller: Caller): boolean =>
      caller.grant !== undefined || includesScope(caller.scopes, "connections:write"),

    async create(caller: Caller, target: LinkTarget, request: AuditedRequest): Promise<string> {
      const known = "connection" in target ? target.connection : undefined;
      const session = {
        id: newId("cs"),
        workspace_id: caller.workspace.id,
        integrations: ["connection" in target ? target.connection.integration_id : target.integrationId],
        scopes: null,
        redirect_uri: null,
        external_id: "connection" in target ? target.connection.external_id : target.externalId,
        metadata: null,
        connection_id: known?.id ?? null,
        expires_at: new Date(Date.now() + LINK_SECONDS * 1000).toISOString(),
      };
      await store.change(
        caller.workspace.id,
        async ({ connectSessions }) => {
          await connectSessions.create(session);
        },
        () =>
          auditEntry(caller.workspace.id, caller.actor, { action: "connect_session.create", id: session.id }, request),
      );
      return connectUrls.of(session.id);
    },
  };
}
