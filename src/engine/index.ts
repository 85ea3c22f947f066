import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { Coordination, RateLimit } from "../contracts/coordination.ts";
import { Fault } from "../contracts/fault.ts";
import type { Provider } from "../contracts/provider.ts";
import type { Store } from "../contracts/store.ts";
import type { Telemetry } from "../contracts/telemetry.ts";
import { createConnector } from "./connect.ts";
import type { LiveConnection } from "./connection/connection-context.ts";
import { createAccounts } from "./connection/identify.ts";
import { createRevoker } from "./connection/revoke.ts";
import { createCredentials } from "./connection/token-refresh.ts";
import { createTokenRequests } from "./connection/token-request.ts";
import { createForwarder } from "./forward.ts";
import { createExchanger } from "./http/attempts.ts";
import { isPrivateAddress } from "./http/private-address.ts";
import { createTransport } from "./http/transport.ts";
import { after, type Maybe } from "./maybe.ts";
import { createCursors } from "./operation/cursor.ts";
import { createRunner } from "./operation/run.ts";
import { createUpstream } from "./operation/upstream.ts";

export { type Grant, NotConnected } from "./connect.ts";
export { SANDBOX } from "./connection/address.ts";
export type { LiveConnection } from "./connection/connection-context.ts";
export { fits } from "./connection/settings.ts";
export type { Forwarded } from "./forward.ts";
export { Ending } from "./http/cancellation.ts";
export { confine } from "./http/confined-path.ts";
export { persist } from "./http/retry-write.ts";
export { countPassed } from "./http/stream-memory.ts";
export type { OperationResult } from "./operation/result.ts";

export interface EngineOptions {
  store: Store;
  coordination: Coordination;
  providers: readonly Provider[];
  telemetry: Telemetry;
  upstreamTimeoutMs: number;
  upstreamRetryTimeoutMs: number;
  allowPrivateUpstreams: boolean;
  /** Where this process's emulated providers are, with no slash at its end; undefined: the sandbox is off. */
  sandboxUrl: string | undefined;
  /** The same as a browser reaches it. */
  publicSandboxUrl: string | undefined;
  /** Where a provider's consent page leads back to. */
  callbackUrl: string;
  /** Keys that cursors are sealed with, the current one first. */
  sealingKeys: () => readonly Buffer[];
}

/** Others wait while a token is renewed. */
const LONGEST_TOKEN_REQUEST_MS = 30_000;

export function createEngine(options: EngineOptions) {
  const { store, coordination, telemetry, sandboxUrl, publicSandboxUrl, callbackUrl, allowPrivateUpstreams } = options;
  const providers = new Map(options.providers.map((provider) => [provider.manifest.id, provider]));
  const transport = createTransport({
    allowPrivateUpstreams,
    sandboxOrigin: sandboxUrl && new URL(sandboxUrl).origin,
  });
  const exchange = createExchanger(
    { firstMs: options.upstreamTimeoutMs, retryMs: options.upstreamRetryTimeoutMs },
    telemetry,
  );
  // Node keeps a list for all timers of one length, and makes it anew where it has become empty: at each call of many
  // that come one after the other. One timer that stays spares them that.
  const steady = setInterval(() => {}, options.upstreamTimeoutMs);
  steady.unref();
  const accounts = createAccounts({ store, coordination, providers, sandboxUrl });
  const tokenTimeoutMs = Math.min(options.upstreamTimeoutMs, LONGEST_TOKEN_REQUEST_MS);
  const requestToken = createTokenRequests(
    transport,
    createExchanger({ firstMs: tokenTimeoutMs, retryMs: tokenTimeoutMs }, telemetry),
  );
  const revoke = createRevoker(transport, providers, sandboxUrl, telemetry);
  const credentials = createCredentials({
    store,
    coordination,
    accounts,
    requestToken,
    revoke,
    telemetry,
    tokenTimeoutMs,
    callbackUrl,
  });
  const call = createUpstream(transport, exchange, credentials);
  const runner = createRunner(call, createCursors(options.sealingKeys), providers);

  return {
    providers,
    /** The workspace of an API key, or the fault `unauthorized`. */
    authenticate: accounts.authenticate,
    /** A connection of the workspace. */
    connection: accounts.connection,
    /** The same with a token that is good for the next while. */
    fresh: credentials.fresh,
    supports: runner.supports,
    run: runner.run,
    /** Sends a client's own request on, streaming both ways. */
    forward: createForwarder(transport, exchange, credentials),
    revoke,
    /** What the connect flow needs: the way to consent, codes exchanged, keys checked. */
    connect: createConnector({ providers, requestToken, call, callbackUrl, sandboxUrl, publicSandboxUrl }),

    /** Counts a call against a connection's limit. `retryAfter`: what to tell whoever is over it, else the rest of the window. */
    admit(surface: string, live: LiveConnection, limit: RateLimit, retryAfter?: number): Maybe<void> {
      return after(coordination.consume(`${surface}:${live.record.id}`, limit), (wait) => {
        if (wait === undefined) return;
        throw new Fault("rate_limited", "over the connection's rate limit", { retryAfter: retryAfter ?? wait });
      });
    },

    /** Why an address given by a user may not be called, or undefined. It is checked again at every connect. */
    async refuseAddress(address: string): Promise<string | undefined> {
      const url = URL.parse(address);
      if (!url || !["http:", "https:"].includes(url.protocol)) return "Must be an http or https address";
      if (url.username || url.password) return "Must not hold a user name or a password";
      if (url.search || url.hash) return "Must not have a query or a fragment";
      if (allowPrivateUpstreams || (sandboxUrl && `${url.href}/`.startsWith(`${sandboxUrl}/`))) return undefined;
      const host = url.hostname.replace(/^\[|\]$/g, "");
      const addresses = isIP(host)
        ? [host]
        : await lookup(host, { all: true }).then(
            (found) => found.map(({ address }) => address),
            // A name that does not resolve now may do so later: the check at each connect decides.
            () => [],
          );
      return addresses.some(isPrivateAddress)
        ? "Must not be a private address; set ALLOW_PRIVATE_UPSTREAMS=true to allow upstreams in your own network"
        : undefined;
    },

    /** Ends once no refresh is under way: what a provider has handed out has to be stored. */
    async close(): Promise<void> {
      await credentials.settle();
      await transport.close();
      clearInterval(steady);
    },
  };
}

export type Engine = ReturnType<typeof createEngine>;
