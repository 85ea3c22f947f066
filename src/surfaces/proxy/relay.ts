import type { ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { countPassed, type Forwarded } from "../../engine/index.ts";

/** Aborted as soon as the client is gone before it has its answer. */
export function clientGone({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once("close", () => {
    if (!raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

/**
 * Serves a request before the framework looks at its body: it would refuse content types that it cannot read, and read
 * those that it can.
 */
export function unread(serve: (request: FastifyRequest, reply: FastifyReply, gone: AbortSignal) => Promise<void>) {
  return {
    onRequest(request: FastifyRequest, reply: FastifyReply, done: (error: Error) => void) {
      const gone = clientGone(reply);
      serve(request, reply, gone).catch((error) => {
        // With nobody there to be told, the call simply ends.
        if (gone.aborted) reply.hijack();
        else done(error);
      });
    },
    handler() {},
  };
}

/** The request's body as it arrives, or undefined where it has none. */
export const bodyOf = ({ raw }: FastifyRequest) =>
  raw.headers["transfer-encoding"] !== undefined || Number(raw.headers["content-length"] ?? 0) > 0 ? raw : undefined;

/** Whatever follows the path's question mark. */
export function splitQuery(url: string): [path: string, query: string | undefined] {
  const mark = url.indexOf("?");
  return mark < 0 ? [url, undefined] : [url.slice(0, mark), url.slice(mark + 1)];
}

/** Not worth counting. */
const SMALL_BODY = 64 * 1024;

const isEventStream = ({ "content-type": type }: Forwarded["headers"]) => String(type).startsWith("text/event-stream");

/** Makes what hands a provider's answer to the client as it comes. */
export function createRelay(app: FastifyInstance, headerPrefix: string) {
  const endless = new Set<ServerResponse>();
  // Event streams that a client listens to end with the service: it does not wait for them when it stops.
  app.addHook("preClose", async () => {
    for (const response of endless) response.destroy();
  });

  return function relay(request: FastifyRequest, reply: FastifyReply, answer: Forwarded): void {
    const { raw } = reply;
    const { headers, status } = answer;
    // The provider's own request id keeps its name.
    headers[headers["x-request-id"] === undefined ? "x-request-id" : `${headerPrefix}Request-Id`] = request.id;
    request.trace.upstreamCalls = answer.calls;
    reply.hijack();
    raw.writeHead(status, headers);
    // The client may wait for the headers, which come long before the first event of some streams.
    if (headers["content-length"] === undefined) raw.flushHeaders();
    const isEndless = request.method === "GET" && isEventStream(headers);
    if (isEndless) endless.add(raw);
    const counts = !(Number(headers["content-length"]) <= SMALL_BODY);

    let over = false;
    const flow = answer.pour({
      write(chunk) {
        if (counts) countPassed(chunk.length);
        return raw.write(chunk);
      },
      end() {
        over = true;
        raw.end();
      },
      // Either end that breaks closes the other: no client takes half an answer for a whole one.
      fail(error) {
        over = true;
        if (!raw.destroyed) request.log.warn({ err: error, request_id: request.id }, "a provider's answer broke off");
        raw.destroy();
      },
    });
    raw.on("drain", flow.resume);
    raw.once("close", () => {
      if (isEndless) endless.delete(raw);
      if (!over) flow.cancel();
    });
    // It may have gone while a token was being renewed, and would not be heard of again.
    if (raw.destroyed) flow.cancel();
  };
}
