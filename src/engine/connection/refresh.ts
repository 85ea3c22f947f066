import type { Credentials, IssuedTokens, OAuth2, TokenAnswer } from "../../contracts/authentication.ts";
import type { Coordination } from "../../contracts/coordination.ts";
import { Fault, type FaultKind } from "../../contracts/fault.ts";
import { issuedTokens } from "../../contracts/manifest.ts";
import type { Telemetry, TokenRefresh } from "../../contracts/telemetry.ts";
import { retry, sleep } from "../http/retry.ts";
import type { ConnectionContext } from "./connection-context.ts";
import type { Identities } from "./identify.ts";
import { issuedGrant, type TokenIssuer } from "./issue-token.ts";
import { isNewer, isRefreshable, mustReconnect, reconnectRequired } from "./refresh-policy.ts";
import { type createRefreshedGrants, MAX_STORING_MS, type RefreshedGrant } from "./refreshed-grants.ts";
import { validSettings } from "./settings.ts";
import { GrantRefused } from "./token-answer.ts";
import type { TokenRequests } from "./token-request.ts";

const MAX_ATTEMPTS = 3;
const PAUSE_BETWEEN_ATTEMPTS_MS = 100;
const PAUSE_WHILE_ANOTHER_REFRESHES_MS = 100;
/** How long a lock outlasts the token request: enough for the reads and writes around it. */
const LOCK_MARGIN_MS = 10_000;

export interface RefreshOptions {
  coordination: Coordination;
  identities: Identities;
  grants: ReturnType<typeof createRefreshedGrants>;
  requestToken: TokenRequests;
  issueToken: TokenIssuer;
  telemetry: Telemetry;
  /** The longest that a token request can take. */
  tokenTimeoutMs: number;
  /** Where consent leads back to, for providers that also want it with a refresh. */
  callbackUrl: string;
}

/** What a token answer changes in a connection. An answer without a refresh token leaves the current one. */
export function grantOf(token: TokenAnswer, oauth2: OAuth2, refreshToken?: string, now = Date.now()) {
  const refresh_token = token.refresh_token || refreshToken;
  // A token that cannot be refreshed is used until the provider refuses it: the manifest might end it too early.
  const seconds = token.expires_in ?? (refresh_token ? oauth2.lifetime : undefined);
  return {
    credentials: { token: token.access_token, ...(refresh_token ? { refresh_token } : {}) },
    expires_at: seconds === undefined ? null : new Date(now + seconds * 1000).toISOString(),
  };
}

/** A refreshed token was issued where the one before was. */
const withSameSignIn = <Refreshed extends { credentials: Credentials }>(grant: Refreshed, { sign_in }: Credentials) =>
  sign_in ? { ...grant, credentials: { ...grant.credentials, sign_in } } : grant;

/** Another attempt cannot succeed, or this one has taken too long already. */
const NON_RETRYABLE_FAULTS: FaultKind[] = [
  "refresh_failed",
  "connection_missing",
  "integration_missing",
  "credentials_unreadable",
  "upstream_forbidden",
  "upstream_timeout",
];
const isNonRetryable = (error: unknown) => error instanceof Fault && NON_RETRYABLE_FAULTS.includes(error.kind);

/** Faults that say more than that there is no token for now. */
const SPECIFIC_FAULTS: FaultKind[] = [
  "refresh_failed",
  "refresh_unavailable",
  "connection_missing",
  "integration_missing",
  "credentials_unreadable",
  "store_unavailable",
];
const toFault = (error: unknown): Fault =>
  error instanceof Fault && SPECIFIC_FAULTS.includes(error.kind)
    ? error
    : new Fault("refresh_unavailable", "the token could not be refreshed for now", { cause: error });

