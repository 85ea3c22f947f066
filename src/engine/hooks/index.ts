import { randomBytes } from "node:crypto";
import type { Connection, Integration } from "../../contracts/entities.ts";
import type {
  ApplicationHooks,
  ConnectionHooks,
  HookContext,
  Hooks,
  MadeHook,
  StoredHook,
} from "../../contracts/hooks.ts";
import { hooksOf } from "../../contracts/manifest.ts";
import { isLoopback } from "../../contracts/network.ts";
import type { BoundOperation } from "../../contracts/operation.ts";
import type { Telemetry } from "../../contracts/telemetry.ts";
import { SANDBOX } from "../connection/address.ts";
import { type ConnectionContext, createConnectionContext } from "../connection/connection-context.ts";
import type { Providers } from "../connection/providers.ts";
import type { TokenKeeper } from "../connection/token-refresh.ts";
import { Cancellation } from "../http/cancellation.ts";
import { createContexts } from "../operation/context.ts";
import type { FormatGuard } from "../operation/format-guard.ts";
import type { OperationRun, UpstreamCaller } from "../operation/upstream.ts";
import type { Signer } from "../signed.ts";

const MAX_RETRIES = 1;
/** Nobody waits for it, but a job must end. */
const TIMEOUT_MS = 30_000;
/** Somebody waits until a connection is deleted. */
const REMOVAL_TIMEOUT_MS = 5_000;

export interface HooksOptions {
  call: UpstreamCaller;
  guardFormat: FormatGuard;
  tokens: Pick<TokenKeeper, "withValidToken">;
  signer: Signer;
  /** Where providers send hooks to, without a trailing slash. */
  url: string;
  /** The same for the emulated providers. */
  localUrl: string;
  providers: Pick<Providers, "of">;
  sandboxUrl: string | undefined;
  telemetry: Pick<Telemetry, "warn">;
}

/** What a subscription can be started by, or why by nothing. */
export type PlannedHook = { integration_id: string; target: string } | { reason: string };

/** The hooks of a connection's provider; undefined if it has none. */
const hooksFor = ({ provider, integration }: ConnectionContext): Hooks | undefined =>
  hooksOf(provider.manifest, integration.type);

const usable = (connection: ConnectionContext): ConnectionHooks | ApplicationHooks => {
  const hooks = hooksFor(connection);
  if (!hooks || hooks.per === "none") throw new Error("the provider has no hooks");
  return hooks;
};

