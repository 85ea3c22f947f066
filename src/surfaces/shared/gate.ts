import type { FastifyRequest } from "fastify";
import type { RateLimit } from "../../contracts/coordination.ts";
import type { Workspace } from "../../contracts/entities.ts";
import type { Engine, LiveConnection } from "../../engine/index.ts";
import { after, type Maybe } from "../../engine/maybe.ts";
import { bearer } from "./bearer.ts";

export interface GateOptions {
  engine: Engine;
  headerPrefix: string;
  /** Of a connection, over Proxy and MCP together. */
  rateLimit: RateLimit;
}

export interface Caller {
  workspace: Workspace;
  /** As the client gave it. */
  connectionId: string | undefined;
}

/** Some providers' own clients write `token` in the place of `Bearer`. */
const SCHEMES = ["bearer", "token"];

/** What Proxy and MCP look at before a call, in this order: key, connection, its token, its rate limit. */
export function createGate({ engine, headerPrefix, rateLimit }: GateOptions) {
  const header = `${headerPrefix}Connection-ID`.toLowerCase();

  function count(live: LiveConnection, calls: number): Maybe<void> {
    // The specification names the whole window, however much of it is left.
    const countOne = () => engine.admit("proxy", live, rateLimit, rateLimit.seconds);
    let counted = countOne();
    for (let call = 1; call < calls; call++) counted = after(counted, countOne);
    return counted;
  }

  return {
    /**
     * Who is calling, over which connection: by the key and a header, or by `Bearer <key>.<connection>` for clients
     * that can be given nothing but a token.
     */
    caller(request: FastifyRequest): Maybe<Caller> {
      const given = bearer(request.headers.authorization, SCHEMES);
      // Neither keys nor ids hold a dot.
      const [key, connection] = given?.split(".", 2) ?? [];
      return after(engine.authenticate(key), (workspace) => {
        const connectionId = (request.headers[header] as string | undefined) || connection || undefined;
        request.trace.workspaceId = workspace.id;
        request.trace.connectionId = connectionId ?? null;
        return { workspace, connectionId };
      });
    },

    /** The connection, ready for `calls` calls. `check` may refuse it before they are counted. */
    admit(
      { workspace, connectionId }: Caller,
      { check, calls = 1 }: { check?: (live: LiveConnection) => void; calls?: number } = {},
    ): Maybe<LiveConnection> {
      return after(engine.connection(workspace, connectionId), (known) => {
        check?.(known);
        return after(engine.fresh(known), (live) => after(count(live, calls), () => live));
      });
    },
  };
}
