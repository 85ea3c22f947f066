import { includesScope } from "../../../contracts/access.ts";
import type { Caller } from "../../../contracts/caller.ts";
import type { Store } from "../../../contracts/store.ts";
import type { AuditedRequest } from "../../shared/audit.ts";
import type { ConnectUrls } from "../../shared/connect-urls.ts";
import { addConnectSession, newConnectSession } from "../../shared/new-connect-session.ts";

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
      const workspace_id = caller.workspace.id;
      const session = newConnectSession(
        "connection" in target
          ? {
              workspace_id,
              external_id: target.connection.external_id,
              integrations: [target.connection.integration_id],
              connection_id: target.connection.id,
            }
          : { workspace_id, external_id: target.externalId, integrations: [target.integrationId] },
        LINK_SECONDS,
      );
      await addConnectSession(store, caller.actor, session, request);
      return connectUrls.of(session.id);
    },
  };
}
