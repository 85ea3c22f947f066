import type { Coordination } from "../../contracts/coordination.ts";
import type { Connection } from "../../contracts/entities.ts";
import { Fault, type FaultKind } from "../../contracts/fault.ts";
import type { OAuth2, TokenAnswer } from "../../contracts/manifest.ts";
import type { ConnectionChange, Store } from "../../contracts/store.ts";
import type { Telemetry } from "../../contracts/telemetry.ts";
import { Ending } from "../http/cancellation.ts";
import { pause } from "../http/retry.ts";
import { persist } from "../http/retry-write.ts";
import type { LiveConnection } from "./connection-context.ts";
import type { Accounts } from "./identify.ts";
import { createUselessRenewals } from "./refresh-loop-guard.ts";
import type { Revoker } from "./revoke.ts";
import { soundSettings } from "./settings.ts";
import { GrantRefused, type TokenRequests } from "./token-request.ts";

const REFRESH_AHEAD_SECONDS = 60;
const TRIES = 3;
const PAUSE_BETWEEN_TRIES_MS = 100;
const PAUSE_WHILE_ANOTHER_REFRESHES_MS = 100;
/** How long a call whose token still lives waits for an early refresh before it goes on with that token. */
const EARLY_PATIENCE_MS = 3_000;
/** After an early refresh that failed, the living token is used for this long before the next try. */
const REST_AFTER_FAILURE_MS = 10_000;
/** How long a renewed grant is tried to be stored: the provider may have made the old one void. */
const STORE_PATIENCE_MS = 30_000;
/** What a lock lasts beyond the token request: enough for the reads and writes around it. */
const LOCK_MARGIN_MS = 10_000;

interface CredentialsOptions {
  store: Store;
  coordination: Coordination;
  accounts: Accounts;
  requestToken: TokenRequests;
  revoke: Revoker;
  telemetry: Telemetry;
  /** The longest that a token request can take. */
  tokenTimeoutMs: number;
  /** Where consent leads back to, for providers that want it with a refresh, too. */
  callbackUrl: string;
}

/** What a token answer makes of a connection. An answer without a refresh token leaves the one there was. */
export function afterToken(token: TokenAnswer, oauth2: OAuth2, refreshToken?: string, now = Date.now()) {
  const refresh_token = token.refresh_token || refreshToken;
  // A token that cannot be renewed is used until the provider refuses it: the manifest's word might end it too early.
  const seconds = token.expires_in ?? (refresh_token ? oauth2.lifetime : undefined);
  return {
    credentials: { token: token.access_token, ...(refresh_token ? { refresh_token } : {}) },
    expires_at: seconds === undefined ? null : new Date(now + seconds * 1000).toISOString(),
  };
}

/** A renewed grant that is not stored yet. */
interface Renewal {
  used: string;
  change: ConnectionChange & Pick<Connection, "credentials">;
}

