import { Fault } from "../../contracts/fault.ts";
import { issuedTokens, type Manifest } from "../../contracts/manifest.ts";
import { SANDBOX } from "./address.ts";
import type { ConnectionContext } from "./connection-context.ts";
import { coversAddress } from "./sign-in.ts";

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

/** Whether tokens are issued to it without the user. */
export const isIssued = ({ integration, provider }: ConnectionContext) =>
  issuedTokens(provider.manifest, integration.type) !== undefined;

/** Whether its refresh token can be used. A token that no sign-in of ours issued comes from nowhere that is known. */
const hasRefreshToken = ({ integration, record, provider, hasAddress }: ConnectionContext) =>
  integration.type === "oauth2" &&
  record.credentials.refresh_token !== undefined &&
  (!provider.manifest.auth.oauth2?.discovered || hasAddress("token"));

/** Whether there can be another token without the user. One that is not stored yet is never refreshed. */
export const isRefreshable = (connection: ConnectionContext) =>
  connection.record.id !== "" && (isIssued(connection) || hasRefreshToken(connection));

/** Whether its token was issued for another server than the integration leads to now, which must not get it. */
export const isForAnotherServer = ({ record, integration, address }: ConnectionContext) =>
  record.credentials.sign_in !== undefined &&
  integration.base_url !== SANDBOX &&
  !coversAddress(record.credentials.sign_in.resource, address("mcp"));

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
  const { oauth2 }: Manifest["auth"] = isIssued(connection) ? {} : connection.provider.manifest.auth;
  const aheadMs = (oauth2?.refreshAhead ?? REFRESH_AHEAD_SECONDS) * 1000;
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
