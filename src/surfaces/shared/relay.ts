import type { ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Cancellation, type Forwarded } from "../../engine/index.ts";

/** Ends as soon as the client is gone before it has its answer. */
export function clientOf({ raw }: FastifyReply): Cancellation {
  const client = new Cancellation();
  raw.on("close", () => {
    if (!raw.writableFinished) client.cancel();
  });
  return client;
}

/**
 * Serves a request before the framework looks at its body: it would refuse content types that it cannot read, and read
 * those that it can.
 */
export function beforeBodyParsing(
  serve: (request: FastifyRequest, reply: FastifyReply, client: Cancellation) => Promise<void>,
) {
  return {
    onRequest(request: FastifyRequest, reply: FastifyReply, done: (error: Error) => void) {
      const client = clientOf(reply);
      serve(request, reply, client).catch((error) => {
        // With nobody there to be told, the call simply ends.
        if (client.cancelled) reply.hijack();
        else done(error);
      });
    },
    handler() {},
  };
}

/** The request's body as it arrives, or undefined where it has none. */
export const bodyOf = ({ raw }: FastifyRequest) =>
  raw.headers["transfer-encoding"] !== undefined || Number(raw.headers["content-length"] ?? 0) > 0 ? raw : undefined;

const isEventStream = ({ "content-type": type }: Forwarded["headers"]) => String(type).startsWith("text/event-stream");

/** Makes what hands a provider's answer to the client as it comes. */
export function createRelay(app: FastifyInstance, headerPrefix: string) {
  const endless = new Set<ServerResponse>();
  // Event streams that a client listens to end with the service: it does not wait for them when it stops.
  app.addHook("preClose", async () => {
    for (const response of endless) response.destroy();
  });

  return function relay(request: FastifyRequest, reply: FastifyReply, answer: Forwarded, client: Cancellation): void {
    const { raw } = reply;
    const { headers, status } = answer;
    // The provider's own request id keeps its name.
    headers[headers["x-request-id"] === undefined ? "x-request-id" : `${headerPrefix}Request-Id`] = request.id;
    request.trace.upstreamCalls = answer.calls;
    reply.hijack();
    raw.writeHead(status, headers);
    // The client may wait for the headers, which come long before the first event of some streams.
    if (headers["content-length"] === undefined) raw.flushHeaders();
    if (request.method === "GET" && isEventStream(headers)) {
      endless.add(raw);
      raw.once("close", () => endless.delete(raw));
    }
    let over = false;
    let drains = false;
    const flow = answer.pipeTo({
      write(chunk) {
        const goOn = raw.write(chunk);
        if (!goOn && !drains) {
          drains = true;
          raw.on("drain", () => flow.resume());
        }
        return goOn;
      },
      end(last) {
        over = true;
        raw.end(last);
      },
      // Either end that breaks closes the other: no client takes half an answer for a whole one.
      fail(error) {
        over = true;
        if (!raw.destroyed) request.log.warn({ err: error, request_id: request.id }, "a provider's answer broke off");
        raw.destroy();
      },
    });
    // At once where it went while a token was being renewed.
    if (!over) client.onCancel(() => flow.cancel());
  };
}
