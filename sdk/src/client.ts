import { type DryRuns, dryRunCalls, PlatformCalls, UnifiedCalls } from "./calls.ts";
import { platformMethods } from "./platform.gen.ts";
import { createProxy, type ProxyClient } from "./proxy.ts";
import { type PlugboardOptions, Transport } from "./transport.ts";
import { unifiedMethods } from "./unified.gen.ts";

/** A client of one Plugboard service and workspace. */
export class Plugboard {
  readonly #transport: Transport;
  /** The Platform API: what belongs to the workspace, such as integrations and connections. */
  readonly platform: PlatformClient;

  constructor(options: PlugboardOptions) {
    this.#transport = new Transport(options);
    this.platform = platformMethods(new PlatformCalls(this.#transport));
  }

  /** The operations that a connection's provider has. Sends nothing by itself. */
  connection(id: string): ConnectionClient {
    if (!id) throw new TypeError("the ID of a connection is required");
    const calls = new UnifiedCalls(this.#transport, id);
    return {
      ...unifiedMethods(calls),
      id,
      request: calls.request.bind(calls),
      proxy: createProxy(this.#transport, id),
      get dryRun() {
        return unifiedMethods(dryRunCalls(calls)) as unknown as ConnectionClient["dryRun"];
      },
    };
  }
}

export type PlatformClient = ReturnType<typeof platformMethods>;

type Operations = ReturnType<typeof unifiedMethods>;

export type ConnectionClient = Operations & {
  id: string;
  /** Any call of the Unified API; returns `response` as it is, for parameters that methods do not have. */
  request: UnifiedCalls["request"];
  /** The provider's own API, with the connection's credentials. */
  proxy: ProxyClient;
  /** The same operations. Nothing is sent to the provider: each returns what it would send. */
  readonly dryRun: DryRuns<Operations>;
};
