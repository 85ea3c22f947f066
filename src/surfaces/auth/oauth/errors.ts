import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from "fastify";

/** An error of an endpoint that clients call (RFC 6749, 5.2). */
export class OAuthError extends Error {
  readonly error: string;
  readonly status: number;

  constructor(error: string, description: string, status = 400) {
    super(description);
    this.name = "OAuthError";
    this.error = error;
    this.status = status;
  }
}

/** Answers with OAuth's errors instead of throwing them. */
export const oauthEndpoint =
  (handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): RouteHandlerMethod =>
  async (request, reply) => {
    try {
      return await handler(request, reply);
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      request.trace.outcome = error.error;
      return reply.code(error.status).send({ error: error.error, error_description: error.message });
    }
  };

/** The parameters of a form. Each may be given once (RFC 6749, 3.2); empty counts as absent. */
export function readForm({ body }: FastifyRequest): (name: string) => string | undefined {
  if (!(body instanceof URLSearchParams))
    throw new OAuthError("invalid_request", "the body must be application/x-www-form-urlencoded");
  return (name) => {
    const given = body.getAll(name);
    if (given.length > 1) throw new OAuthError("invalid_request", `${name} is given more than once`);
    return given[0] || undefined;
  };
}
