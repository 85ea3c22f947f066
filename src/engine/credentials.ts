import type { Coordination } from "../contracts/coordination.ts";
import { Fault } from "../contracts/fault.ts";
import type { TokenAnswer } from "../contracts/manifest.ts";
import type { Store } from "../contracts/store.ts";
import type { Telemetry } from "../contracts/telemetry.ts";
import type { Accounts } from "./accounts.ts";
import type { LiveConnection } from "./live.ts";
import { pause } from "./retry.ts";
import { GrantRefused, type TokenRequests } from "./token-request.ts";

const REFRESH_AHEAD_SECONDS = 60;
/** Longer than the longest refresh: three tries of 20 s each, with their pauses. */
const LOCK_MS = 90_000;
const TRIES = 3;
const PAUSE_BETWEEN_TRIES_MS = 500;
const PAUSE_WHILE_ANOTHER_REFRESHES_MS = 100;
/** After an early refresh that failed, the living token is used for this long before the next try. */
const REST_AFTER_FAILURE_MS = 10_000;

interface CredentialsOptions {
  store: Store;
  coordination: Coordination;
  accounts: Accounts;
  requestToken: TokenRequests;
  telemetry: Telemetry;
}

/** What a token answer changes in a stored connection. */
export function afterToken(token: TokenAnswer, refreshToken: string | undefined, now = Date.now()) {
  return {
    credentials: { token: token.access_token, refresh_token: token.refresh_token ?? refreshToken },
    expires_at: token.expires_in === undefined ? null : new Date(now + token.expires_in * 1000).toISOString(),
    refreshed_at: new Date(now).toISOString(),
    is_valid: true,
    invalid_reason: null,
  };
}

/** Keeps tokens fresh: one refresh at a time for each connection, whichever process it runs in. */
export function createCredentials({ store, coordination, accounts, requestToken, telemetry }: CredentialsOptions) {
  const running = new Map<string, Promise<LiveConnection>>();
  const restUntil = new Map<string, number>();

  const isRefreshable = (live: LiveConnection) =>
    live.integration.type === "oauth2" && live.record.credentials.refresh_token !== undefined;

  /** Under the lock: reads what is stored now, and asks the provider only if nobody else has. */
  async function refreshUnderLock(stale: LiveConnection): Promise<LiveConnection> {
    const live = await accounts.reload(stale);
    if (live.record.credentials.token !== stale.record.credentials.token) return live;
    const { record, provider, integration } = live;
    if (!record.is_valid) throw refused(record.invalid_reason);
    const refreshToken = record.credentials.refresh_token!;
    const quirks = provider.manifest.auth.oauth2!;
    try {
      const token = await requestToken({
        manifest: provider.manifest,
        integration,
        endpoint: live.address(quirks.token),
        parameters: { grant_type: "refresh_token", refresh_token: refreshToken },
      });
      const settings = token.settings ? { settings: { ...record.settings, ...token.settings } } : {};
      await store.connections.update(record.id, { ...afterToken(token, refreshToken), ...settings });
      telemetry.refresh({ provider: provider.manifest.id, outcome: "renewed" });
    } catch (error) {
      if (!(error instanceof GrantRefused)) throw error;
      telemetry.refresh({ provider: provider.manifest.id, outcome: "refused" });
      await store.connections.update(record.id, { is_valid: false, invalid_reason: error.message });
      await coordination.invalidate("connection", record.id);
      throw refused(error.message);
    }
    await coordination.invalidate("connection", record.id);
    return accounts.reload(live);
  }

  async function refresh(stale: LiveConnection): Promise<LiveConnection> {
    const { id } = stale.record;
    const deadline = Date.now() + LOCK_MS;
    for (let tries = 0; ; ) {
      const lock = await coordination.lock(`refresh:${id}`, LOCK_MS);
      if (!lock) {
        if (Date.now() > deadline) throw new Fault("refresh_unavailable", "another refresh does not come to an end");
        await pause(PAUSE_WHILE_ANOTHER_REFRESHES_MS);
        const live = await accounts.reload(stale);
        if (live.record.credentials.token !== stale.record.credentials.token) return live;
        if (!live.record.is_valid) throw refused(live.record.invalid_reason);
        continue;
      }
      try {
        return await refreshUnderLock(stale);
      } catch (error) {
        if (isFinal(error) || ++tries >= TRIES) throw error;
      } finally {
        await lock.release();
      }
      await pause(PAUSE_BETWEEN_TRIES_MS * tries);
    }
  }

  /** Everyone in this process who needs the same refresh waits for the same one. */
  function refreshOnce(stale: LiveConnection): Promise<LiveConnection> {
    const { id } = stale.record;
    const current = running.get(id);
    if (current) return current;
    const promise = refresh(stale).finally(() => running.delete(id));
    running.set(id, promise);
    return promise;
  }

  async function refreshEarly(live: LiveConnection): Promise<LiveConnection> {
    try {
      return await refreshOnce(live);
    } catch (error) {
      if (live.expiresAt > Date.now()) {
        restUntil.set(live.record.id, Date.now() + REST_AFTER_FAILURE_MS);
        return live;
      }
      if (!(error instanceof Fault && error.kind === "refresh_failed"))
        telemetry.refresh({ provider: live.provider.manifest.id, outcome: "failed" });
      throw error instanceof Fault && isRefreshFault(error)
        ? error
        : new Fault("refresh_unavailable", "the token could not be renewed just now", { cause: error });
    }
  }

  return {
    isRefreshable,

    /** The connection with a token that is good for the next while. Where it is already: at once. */
    fresh(live: LiveConnection): LiveConnection | Promise<LiveConnection> {
      if (live.expiresAt === Number.POSITIVE_INFINITY) return live;
      const now = Date.now();
      const ahead = (live.provider.manifest.auth.oauth2?.refreshAhead ?? REFRESH_AHEAD_SECONDS) * 1000;
      if (now < live.expiresAt - ahead) return live;
      const living = now < live.expiresAt;
      if (!isRefreshable(live)) {
        if (living) return live;
        throw refused("the token has expired and the connection has no refresh token");
      }
      if (living && now < (restUntil.get(live.record.id) ?? 0)) return live;
      restUntil.delete(live.record.id);
      return refreshEarly(live);
    },

    /** After the provider refused the token: a new one, unless another call has fetched it already. */
    renew: refreshOnce,
  };
}

const refused = (reason: string | null) =>
  new Fault("refresh_failed", `the token can no longer be renewed${reason ? ` (${reason})` : ""}: connect again`);

const isRefreshFault = (fault: Fault) => fault.kind === "refresh_failed" || fault.kind === "refresh_unavailable";

const isFinal = (error: unknown) =>
  error instanceof Fault &&
  ["refresh_failed", "connection_missing", "integration_missing", "upstream_forbidden"].includes(error.kind);

export type CredentialKeeper = ReturnType<typeof createCredentials>;
