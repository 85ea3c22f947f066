import { pipeline } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Forwarded } from "../../engine/index.ts";

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

/** Hands a provider's answer to the client as it comes. */
export function relay(request: FastifyRequest, reply: FastifyReply, answer: Forwarded, headerPrefix: string): void {
  const { raw } = reply;
  const { headers, status, body } = answer;
  // The provider's own request id keeps its name.
  headers[headers["x-request-id"] === undefined ? "x-request-id" : `${headerPrefix}Request-Id`] = request.id;
  reply.hijack();
  raw.writeHead(status, headers);
  // An event stream's client waits for the headers, which may be long before the first event.
  if (headers["content-length"] === undefined) raw.flushHeaders();
  // Either end that breaks closes the other: no client takes half an answer for a whole one.
  pipeline(body, raw, (error) => {
    if (error && !request.raw.socket.destroyed)
      request.log.warn({ err: error, request_id: request.id }, "a provider's answer broke off");
  });
}
