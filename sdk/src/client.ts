import { PlatformCalls, UnifiedCalls } from "./calls.ts";
import { platformMethods } from "./platform.gen.ts";
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
    const transport = this.#transport;
    const calls = new UnifiedCalls(transport, id);
    return {
      ...unifiedMethods(calls),
      id,
      request: calls.request.bind(calls),
      async proxy(path, init = {}) {
        const url = transport.url("proxy", path.startsWith("/") ? path : `/${path}`);
        return transport.fetch(url, { redirect: "manual", ...init, headers: transport.headers(id, init.headers) });
      },
    };
  }
}

export type PlatformClient = ReturnType<typeof platformMethods>;

export type ConnectionClient = ReturnType<typeof unifiedMethods> & {
  id: string;
  /** Any call of the Unified API; returns `response` as it is, for parameters such as `dry_run`. */
  request: UnifiedCalls["request"];
  /**
   * A `fetch` of the provider's own API with the connection's credentials. As with any fetch, error statuses do not
   * throw; redirects are returned.
   */
  proxy(path: string, init?: RequestInit): Promise<Response>;
};
