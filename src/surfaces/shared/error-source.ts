import type { FastifyInstance } from "fastify";

/** The header that distinguishes a provider's own errors from ours. */
export const errorSourceHeader = (headerPrefix: string): string => `${headerPrefix}Error-Source`;

/** Marks the errors of every route that is added from now on. A relayed response is marked by the relay. */
export function markErrors(app: FastifyInstance, headerPrefix: string): void {
  const header = errorSourceHeader(headerPrefix);
  app.addHook("onSend", (request, reply, payload, done) => {
    if (reply.statusCode >= 400) reply.header(header, request.trace.errorSource ?? "plugboard");
    done(null, payload);
  });
}
