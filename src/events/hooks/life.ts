import { UNBOUND } from "../../contracts/access.ts";
import type { Due, EventStore, Job } from "../../contracts/events.ts";
import { Fault, ProviderFailure } from "../../contracts/fault.ts";
import type { HookStore, StoredHook } from "../../contracts/hooks.ts";
import type { BasicLogger } from "../../contracts/telemetry.ts";
import type { ConnectionContext, Engine } from "../../engine/index.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** How soon a hook is tried again, if the provider refused it or could not be reached. */
const RETRY_REFUSED_MS = 6 * HOUR_MS;
const RETRY_MS = 10 * MINUTE_MS;
/** The part of its life after which a hook is renewed. */
const RENEWED_AFTER = 2 / 3;
/** A hook that misses changes is made again, but not again and again. */
const MIN_LIFE_MS = DAY_MS;

export interface HookLifeOptions {
  store: HookStore & Pick<EventStore, "jobs">;
  engine: Pick<Engine, "inspect" | "hooks">;
  log: Pick<BasicLogger, "warn">;
  wakeSubscriptions(): void;
  now?(): number;
}

/** In words that an operator can act on, without anything that the provider has said. */
function describeFailure(error: unknown, name: string, needs: string | undefined): string {
  if (error instanceof ProviderFailure) {
    const refusal = `${name} answered ${error.status} when the webhook was to be made`;
    return needs && [401, 403, 404].includes(error.status) ? `${refusal}. ${needs}` : refusal;
  }
  return error instanceof Fault ? `the webhook could not be made: ${error.message}` : "the webhook could not be made";
}

const isRefusal = (error: unknown) =>
  error instanceof ProviderFailure && error.status >= 400 && error.status < 500 && error.status !== 429;

/** Does the jobs of hooks: makes, renews, replaces and removes them. Each call returns when the hook needs it again. */
export function createHookLife({ store, engine, log, wakeSubscriptions, now = Date.now }: HookLifeOptions) {
  const inspect = ({ workspace_id, connection_id }: StoredHook) =>
    engine.inspect({ user: { workspace: { id: workspace_id }, ...UNBOUND }, connectionId: connection_id });

  async function end(hook: StoredHook): Promise<number> {
    try {
      await engine.hooks.remove(await inspect(hook), hook);
    } catch (error) {
      log.warn(
        { err: error, hook: hook.id, connection_id: hook.connection_id },
        "could not remove a webhook at its provider",
      );
    }
    await store.hooks.delete(hook.id);
    await store.jobs.remove(hook.id);
    return 0;
  }

  async function fail(hook: StoredHook, reason: string, retryMs: number): Promise<number> {
    if (hook.state !== "failed" || hook.reason !== reason) {
      await store.hooks.update(hook.id, { state: "failed", reason });
      wakeSubscriptions();
    }
    return retryMs;
  }

  const untilRenewal = (madeMs: number, expires_at: string | null | undefined) =>
    expires_at ? Math.max(0, madeMs + (Date.parse(expires_at) - madeMs) * RENEWED_AFTER - now()) : DAY_MS;

  async function activate(
    hook: StoredHook,
    change: Pick<Partial<StoredHook>, "secret" | "remote" | "account" | "expires_at" | "missed_at">,
  ): Promise<number> {
    const madeMs = now();
    const made_at = new Date(madeMs).toISOString();
    await store.hooks.update(hook.id, { state: "active", reason: null, made_at, ...change });
    wakeSubscriptions();
    return untilRenewal(madeMs, change.expires_at);
  }

  async function make(hook: StoredHook, connection: ConnectionContext, lost: AbortSignal): Promise<number> {
    // It is relied on from the first hint on: only the operator knows whether the address was entered at the provider.
    if (engine.hooks.per(connection) === "application")
      return activate(hook, {
        account: await engine.hooks.account(connection),
        missed_at: new Date(now()).toISOString(),
      });
    // What is left of it, if it could not be renewed: some providers allow only one.
    if (hook.remote) await engine.hooks.remove(connection, hook).catch(() => {});
    lost.throwIfAborted();
    // Before the provider can use it.
    const secret = engine.hooks.newSecret();
    await store.hooks.update(hook.id, { secret });
    const { secret: chosen, remote, expires_at = null } = await engine.hooks.make(connection, hook, secret);
    return activate(hook, { remote, expires_at, ...(chosen === undefined ? {} : { secret: chosen }) });
  }

  async function renew(hook: StoredHook, connection: ConnectionContext): Promise<number> {
    const renewed = await engine.hooks.renew(connection, hook);
    if (renewed) return activate(hook, { expires_at: renewed.expires_at ?? null });
    await store.hooks.replace(hook);
    return MINUTE_MS;
  }

  /** What an active hook needs. */
  async function keep(hook: StoredHook, connection: ConnectionContext, lost: AbortSignal): Promise<number> {
    const madeMs = Date.parse(hook.made_at!);
    if (hook.expires_at && Date.parse(hook.expires_at) <= now()) return make(hook, connection, lost);
    const dueMs = untilRenewal(madeMs, hook.expires_at);
    if (hook.expires_at && dueMs === 0) return renew(hook, connection);
    const isLost = hook.missed_at !== null && engine.hooks.per(connection) === "connection";
    if (!isLost || now() - madeMs < MIN_LIFE_MS) return isLost ? Math.min(dueMs, madeMs + MIN_LIFE_MS - now()) : dueMs;
    await store.hooks.replace(hook);
    return MINUTE_MS;
  }

  return async function runJob({ id }: Job, lost: AbortSignal): Promise<Due> {
    const hook = await store.hooks.get(id);
    if (!hook) {
      await store.jobs.remove(id);
      return 0;
    }
    if (hook.state === "ending" || !(await store.hooks.isWanted(hook))) return end(hook);
    let connection: ConnectionContext | undefined;
    try {
      connection = await inspect(hook);
      if (!connection.record.is_valid) return fail(hook, "the connection is invalid", RETRY_MS);
      const obstacle = engine.hooks.obstacle(connection);
      if (obstacle) return fail(hook, obstacle, RETRY_REFUSED_MS);
      return await (hook.state === "active" ? keep(hook, connection, lost) : make(hook, connection, lost));
    } catch (error) {
      // A process that stops does not say that a hook failed: the next one tries again.
      if (lost.aborted || (error instanceof Fault && error.kind === "store_unavailable")) throw error;
      const { manifest } = connection?.provider ?? {};
      log.warn(
        { err: error, hook: id, connection_id: hook.connection_id },
        "could not make or renew a webhook at its provider",
      );
      const reason = describeFailure(
        error,
        manifest?.name ?? "The provider",
        connection && engine.hooks.needs(connection),
      );
      return fail(hook, reason, isRefusal(error) ? RETRY_REFUSED_MS : RETRY_MS);
    }
  };
}