/** Keeps tokens fresh: one refresh at a time for each connection, whichever process it runs in. */
export function createCredentials(options: CredentialsOptions) {
  const { store, coordination, accounts, requestToken, revoke, telemetry, callbackUrl } = options;
  const lockMs = options.tokenTimeoutMs + LOCK_MARGIN_MS;
  const running = new Map<string, Promise<LiveConnection>>();
  const restUntil = new Map<string, number>();
  const useless = createUselessRenewals();
  /** What the store would not take for as long as we had patience. */
  const unsaved = new Map<string, Renewal>();

  const isRefreshable = (live: LiveConnection) =>
    live.integration.type === "oauth2" && live.record.credentials.refresh_token !== undefined;

  /** The provider refused to renew it, and this process has nothing that the store does not know. */
  const isHopeless = ({ record }: LiveConnection) => !record.is_valid && !unsaved.has(record.id);

  /** Stores a renewed grant before anybody uses it, unless the connection holds a newer one or is gone. */
  async function save(live: LiveConnection, renewal: Renewal): Promise<LiveConnection> {
    const { id, workspace_id } = live.record;
    try {
      const saved = await persist(() => store.connections.renew(id, renewal.used, renewal.change), STORE_PATIENCE_MS);
      unsaved.delete(id);
      if (!saved && !(await store.connections.get(workspace_id, id)))
        await revoke({ ...live.record, credentials: renewal.change.credentials }, live.integration);
    } catch (error) {
      unsaved.set(id, renewal);
      telemetry.warn("a renewed token could not be stored: it is lost if this process ends before the store is back", {
        connection_id: id,
      });
      throw error;
    }
    await coordination.invalidate("connection", id);
    return accounts.reload(live);
  }

  async function ask(live: LiveConnection, used: string): Promise<Renewal> {
    const { record, provider, integration } = live;
    const oauth2 = provider.manifest.auth.oauth2!;
    const token = await requestToken({
      manifest: provider.manifest,
      integration,
      endpoint: live.address(oauth2.token),
      parameters: {
        grant_type: "refresh_token",
        refresh_token: used,
        ...(oauth2.refreshWithRedirectUri ? { redirect_uri: callbackUrl } : {}),
      },
    });
    return {
      used,
      change: {
        ...afterToken(token, oauth2, used),
        settings: { ...record.settings, ...soundSettings(provider.manifest, token.settings) },
        refreshed_at: new Date().toISOString(),
        is_valid: true,
        invalid_reason: null,
      },
    };
  }

  /** Under the lock: reads what is stored now, and asks the provider only if nobody else has. */
  async function refreshUnderLock(stale: LiveConnection): Promise<LiveConnection> {
    const live = await accounts.reload(stale);
    if (isRenewed(live, stale)) return live;
    const { record, provider } = live;
    const kept = unsaved.get(record.id);
    if (kept) return save(live, kept);
    const used = record.credentials.refresh_token;
    if (isHopeless(live) || used === undefined) throw refused(record.invalid_reason);
    const tell = (outcome: "renewed" | "refused") => telemetry.refresh({ provider: provider.manifest.id, outcome });
    try {
      const renewal = await ask(live, used);
      tell("renewed");
      return await save(live, renewal);
    } catch (error) {
      if (!(error instanceof GrantRefused)) throw error;
      tell("refused");
      await store.connections.renew(record.id, used, { is_valid: false, invalid_reason: error.message });
      await coordination.invalidate("connection", record.id);
      // A process that was held up may have stored a newer grant after its lock had ended.
      const now = await accounts.reload(live);
      if (isRenewed(now, live)) return now;
      throw refused(error.message);
    }
  }

  /** Waits for whoever holds the lock, and takes over where that did not help. */
  async function refresh(stale: LiveConnection): Promise<LiveConnection> {
    const deadline = Date.now() + 2 * lockMs;
    for (let failures = 0; ; ) {
      const lock = await coordination.lock(`refresh:${stale.record.id}`, lockMs);
      if (!lock) {
        await pause(PAUSE_WHILE_ANOTHER_REFRESHES_MS);
        const live = await accounts.reload(stale);
        if (isRenewed(live, stale)) return live;
        if (isHopeless(live)) throw refused(live.record.invalid_reason);
        if (Date.now() > deadline) throw new Fault("refresh_unavailable", "another refresh does not come to an end");
        continue;
      }
      try {
        return await refreshUnderLock(stale);
      } catch (error) {
        if (isFinal(error) || ++failures >= TRIES) throw error;
      } finally {
        // One that cannot be released now is in the next one's way until it can be, or ends by itself.
        await lock.release().catch(() => void persist(lock.release, STORE_PATIENCE_MS).catch(() => {}));
      }
      await pause(PAUSE_BETWEEN_TRIES_MS * 2 ** failures * (0.5 + Math.random()));
    }
  }

  /** Everyone in this process who needs the same refresh waits for the same one. */
  function refreshOnce(stale: LiveConnection): Promise<LiveConnection> {
    const { id } = stale.record;
    const current = running.get(id);
    if (current) return current;
    const promise = refresh(stale)
      .catch((error: unknown) => {
        if (!(error instanceof Fault && error.kind === "refresh_failed"))
          telemetry.refresh({ provider: stale.provider.manifest.id, outcome: "failed" });
        throw toFault(error);
      })
      .finally(() => running.delete(id));
    running.set(id, promise);
    return promise;
  }

  /** Ahead of the end: a refresh that fails or takes long holds up no call. */
  async function refreshEarly(live: LiveConnection): Promise<LiveConnection> {
    const attempt = refreshOnce(live);
    const decided = new Ending();
    try {
      const renewed = await Promise.race([attempt, pause(EARLY_PATIENCE_MS, decided)]);
      if (renewed) return renewed;
      if (hasExpired(live)) return await attempt;
    } catch (error) {
      if (hasExpired(live)) throw error;
    } finally {
      decided.end();
    }
    restUntil.set(live.record.id, Date.now() + REST_AFTER_FAILURE_MS);
    return live;
  }

  return {
    isRefreshable,

    /** The connection with a token that is good for the next while. Where it is already: at once. */
    fresh(live: LiveConnection): LiveConnection | Promise<LiveConnection> {
      if (live.expiresAt === Number.POSITIVE_INFINITY) return live;
      const now = Date.now();
      const ahead = (live.provider.manifest.auth.oauth2?.refreshAhead ?? REFRESH_AHEAD_SECONDS) * 1000;
      // A token that lives shorter than that would be renewed at every call.
      if (now < live.expiresAt - ahead || now < live.expiresAt - lifetime(live) / 2) return live;
      const { id, invalid_reason } = live.record;
      const living = now < live.expiresAt;
      if (isHopeless(live) || !isRefreshable(live)) {
        if (living) return live;
        throw refused(invalid_reason ?? "it has expired, and there is no refresh token");
      }
      if (!living) return refreshOnce(live);
      if (now < (restUntil.get(id) ?? 0)) return live;
      restUntil.delete(id);
      return refreshEarly(live);
    },

    /** After the provider refused the token: a new one, unless another call has fetched it already. */
    renew(live: LiveConnection): Promise<LiveConnection> {
      const { id, invalid_reason } = live.record;
      if (isHopeless(live)) return Promise.reject(refused(invalid_reason));
      if (useless.forbid(id, live.record.credentials.token))
        return Promise.reject(new Fault("refresh_unavailable", "a renewed token was refused as well"));
      return refreshOnce(live);
    },

    /** Tells that the provider took the token. */
    accepted: ({ record }: LiveConnection): void => useless.forget(record.id),

    /** Tells that the provider refused a renewed token, too: so it is not about the token. */
    refusedAgain: ({ record }: LiveConnection): void => useless.add(record.id, record.credentials.token),

    /** Lets every refresh under way come to its end. */
    async settle(): Promise<void> {
      await Promise.allSettled(running.values());
    },
  };
}

