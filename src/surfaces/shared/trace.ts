/** What a surface records about a request for the request log. */
export interface Trace {
  workspaceId: string | null;
  connectionId: string | null;
  /** Error code, or the result of the token revocation. */
  outcome: string | null;
  upstreamCalls: number;
}

export const newTrace = (): Trace => ({ workspaceId: null, connectionId: null, outcome: null, upstreamCalls: 0 });

declare module "fastify" {
  interface FastifyRequest {
    trace: Trace;
  }
}