/** Refreshes tokens: one refresh at a time for each connection, whichever process it runs in. */
export function createRefresher(options: RefreshOptions) {
  const { coordination, identities, grants, requestToken, issueToken, telemetry, callbackUrl } = options;
  const lockMs = options.tokenTimeoutMs + LOCK_MARGIN_MS;
  const running = new Map<string, Promise<ConnectionContext>>();

  /** The provider refused to refresh it, and this process has no grant that the store does not know. */
  const isPermanentlyRevoked = (connection: ConnectionContext) =>
    !connection.record.is_valid && !grants.unsaved(connection);

  function report({ record, provider }: ConnectionContext, outcome: TokenRefresh["outcome"], reason?: string): void {
    const { id: connection_id, workspace_id } = record;
    const details = { provider: provider.manifest.id, connection_id, workspace_id, outcome };
    telemetry.refresh(reason === undefined ? details : { ...details, reason });
  }

  /** What a new token is requested with. */
  const usedBy = ({ record: { credentials } }: ConnectionContext, issued: IssuedTokens | undefined) =>
    issued ? credentials : { refresh_token: credentials.refresh_token! };

  async function refreshToken(connection: ConnectionContext) {
    const { record, provider, integration, settings } = connection;
    const oauth2 = provider.manifest.auth.oauth2!;
    const refresh_token = record.credentials.refresh_token!;
    const token = await requestToken({
      manifest: provider.manifest,
      integration,
      settings,
      endpoint: connection.address(oauth2.refresh ?? oauth2.token),
      parameters: {
        grant_type: "refresh_token",
        refresh_token,
        ...(oauth2.refreshWithRedirectUri ? { redirect_uri: callbackUrl } : {}),
      },
    });
    return { token, ...grantOf(token, oauth2, refresh_token) };
  }

  async function issueAgain(connection: ConnectionContext, issued: IssuedTokens) {
    const { integration, settings, address } = connection;
    const { credentials } = connection.record;
    const { manifest } = connection.provider;
    const token = await issueToken({ manifest, integration, credentials, settings, address });
    return { token, ...issuedGrant(token, issued, credentials) };
  }

  async function requestGrant(connection: ConnectionContext): Promise<RefreshedGrant> {
    const { record, provider, integration } = connection;
    const issued = issuedTokens(provider.manifest, integration.type);
    const { token, ...grant } = await (issued ? issueAgain(connection, issued) : refreshToken(connection));
    return {
      used: usedBy(connection, issued),
      change: {
        ...(issued ? grant : withSameSignIn(grant, record.credentials)),
        settings: { ...record.settings, ...validSettings(provider.manifest, token.settings) },
        refreshed_at: new Date().toISOString(),
        is_valid: true,
        invalid_reason: null,
      },
    };
  }

  /** Under the lock: reads what is stored now, and asks the provider only if nobody else has. */
  async function refreshUnderLock(stale: ConnectionContext): Promise<ConnectionContext> {
    const connection = await identities.reload(stale);
    if (isNewer(connection, stale)) return connection;
    const { record } = connection;
    const unsaved = grants.unsaved(connection);
    if (unsaved) return grants.save(connection, unsaved);
    if (isPermanentlyRevoked(connection) || !isRefreshable(connection)) throw reconnectRequired(record.invalid_reason);
    try {
      const grant = await requestGrant(connection);
      report(connection, "renewed");
      return await grants.save(connection, grant);
    } catch (error) {
      if (!(error instanceof GrantRefused)) throw error;
      report(connection, "refused", error.message);
      const issued = issuedTokens(connection.provider.manifest, connection.integration.type);
      await grants.markInvalid(connection, usedBy(connection, issued), error.message);
      // A process that was suspended may have stored a newer grant after its lock had expired.
      const now = await identities.reload(connection);
      if (isNewer(now, connection)) return now;
      throw reconnectRequired(error.message);
    }
  }

  /** Waits for the process that holds the lock, and takes over if that did not help. */
  async function refresh(stale: ConnectionContext): Promise<ConnectionContext> {
    const deadline = Date.now() + 2 * lockMs;
    for (let failures = 0; ; ) {
      const lock = await coordination.lock(`refresh:${stale.record.id}`, lockMs);
      if (!lock) {
        await sleep(PAUSE_WHILE_ANOTHER_REFRESHES_MS);
        const connection = await identities.reload(stale);
        if (isNewer(connection, stale)) return connection;
        if (isPermanentlyRevoked(connection)) throw reconnectRequired(connection.record.invalid_reason);
        if (Date.now() > deadline)
          throw new Fault("refresh_unavailable", "timed out waiting for another token refresh");
        continue;
      }
      try {
        return await refreshUnderLock(stale);
      } catch (error) {
        if (isNonRetryable(error) || ++failures >= MAX_ATTEMPTS) throw error;
      } finally {
        // A lock that cannot be released now blocks the next refresh until it can be, or expires.
        await lock.release().catch(() => void retry(lock.release, { forMs: MAX_STORING_MS }).catch(() => {}));
      }
      await sleep(PAUSE_BETWEEN_ATTEMPTS_MS * 2 ** failures * (0.5 + Math.random()));
    }
  }

  return {
    isPermanentlyRevoked,

    /** Everyone in this process who needs the same refresh waits for the same one, each with the provider they call. */
    async refreshOnce(stale: ConnectionContext): Promise<ConnectionContext> {
      const { id } = stale.record;
      let current = running.get(id);
      if (!current) {
        current = refresh(stale)
          .catch((error: unknown) => {
            if (!mustReconnect(error)) report(stale, "failed", error instanceof Error ? error.message : undefined);
            throw toFault(error);
          })
          .finally(() => running.delete(id));
        running.set(id, current);
      }
      const refreshed = await current;
      const isThere = refreshed.provider.manifest.id === stale.provider.manifest.id;
      return isThere ? refreshed : refreshed.at(stale.provider);
    },

    /** Waits for every refresh in progress. */
    async settle(): Promise<void> {
      await Promise.allSettled(running.values());
    },
  };
}
