import { Fault } from "../../contracts/fault.ts";
import type { ConnectionContext } from "./connection-context.ts";

const REFRESH_AHEAD_SECONDS = 60;

/**
 * What to do about a connection's token before a call:
 * - `use`: it is valid for long enough, or cannot be refreshed and has not expired yet
 * - `refresh-early`: it expires soon, so a refresh is worth trying but need not succeed
 * - `refresh`: it has expired
 * - `revoked`: it has expired or was refused, and cannot be refreshed
 */
export type TokenAction = "use" | "refresh-early" | "refresh" | "revoked";

export const hasExpired = ({ expiresAt }: ConnectionContext, now = Date.now()) => expiresAt <= now;

export const isRefreshable = ({ integration, record }: ConnectionContext) =>
  integration.type === "oauth2" && record.credentials.refresh_token !== undefined;

/** Whether it was refreshed since `before`. Some providers return the same access token with a later expiry. */
export const isNewer = (connection: ConnectionContext, { record: before }: ConnectionContext) =>
  !hasExpired(connection) &&
  (connection.record.credentials.token !== before.credentials.token ||
    connection.record.refreshed_at !== before.refreshed_at);

const lifetimeMs = ({ record, expiresAt }: ConnectionContext) =>
  Math.max(0, expiresAt - Date.parse(record.refreshed_at ?? record.created_at));

/** `canRefresh`: whether a refresh could succeed at all. */
export function tokenAction(
  connection: ConnectionContext,
  canRefresh: (connection: ConnectionContext) => boolean,
  now = Date.now(),
): TokenAction {
  const { expiresAt, record } = connection;
  // The provider is not asked again until the user has connected again, or a grant that could not be stored is.
  if (!record.is_valid) return canRefresh(connection) ? "refresh" : "revoked";
  if (expiresAt === Number.POSITIVE_INFINITY) return "use";
  const aheadMs = (connection.provider.manifest.auth.oauth2?.refreshAhead ?? REFRESH_AHEAD_SECONDS) * 1000;
  // A token with a shorter lifetime than that would otherwise be refreshed at every call.
  if (now < expiresAt - aheadMs || now < expiresAt - lifetimeMs(connection) / 2) return "use";
  const expired = hasExpired(connection, now);
  if (!canRefresh(connection)) return expired ? "revoked" : "use";
  return expired ? "refresh" : "refresh-early";
}

export const mustReconnect = (error: unknown): boolean => error instanceof Fault && error.kind === "refresh_failed";

/** The user has to connect again. */
export const reconnectRequired = (reason: string | null) =>
  new Fault("refresh_failed", `the connection is no longer valid${reason ? ` (${reason})` : ""}: connect again`);