/** Makes, renews and removes hooks at providers, and knows their addresses. */
export function createHooks(options: HooksOptions) {
  const { call, guardFormat, tokens, signer, url, localUrl, providers, sandboxUrl, telemetry } = options;
  const contexts = createContexts(call, guardFormat);

  /** Calls the provider on behalf of a connection, in bounded time. */
  async function withContext<Result>(
    connection: ConnectionContext,
    work: (context: Omit<HookContext, "target">) => Promise<Result>,
    timeoutMs = TIMEOUT_MS,
  ): Promise<Result> {
    const client = new Cancellation();
    const timer = setTimeout(() => client.cancel(), timeoutMs);
    try {
      const run: OperationRun = {
        connection: await tokens.withValidToken(connection),
        maxRetries: MAX_RETRIES,
        repeatable: false,
        calls: 0,
        bytes: 0,
        client,
      };
      const { upstream, settings, address, sleep } = contexts.plain(run, {});
      const auth = connection.integration.type;
      return await guardFormat(run.connection, () => work({ upstream, settings, address, sleep, auth }));
    } finally {
      clearTimeout(timer);
    }
  }

  const urlOf = ({ base_url }: Pick<Integration, "base_url">, address: string): string =>
    `${base_url === SANDBOX ? localUrl : url}/${address}`;

  /** The address of a hook, or of an integration's: nobody can guess it. */
  const addressOf = (integration: Pick<Integration, "base_url">, id: string): string =>
    urlOf(integration, `${id}.${signer.signText("hook", id)}`);

  /** Providers cannot reach an address of this machine, unless they are on it. */
  function unreachable(connection: ConnectionContext): string | undefined {
    const { hostname } = new URL(url);
    const isOwn = connection.integration.base_url === SANDBOX;
    if (isOwn || !isLoopback(hostname) || isLoopback(new URL(connection.address("api").origin).hostname))
      return undefined;
    return `${connection.provider.manifest.name} cannot reach ${hostname}: set BASE_URL to a public address`;
  }

  async function remove(
    connection: ConnectionContext,
    { target, remote }: StoredHook,
    timeoutMs?: number,
  ): Promise<void> {
    const hooks = hooksFor(connection);
    if (hooks?.per !== "connection" || !remote) return;
    await withContext(connection, (context) => hooks.remove({ ...context, target }, remote), timeoutMs);
  }

  return {
    addressOf,

    /** The whole of an address that a request came to, which may have been made with an earlier encryption key. */
    urlOf,

    /** The ID in an address of ours; undefined if the address is not one. */
    readAddress(text: string): string | undefined {
      const dot = text.indexOf(".");
      const id = text.slice(0, dot);
      return signer.verifyText(text.slice(dot + 1), "hook", id) ? id : undefined;
    },

    plan(connection: ConnectionContext, operation: BoundOperation, parameters: Record<string, string>): PlannedHook {
      const hooks = hooksFor(connection);
      const { name } = connection.provider.manifest;
      if (!hooks) return { reason: `${name} has no webhooks that Plugboard knows` };
      if (hooks.per === "none") return { reason: hooks.because };
      const list = Object.hasOwn(hooks.lists, operation.id) ? hooks.lists[operation.id] : undefined;
      const target = list && (list.target ? list.target(parameters) : "");
      if (target === undefined) return { reason: `${name} has no webhook for this list` };
      return { integration_id: connection.integration.id, target };
    },

    /** Why a hook cannot be made; undefined if it can. */
    obstacle(connection: ConnectionContext): string | undefined {
      const hooks = usable(connection);
      const { integration } = connection;
      if (hooks.secret !== "hook" && !integration[hooks.secret])
        return `the integration has no ${hooks.secret}, with which ${connection.provider.manifest.name} signs webhooks`;
      return unreachable(connection);
    },

    per: (connection: ConnectionContext) => usable(connection).per,
    needs: (connection: ConnectionContext) => (usable(connection) as ConnectionHooks).needs,
    newSecret: () => randomBytes(24).toString("hex"),

    make: (connection: ConnectionContext, hook: Pick<StoredHook, "id" | "target">, secret: string): Promise<MadeHook> =>
      withContext(connection, (context) =>
        (usable(connection) as ConnectionHooks).create({
          ...context,
          target: hook.target,
          url: addressOf(connection.integration, hook.id),
          secret,
        }),
      ),

    /** Undefined if it has to be replaced instead. */
    async renew(
      connection: ConnectionContext,
      { target, remote }: StoredHook,
    ): Promise<Pick<MadeHook, "expires_at"> | undefined> {
      const { renew } = usable(connection) as ConnectionHooks;
      return renew && withContext(connection, (context) => renew({ ...context, target }, remote ?? {}));
    },

    remove,

    /** Removes the hooks of a connection that was just deleted: best effort. It never throws. */
    async removeAll(connection: Connection, integration: Integration, hooks: readonly StoredHook[]): Promise<void> {
      const provider = await providers.of(integration.workspace_id, integration.identifier);
      if (!provider || connection.unreadable || integration.unreadable) return;
      const context = createConnectionContext(provider, connection, integration, { sandboxUrl });
      const results = await Promise.allSettled(hooks.map((hook) => remove(context, hook, REMOVAL_TIMEOUT_MS)));
      const left = hooks.filter((_, index) => results[index]!.status === "rejected").map(({ id }) => id);
      if (left.length > 0)
        telemetry.warn("could not remove webhooks of a deleted connection", {
          connection_id: connection.id,
          hooks: left,
        });
    },

    /** The account of a connection, as requests of its application name it. */
    account: (connection: ConnectionContext): Promise<string> =>
      withContext(connection, (context) => (usable(connection) as ApplicationHooks).account(context)),
  };
}
