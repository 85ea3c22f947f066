import { randomUUID } from "node:crypto";
import { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { errorSourceHeader } from "./surfaces/shared/error-source.ts";
import type { SurfaceRequest } from "./surfaces/shared/exchange.ts";
import { requestBody } from "./surfaces/shared/relay.ts";

const CLOSE_TIMEOUT_MS = 1_000;
const LINGER_MS = 5_000;

const clientErrors: Record<string, [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout"],
};

/**
 * Responds to a request that could not be parsed as HTTP, or whose body does not arrive. There is no body, because the
 * request may have been a HEAD.
 */
export function sendClientError(code: string, socket: Socket, headerPrefix: string): void {
  if (code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const [status, phrase] = clientErrors[code] ?? [400, "Bad Request"];
  const head = [
    `HTTP/1.1 ${status} ${phrase}`,
    "Connection: close",
    "Content-Length: 0",
    `X-Request-Id: ${randomUUID()}`,
    `${errorSourceHeader(headerPrefix)}: plugboard`,
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n`);
  // Closing with unread data would reset the connection before the client has seen the response.
  socket.resume();
  socket.setTimeout(CLOSE_TIMEOUT_MS, () => socket.destroy());
}

/** Whether a part of the request has not arrived. A call from within the process has no connection, and is complete. */
const isUnfinished = ({ raw }: Pick<SurfaceRequest, "raw">) => !raw.complete && raw.socket instanceof Socket;

export interface BodyTimes {
  headerPrefix: string;
  /** For a body that we read ourselves. The Proxy and MCP forward theirs as it arrives, before this applies. */
  arriveMs?: number;
  /** For the rest of a body after a response to somebody without a valid key. */
  lingerMs?: number;
}

/** After a response to somebody without a valid key, the rest of the request's body has a moment to arrive. */
export function closeUnfinished(request: Pick<SurfaceRequest, "raw" | "trace">, lingerMs = LINGER_MS): void {
  if (isUnfinished(request) && request.trace.workspaceId === null)
    setTimeout(() => {
      if (isUnfinished(request)) request.raw.socket.destroy();
    }, lingerMs).unref();
}

/** Closes connections on which a body never ends, so that nobody can keep them open with half a request. */
export function limitBodyTimes(
  app: FastifyInstance,
  { headerPrefix, arriveMs = 60_000, lingerMs = LINGER_MS }: BodyTimes,
): void {
  app.addHook("preParsing", (request, _reply, payload, done) => {
    const { raw } = request;
    if (requestBody(request) && isUnfinished(request)) {
      const timer = setTimeout(() => {
        if (!isUnfinished(request)) return;
        request.trace.brokenOff = { status: 408, outcome: "request_timeout" };
        sendClientError("ERR_HTTP_REQUEST_TIMEOUT", raw.socket, headerPrefix);
      }, arriveMs);
      timer.unref();
      raw.once("close", () => clearTimeout(timer));
    }
    done(null, payload);
  });

  app.addHook("onResponse", (request, _reply, done) => {
    closeUnfinished(request, lingerMs);
    done();
  });
}
