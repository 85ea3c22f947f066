import type { Coordination } from "../../contracts/coordination.ts";
import type { Store } from "../../contracts/store.ts";
import type { Telemetry } from "../../contracts/telemetry.ts";
import { BoundedMap } from "../../runtime/bounded-map.ts";
import { Cancellation } from "../http/cancellation.ts";
import { sleep } from "../http/retry.ts";
import type { ConnectionContext } from "./connection-context.ts";
import type { Identities } from "./identify.ts";
import type { TokenIssuer } from "./issue-token.ts";
import { createRefresher } from "./refresh.ts";
import { createRefreshLoopGuard } from "./refresh-loop-guard.ts";
import {
  hasExpired,
  isForAnotherServer,
  isIssued,
  isRefreshable,
  mustReconnect,
  reconnectRequired,
  tokenAction,
} from "./refresh-policy.ts";
import { createRefreshedGrants } from "./refreshed-grants.ts";
import { createRefusals } from "./refusals.ts";
import type { Revoker } from "./revoke.ts";
import type { TokenRequests } from "./token-request.ts";

/** How long a call whose token is still valid waits for an early refresh before it uses that token. */
const MAX_EARLY_WAIT_MS = 3_000;
/** After an early refresh that failed, the token that is still valid is used for this long before the next attempt. */
const REST_AFTER_FAILURE_MS = 10_000;
const MAX_RESTING = 10_000;

interface TokenKeeperOptions {
  /** Whether the provider's API refuses the connection's credentials altogether. */
  isRefusedByApi(connection: ConnectionContext): Promise<boolean>;
  store: Store;
  coordination: Coordination;
  identities: Identities;
  requestToken: TokenRequests;
  issueToken: TokenIssuer;
  revoke: Revoker;
  telemetry: Telemetry;
  tokenTimeoutMs: number;
  callbackUrl: string;
}

/** Keeps tokens valid: when to refresh is in `refresh-policy`, how in `refresh`, storing in `refreshed-grants`. */
export function createTokenKeeper(options: TokenKeeperOptions) {
  const grants = createRefreshedGrants(options);
  const refresher = createRefresher({ ...options, grants });
  const { isPermanentlyRevoked, refreshOnce } = refresher;
  const loopGuard = createRefreshLoopGuard();
  const refusals = createRefusals(options);
  /** Connections whose early refresh failed a moment ago. */
  const resting = new BoundedMap<true>(MAX_RESTING, REST_AFTER_FAILURE_MS);

  const canRefresh = (connection: ConnectionContext) => isRefreshable(connection) && !isPermanentlyRevoked(connection);

  /** Before the token expires: a refresh that fails for now or takes long delays no call. */
  async function refreshEarly(connection: ConnectionContext): Promise<ConnectionContext> {
    const refresh = refreshOnce(connection);
    const decided = new Cancellation();
    try {
      const refreshed = await Promise.race([refresh, sleep(MAX_EARLY_WAIT_MS, decided)]);
      if (refreshed) return refreshed;
      if (hasExpired(connection)) return await refresh;
    } catch (error) {
      if (hasExpired(connection) || mustReconnect(error)) throw error;
    } finally {
      decided.cancel();
    }
    resting.set(connection.record.id, true);
    return connection;
  }

  return {
    isRefreshable,
    isRefusedByApi: options.isRefusedByApi,

    /** The connection with a valid token. */
    withValidToken(connection: ConnectionContext): ConnectionContext | Promise<ConnectionContext> {
      if (isForAnotherServer(connection)) throw reconnectRequired("its integration has another address now");
      switch (tokenAction(connection, canRefresh)) {
        case "use":
          return connection;
        case "refresh-early":
          return resting.get(connection.record.id) ? connection : refreshEarly(connection);
        case "refresh":
          return refreshOnce(connection);
        case "revoked":
          throw reconnectRequired(connection.record.invalid_reason ?? "it has expired, and there is no refresh token");
      }
    },

    /**
     * After the provider refused the token: a new one, unless another call has fetched it already. Undefined if there is
     * none for now. Throws if the user has to connect again.
     */
    async refreshRefusedToken(connection: ConnectionContext): Promise<ConnectionContext | undefined> {
      const { id, credentials } = connection.record;
      if (loopGuard.blocks(id, credentials.token)) {
        // Tokens that are issued for a revoked key, or made with it, are refused as a key is.
        if (isIssued(connection)) await refusals.refused(connection);
        return undefined;
      }
      try {
        return await refreshOnce(connection);
      } catch (error) {
        if (mustReconnect(error)) throw error;
        return undefined;
      }
    },

    /** Notes whether the provider accepted the credentials. */
    noteStatus(connection: ConnectionContext, status: number): undefined | Promise<void> {
      if (status < 300) {
        loopGuard.reset(connection.record.id);
        refusals.accepted(connection);
      } else if (status === 401 && !isRefreshable(connection)) return refusals.refused(connection);
      return undefined;
    },

    /** Notes that the provider refused a refreshed token as well: the token is not the reason. */
    refusedAgain: ({ record }: ConnectionContext): void => loopGuard.add(record.id, record.credentials.token),

    settle: refresher.settle,
  };
}

export type TokenKeeper = ReturnType<typeof createTokenKeeper>;
