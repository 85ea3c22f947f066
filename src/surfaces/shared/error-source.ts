import type { FastifyInstance } from "fastify";
import type { Trace } from "./trace.ts";

/** The header that distinguishes a provider's own errors from ours. */
export const errorSourceHeader = (headerPrefix: string): string => `${headerPrefix}Error-Source`;

/** A redirect that was not followed is an error of the provider. */
export const errorSourceOf = (status: number, { errorSource }: Pick<Trace, "errorSource">): string | null =>
  status >= 400 ? (errorSource ?? "plugboard") : status >= 300 ? errorSource : null;

/** Marks the errors of every route that is added from now on. A relayed response is marked by the relay. */
export function markErrors(app: FastifyInstance, headerPrefix: string): void {
  const header = errorSourceHeader(headerPrefix);
  app.addHook("onSend", (request, reply, payload, done) => {
    const source = errorSourceOf(reply.statusCode, request.trace);
    if (source) reply.header(header, source);
    done(null, payload);
  });
}