const hasExpired = ({ expiresAt }: LiveConnection) => expiresAt <= Date.now();

/** Whether somebody has renewed it meanwhile. Some providers give the same access token with a new end. */
const isRenewed = (live: LiveConnection, { record: before }: LiveConnection) =>
  !hasExpired(live) &&
  (live.record.credentials.token !== before.credentials.token || live.record.refreshed_at !== before.refreshed_at);

const lifetime = ({ record, expiresAt }: LiveConnection) =>
  Math.max(0, expiresAt - Date.parse(record.refreshed_at ?? record.created_at));

const refused = (reason: string | null) =>
  new Fault("refresh_failed", `the token can no longer be renewed${reason ? ` (${reason})` : ""}: connect again`);

/** Nothing is gained by another try: it cannot succeed, or has taken too long already. */
const FINAL: FaultKind[] = [
  "refresh_failed",
  "connection_missing",
  "integration_missing",
  "upstream_forbidden",
  "upstream_timeout",
];

const isFinal = (error: unknown) => error instanceof Fault && FINAL.includes(error.kind);

/** Faults that say more than that there is no token just now. */
const TELLING: FaultKind[] = [
  "refresh_failed",
  "refresh_unavailable",
  "connection_missing",
  "integration_missing",
  "store_unavailable",
];

const toFault = (error: unknown): Fault =>
  error instanceof Fault && TELLING.includes(error.kind)
    ? error
    : new Fault("refresh_unavailable", "the token could not be renewed just now", { cause: error });

export type CredentialKeeper = ReturnType<typeof createCredentials>;
