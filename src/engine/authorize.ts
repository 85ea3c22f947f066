import { type Access, hasRole, includesScope, isBound, type Permissions, roleOf } from "../contracts/access.ts";
import type { Caller, ConnectionUser } from "../contracts/caller.ts";
import type { Coordination, CountedCall, RateLimit } from "../contracts/coordination.ts";
import { Fault } from "../contracts/fault.ts";
import type { BoundOperation } from "../contracts/operation.ts";
import { whenHere } from "../runtime/when-here.ts";
import type { ConnectionContext } from "./connection/connection-context.ts";
import type { Identities } from "./connection/identify.ts";
import type { TokenKeeper } from "./connection/token-refresh.ts";

/** What somebody wants to do over one of a workspace's connections. */
export interface Use {
  user: ConnectionUser;
  connectionId: string | undefined;
  /** The operation to run, or the provider's own MCP server. Undefined for any other call to its API. */
  requires?: BoundOperation | "mcp";
  /** Calls are counted per connection and `group`: Proxy and MCP share one. */
  limit: RateLimit & { group: string; retryAfter?: number };
  /** Whether a token that has expired is left as it is: `withValidToken` refreshes it when it is needed. */
  tokenLater?: boolean;
  /** How many points of the limit it takes: one, unless it is a batch. */
  points?: number;
  /** Called with the result of each count, before a call over the limit is refused. */
  onCounted?(counted: CountedCall): void;
}

export interface AuthorizeOptions {
  identities: Identities;
  tokens: TokenKeeper;
  coordination: Coordination;
  supports(connection: ConnectionContext, operation: BoundOperation): boolean;
}

const appliesToolPack = (access: Access) =>
  typeof access === "object" && "scope" in access && access.appliesToolPack === true;

/** What a caller may do is decided here, for every route. */
export function assertAllowed(caller: Permissions & Pick<Caller, "toolPack">, access: Access): void {
  if (caller.toolPack && !appliesToolPack(access))
    throw new Fault("insufficient_scope", `the tool pack ${caller.toolPack.name} allows nothing but Unified MCP`);
  if (typeof access === "string") return;
  if ("role" in access) {
    if (hasRole(caller, access.role) && !isBound(caller)) return;
    throw new Fault(
      "insufficient_scope",
      `this needs the role ${access.role}, and you have ${roleOf(caller) ?? "none"}`,
    );
  }
  const { scope, wholeWorkspace } = access;
  if (!includesScope(caller.scopes, scope))
    throw new Fault("insufficient_scope", `the API key lacks the scope ${scope}`, { scope });
  if (wholeWorkspace && isBound(caller))
    throw new Fault("insufficient_scope", "the API key is bound to some connections, and this concerns all of them");
}

/**
 * Who is calling, over which connection, and are they allowed to: every surface starts here. The specification defines
 * the order: key, connection, operation, token, rate limit.
 */
export function createAuthorizer({ identities, tokens, coordination, supports }: AuthorizeOptions) {
  function assertSupported(connection: ConnectionContext, requires: Use["requires"]): void {
    const { name, mcpOnly } = connection.provider.manifest;
    if (requires === "mcp" && !connection.hasAddress("mcp"))
      throw new Fault("mcp_unsupported", `${name} has no known MCP server`);
    if (typeof requires === "object" && !supports(connection, requires))
      throw new Fault(
        "operation_unsupported",
        mcpOnly ? `an ${name} has no operations: its tools are at /mcp` : `${name} does not support this operation`,
      );
  }

  function assertWithinLimit({ limit, onCounted }: Use, counted: CountedCall): void {
    onCounted?.(counted);
    if (counted.allowed) return;
    const retryAfter = limit.retryAfter ?? counted.resetSeconds;
    throw new Fault("rate_limited", "the connection's rate limit is exceeded", { retryAfter });
  }

  /** Counts points of the rate limit one by one. */
  function count(use: Use, connection: ConnectionContext, points: number): void | Promise<void> {
    const { limit } = use;
    return whenHere(coordination.consume(connection.record.id, limit), (counted) => {
      assertWithinLimit(use, counted);
      return points > 1 ? count(use, connection, points - 1) : undefined;
    });
  }

  const find = (use: Pick<Use, "user" | "connectionId" | "requires">): ConnectionContext | Promise<ConnectionContext> =>
    whenHere(identities.connection(use.user, use.connectionId), (connection) => {
      assertSupported(connection, use.requires);
      return connection;
    });

  return {
    /** Whose API key it is, or the fault `unauthorized`. */
    authenticate: identities.caller,
    /** Which MCP client's access token it is, or the fault `unauthorized`. */
    authenticateMcpClient: identities.mcpClient,

    /** The connection with a valid token, if its user may use it now. */
    authorize(use: Use): ConnectionContext | Promise<ConnectionContext> {
      return whenHere(find(use), (connection) =>
        whenHere(use.tokenLater ? connection : tokens.withValidToken(connection), (usable) =>
          whenHere(count(use, usable, use.points ?? 1), () => usable),
        ),
      );
    },

    /** The connection as it is, for a request that sends nothing. */
    inspect: async (use: Pick<Use, "user" | "connectionId" | "requires">): Promise<ConnectionContext> => find(use),

    withValidToken: tokens.withValidToken,
  };
}
