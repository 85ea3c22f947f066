import type { ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Fault, ProviderFailure } from "../../contracts/fault.ts";
import { Cancellation, discard, type Forwarded, type HeaderList, responseHeaders } from "../../engine/index.ts";
import { errorSourceHeader } from "./error-source.ts";
import { USUAL_RATE_LIMIT_NAMES } from "./rate-limit-headers.ts";
import type { SurfaceReply, SurfaceRequest } from "./surface-types.ts";
import { traceFailure } from "./trace.ts";
import { watchBody } from "./watch-body.ts";

/** How much of a provider's error is kept. */
const KEPT_ERROR_BYTES = 4 * 1024;

/** Is canceled as soon as the client disconnects before it has received the whole response. */
export function clientCancellation({ raw }: Pick<SurfaceReply, "raw">): Cancellation {
  const client = new Cancellation();
  raw.on("close", () => {
    if (!raw.writableFinished) client.cancel();
  });
  return client;
}

/**
 * Serves a request before Fastify parses its body: Fastify would reject content types it has no parser for, and consume
 * the others.
 */
export function beforeBodyParsing(
  serve: (request: FastifyRequest, reply: FastifyReply, client: Cancellation) => Promise<unknown>,
) {
  return {
    onRequest(request: FastifyRequest, reply: FastifyReply, done: (error: Error) => void) {
      const client = clientCancellation(reply);
      serve(request, reply, client).catch((error) => {
        // The client disconnected: there is nobody to send an error to.
        if (client.cancelled) reply.hijack();
        else done(error);
      });
    },
    handler() {},
  };
}

/** The request's body as a stream, or undefined if it has none. */
export const requestBody = ({ raw }: Pick<SurfaceRequest, "raw">) =>
  raw.headers["transfer-encoding"] !== undefined || Number(raw.headers["content-length"] ?? 0) > 0 ? raw : undefined;

const isEventStream = ({ "content-type": type }: Forwarded["headers"]) => String(type).startsWith("text/event-stream");

/** Adds our own headers to the provider's. Those that the provider sends too get our prefix instead of `x-`. */
function addOwnHeaders(list: HeaderList, headers: Forwarded["headers"], reply: SurfaceReply, prefix: string): void {
  const own = reply.getHeaders();
  for (const name in own) list.push(isTaken(name, headers) ? name.replace(/^x-/, prefix) : name, String(own[name]));
}

const isTaken = (name: string, headers: Forwarded["headers"]) =>
  USUAL_RATE_LIMIT_NAMES.includes(name)
    ? USUAL_RATE_LIMIT_NAMES.some((usual) => headers[usual] !== undefined)
    : headers[name] !== undefined;

/**
 * Sends the headers. Node refuses some that a provider's code or response could bring, such as a file type with a line
 * break; until they are sent, the client can still get an error, and so the response is only hijacked after that.
 */
function sendHeaders({ raw }: SurfaceReply, response: Forwarded, headers: HeaderList): void {
  try {
    raw.writeHead(response.status, headers);
  } catch (cause) {
    // The refused response has left its phrase, with which ours would be sent.
    raw.statusMessage = "";
    discard(response);
    throw new Fault("upstream_malformed", "the provider's response has a header that cannot be sent", { cause });
  }
}

/** Returns the function that streams a provider's response to the client. */
export function createRelay(app: FastifyInstance, headerPrefix: string) {
  const eventStreams = new Set<ServerResponse>();
  const ownPrefix = headerPrefix.toLowerCase();
  const errorSource = errorSourceHeader(ownPrefix).toLowerCase();
  // Event streams that a client listens to may never end, so shutdown closes them instead of waiting.
  app.addHook("preClose", async () => {
    for (const response of eventStreams) response.destroy();
  });

  return function relay(request: SurfaceRequest, reply: SurfaceReply, response: Forwarded, client: Cancellation): void {
    const { raw } = reply;
    const { headers, status } = response;
    // Only we say whose error it is.
    if (headers[errorSource] !== undefined) delete headers[errorSource];
    const list = responseHeaders(headers);
    addOwnHeaders(list, headers, reply, ownPrefix);
    if (status >= 400) list.push(errorSource, "provider");
    sendHeaders(reply, response, list);
    reply.hijack();
    if (status >= 400) {
      request.trace.errorSource = "provider";
      watchBody(response, KEPT_ERROR_BYTES, (body) =>
        traceFailure(request.trace, new ProviderFailure(status, headers, body)),
      );
    }
    if (request.method === "HEAD") {
      // The provider may have been asked with GET, and would send a whole file.
      discard(response);
      raw.end();
      return;
    }
    if (request.method === "GET" && isEventStream(headers)) {
      request.trace.endless = true;
      eventStreams.add(raw);
      raw.once("close", () => eventStreams.delete(raw));
    }
    let begun = false;
    let finished = false;
    let listensForDrain = false;
    const flow = response.pipeTo({
      write(chunk) {
        begun = true;
        const acceptsMore = raw.write(chunk);
        if (!acceptsMore && !listensForDrain) {
          listensForDrain = true;
          raw.on("drain", () => flow.resume());
        }
        return acceptsMore;
      },
      end(last) {
        finished = true;
        raw.end(last);
      },
      // If either side breaks, the other is closed: a client must not take a partial response for a complete one.
      fail(error) {
        finished = true;
        if (!raw.destroyed) {
          request.trace.brokenOff = { status, outcome: "provider_broke_off" };
          request.trace.errorSource = "provider";
          request.log.warn({ err: error, request_id: request.id }, "provider response ended prematurely");
        }
        raw.destroy();
      },
    });
    if (finished) return;
    // The client may wait for the headers, which can arrive long before the first event of a stream.
    if (!begun && headers["content-length"] === undefined) raw.flushHeaders();
    // Fires immediately if the client disconnected while a token was being refreshed.
    client.onCancel(flow);
  };
}
