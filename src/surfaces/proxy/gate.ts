import type { FastifyRequest } from "fastify";
import type { RateLimit } from "../../contracts/coordination.ts";
import { Fault } from "../../contracts/fault.ts";
import type { Workspace } from "../../contracts/records.ts";
import type { Engine, LiveConnection } from "../../engine/index.ts";
import { bearer } from "../bearer.ts";

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

/** What Proxy and MCP look at before a call, in this order: key, connection, its token, its rate limit. */
export function createGate({ engine, headerPrefix, rateLimit }: GateOptions) {
  const header = `${headerPrefix}Connection-ID`.toLowerCase();

  return {
    /**
     * Who is calling, over which connection: by the key and a header, or by `Bearer <key>.<connection>` for clients
     * that can be given nothing but a token.
     */
    async caller(request: FastifyRequest): Promise<Caller> {
      // Some providers' own clients write `token` in the place of `Bearer`. Neither keys nor ids hold a dot.
      const given = bearer(request.headers.authorization?.replace(/^token /i, "Bearer "));
      const [key, connection] = given?.split(".", 2) ?? [];
      const workspace = await engine.authenticate(key);
      const connectionId = (request.headers[header] as string | undefined) || connection || undefined;
      request.trace.workspaceId = workspace.id;
      request.trace.connectionId = connectionId ?? null;
      return { workspace, connectionId };
    },

    /** The connection, ready for `calls` calls. `check` may refuse it before they are counted. */
    async admit(
      { workspace, connectionId }: Caller,
      { check, calls = 1 }: { check?: (live: LiveConnection) => void; calls?: number } = {},
    ): Promise<LiveConnection> {
      const known = await engine.connection(workspace, connectionId);
      check?.(known);
      const live = await engine.fresh(known);
      for (let call = 0; call < calls; call++)
        await engine.admit("proxy", live, rateLimit).catch((error) => {
          if (!(error instanceof Fault && error.kind === "rate_limited")) throw error;
          // The specification names the whole window, however much of it is left.
          throw new Fault("rate_limited", error.message, { retryAfter: rateLimit.seconds });
        });
      return live;
    },
  };
}
