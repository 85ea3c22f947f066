import type { Connection, ConnectSession, Integration, Workspace } from "../../contracts/entities.ts";
import type { McpGrant } from "../../contracts/mcp-grants.ts";
import type { Provider } from "../../contracts/provider.ts";

/** A connect session and its address. */
export type OpenSession = ConnectSession & {
  url: string;
  /** Where the user continues afterwards: the sign-in of an MCP client. */
  continueUrl?: string | undefined;
  /** The MCP client that can use the account afterwards. */
  mcpClient?: Pick<McpGrant, "client_name" | "redirect_host"> | undefined;
};

/** A valid request to connect an account. */
export interface ConnectFlow {
  workspace: Workspace;
  integration: Integration;
  provider: Provider;
  /** Exactly one of the workspace's `redirect_uris`; null if the flow ends on a page. */
  redirectUri: string | null;
  externalId: string | null;
  /** Passed by the application, and returned to it unchanged. */
  state: string | null;
  /** The existing connection to reconnect, if any. */
  connection: Connection | undefined;
  /** The connect session that the flow belongs to; none for `/authorize`. */
  session: OpenSession | undefined;
}

/**
 * Where a flow ends: at the application or, for a connect session without a redirect, on a page, which also tells the
 * window that opened it.
 */
export type Ending =
  | {
      redirectUri: string;
      state: string | null;
      /** Who answers (RFC 9207), if it is an authorization server. */
      iss?: string;
    }
  | { redirectUri: null; session: OpenSession; workspace: Workspace };

/** A flow without a redirect always belongs to a session. */
export const endingOf = (flow: Pick<ConnectFlow, "redirectUri" | "state" | "session" | "workspace">): Ending =>
  flow.redirectUri === null
    ? { redirectUri: null, session: flow.session!, workspace: flow.workspace }
    : { redirectUri: flow.redirectUri, state: flow.state };
