import { includesScope } from "../../../contracts/access.ts";
import type { Caller, CallerGrant } from "../../../contracts/caller.ts";
import type { Store } from "../../../contracts/store.ts";
import type { AuditedRequest } from "../../shared/audit.ts";
import type { ConnectUrls } from "../../shared/connect-urls.ts";
import { addConnectSession, newConnectSession } from "../../shared/new-connect-session.ts";

/** What a link connects: an account again, or a new one for a person. */
export type LinkTarget =
  | { connection: { id: string; external_id: string | null; integration_id: string } }
  | { externalId: string; integrationId: string };

const LINK_SECONDS = 30 * 60;

/**
 * A link that is for a grant works only in the browser in which the grant was given. Otherwise its client could send the
 * link to somebody else, whose account it would get:
 * https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation
 */
const boundTo = (grant: CallerGrant | undefined) => (grant ? { mcp_grant_id: grant.id, browser: grant.browser } : {});

const secondsLeft = (grant: CallerGrant | undefined): number =>
  grant?.expiresAt ? Math.min(LINK_SECONDS, (Date.parse(grant.expiresAt) - Date.now()) / 1_000) : LINK_SECONDS;

/** Makes links with which a person connects an account in the middle of a conversation. */
export function createConnectLinks(store: Pick<Store, "change">, connectUrls: ConnectUrls) {
  return {
    /** Whether this caller may make links at all. */
    allowed: (caller: Caller): boolean =>
      caller.grant !== undefined || includesScope(caller.scopes, "connections:write"),

    async create(caller: Caller, target: LinkTarget, request: AuditedRequest): Promise<string> {
      const own = { workspace_id: caller.workspace.id, ...boundTo(caller.grant) };
      const session = newConnectSession(
        "connection" in target
          ? {
              ...own,
              external_id: target.connection.external_id,
              integrations: [target.connection.integration_id],
              connection_id: target.connection.id,
            }
          : { ...own, external_id: target.externalId, integrations: [target.integrationId] },
        secondsLeft(caller.grant),
      );
      await addConnectSession(store, caller.actor, session, request);
      return connectUrls.of(session.id);
    },
  };
}
