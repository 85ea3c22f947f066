import type { Coordination, CountedCall, RateLimit } from "../contracts/coordination.ts";
import type { Workspace } from "../contracts/entities.ts";
import { Fault } from "../contracts/fault.ts";
import type { BoundOperation } from "../contracts/operation.ts";
import type { ConnectionContext } from "./connection/connection-context.ts";
import type { Identities } from "./connection/identify.ts";
import type { TokenKeeper } from "./connection/token-refresh.ts";

/**
 * A value that comes without a promise if possible. A call with everything cached then waits for nothing, not even for
 * the next turn of the event loop. This is the only place that avoids promises.
 */
type Maybe<Value> = Value | Promise<Value>;

const mapMaybe = <Value, Result>(value: Maybe<Value>, next: (value: Value) => Maybe<Result>): Maybe<Result> =>
  value instanceof Promise ? value.then(next) : next(value);

/** What a workspace wants to do over one of its connections. */
export interface Use {
  workspace: Pick<Workspace, "id">;
  connectionId: string | undefined;
  /** The operation to run, or the provider's own MCP server. Undefined for any other call to its API. */
  requires?: BoundOperation | "mcp";
  /** Calls are counted per connection and `group`: Proxy and MCP share one. */
  limit: RateLimit & { group: string; retryAfter?: number };
  /** Whether a token that has expired is left as it is: `withValidToken` refreshes it when it is needed. */
  tokenLater?: boolean;
  /** How many calls to count. */
  calls?: number;
  /** Called with the result of each count, before a call over the limit is refused. */
  onCounted?(counted: CountedCall): void;
}

export interface AuthorizeOptions {
  identities: Identities;
  tokens: TokenKeeper;
  coordination: Coordination;
  supports(connection: ConnectionContext, operation: BoundOperation): boolean;
}

/**
 * Who is calling, over which connection, and are they allowed to: every surface starts here. The specification defines
 * the order: key, connection, operation, token, rate limit.
 */
export function createAuthorizer({ identities, tokens, coordination, supports }: AuthorizeOptions) {
  function assertSupported(connection: ConnectionContext, requires: Use["requires"]): void {
    const { name } = connection.provider.manifest;
    if (requires === "mcp" && !connection.hasAddress("mcp"))
      throw new Fault("mcp_unsupported", `${name} has no known MCP server`);
    if (typeof requires === "object" && !supports(connection, requires))
      throw new Fault("operation_unsupported", `${name} does not support this operation`);
  }

  function consumeRateLimit(connection: ConnectionContext, { limit, onCounted }: Use): Maybe<void> {
    return mapMaybe(coordination.consume(`${limit.group}:${connection.record.id}`, limit), (counted) => {
      onCounted?.(counted);
      if (counted.allowed) return;
      const retryAfter = limit.retryAfter ?? counted.resetSeconds;
      throw new Fault("rate_limited", "the connection's rate limit is exceeded", { retryAfter });
    });
  }

  function consumeAll(connection: ConnectionContext, use: Use): Maybe<ConnectionContext> {
    let consumed = consumeRateLimit(connection, use);
    for (let call = 1; call < (use.calls ?? 1); call++)
      consumed = mapMaybe(consumed, () => consumeRateLimit(connection, use));
    return mapMaybe(consumed, () => connection);
  }

  return {
    /** The workspace that an API key belongs to, or the fault `unauthorized`. */
    authenticate: (key: string | undefined): Maybe<Workspace> => identities.workspace(key),

    /** The connection with a valid token, if the workspace may use it now. */
    authorize: (use: Use): Maybe<ConnectionContext> =>
      mapMaybe(identities.connection(use.workspace, use.connectionId), (connection) => {
        assertSupported(connection, use.requires);
        const ready = use.tokenLater ? connection : tokens.withValidToken(connection);
        return mapMaybe(ready, (usable) => consumeAll(usable, use));
      }),

    /** The connection as it is, for a request that sends nothing. */
    inspect: (use: Pick<Use, "workspace" | "connectionId" | "requires">): Maybe<ConnectionContext> =>
      mapMaybe(identities.connection(use.workspace, use.connectionId), (connection) => {
        assertSupported(connection, use.requires);
        return connection;
      }),

    withValidToken: tokens.withValidToken,
  };
}
