/** What a surface records about a request for the request log. */
export interface Trace {
  workspaceId: string | null;
  /** False if the request is left out of the request log. */
  logged: boolean;
  connectionId: string | null;
  /** Error code, or the result of the token revocation. */
  outcome: string | null;
  upstreamCalls: number;
  /** Whether the response is the provider's own error. */
  providerError: boolean;
}

export const newTrace = (): Trace => ({
  workspaceId: null,
  logged: true,
  connectionId: null,
  outcome: null,
  upstreamCalls: 0,
  providerError: false,
});

declare module "fastify" {
  interface FastifyRequest {
    trace: Trace;
  }
}
