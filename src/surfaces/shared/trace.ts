/** What a surface leaves on a request for the request log. */
export interface Trace {
  workspaceId: string | null;
  connectionId: string | null;
  /** Our code for what went wrong, or what became of a revocation. */
  outcome: string | null;
  upstreamCalls: number;
}

export const newTrace = (): Trace => ({ workspaceId: null, connectionId: null, outcome: null, upstreamCalls: 0 });

declare module "fastify" {
  interface FastifyRequest {
    trace: Trace;
  }
}
