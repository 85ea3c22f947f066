import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { errorSourceHeader } from "../surfaces/shared/error-source.ts";
import { requestBody } from "../surfaces/shared/relay.ts";
import type { SurfaceRequest } from "../surfaces/shared/surface-types.ts";
import { newRequestId } from "./request-id.ts";

const CLOSE_TIMEOUT_MS = 1_000;
/** How long the rest of a body may take after the response, for somebody without and with a valid key. */
const LINGER_MS = { stranger: 5_000, caller: 30_000 };

const clientErrors: Record<string, [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout"],
};

/** With the response that is being sent, which Node's own handler of client errors looks at too. */
interface RespondingSocket extends Socket {
  _httpMessage?: ServerResponse | null;
}

/** Sockets that are being closed: more malformed bytes may arrive on them. */
const refused = new WeakSet<Socket>();

/**
 * Responds to a request that could not be parsed as HTTP, or whose body does not arrive. There is no body, because the
 * request may have been a HEAD. The requests before it get their responses first.
 */
export function sendClientError(code: string, socket: RespondingSocket, headerPrefix: string): void {
  if (code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  if (refused.has(socket)) return;
  refused.add(socket);
  afterCompleteRequests(socket, (unfinished) => {
    // The last of them has closed the connection.
    if (!socket.writable) return;
    // A second response to the same request would be taken for that to the next one.
    if (unfinished?.headersSent) {
      if (unfinished.writableEnded) unfinished.once("close", () => close(socket));
      else socket.destroy();
      return;
    }
    const [status, phrase] = clientErrors[code] ?? [400, "Bad Request"];
    const head = [
      `HTTP/1.1 ${status} ${phrase}`,
      "Connection: close",
      "Content-Length: 0",
      `X-Request-Id: ${newRequestId()}`,
      `${errorSourceHeader(headerPrefix)}: plugboard`,
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n`);
    close(socket);
  });
}

/** Calls back when the responses to all complete requests are sent, with the one to a request that is not complete. */
function afterCompleteRequests(socket: RespondingSocket, then: (unfinished?: ServerResponse) => void): void {
  const current = socket._httpMessage ?? undefined;
  if (current?.req.complete) current.once("close", () => afterCompleteRequests(socket, then));
  else then(current);
}

/** Closing with unread data would reset the connection before the client has seen the response. */
function close(socket: Socket): void {
  socket.end();
  socket.resume();
  socket.setTimeout(CLOSE_TIMEOUT_MS, () => socket.destroy());
}

interface RefusalOptions {
  headerPrefix: string;
  requestId(request: IncomingMessage): string;
}

/** Refuses what Node would refuse without our headers: HTTP/1.1 without a host, and an unknown expectation. */
export function refuseAsHttpAsks(server: Server, { headerPrefix, requestId }: RefusalOptions): void {
  const refuse = (status: number) => (request: IncomingMessage, response: ServerResponse) =>
    response
      .writeHead(status, {
        connection: "close",
        "content-length": 0,
        "x-request-id": requestId(request),
        [errorSourceHeader(headerPrefix)]: "plugboard",
      })
      .end();
  const refuseHost = refuse(400);
  const [serve] = server.listeners("request") as RequestListener[];
  server.removeAllListeners("request");
  server.on("request", (request, response) => {
    if (request.headers.host === undefined && request.httpVersion === "1.1") refuseHost(request, response);
    else serve!(request, response);
  });
  server.on("checkExpectation", refuse(417));
}

/** Whether a part of the request has not arrived. A call from within the process has no connection, and is complete. */
const isUnfinished = ({ raw }: Pick<SurfaceRequest, "raw">) => !raw.complete && raw.socket instanceof Socket;

export interface BodyTimes {
  headerPrefix: string;
  /** For a body that we read ourselves. The Proxy and MCP forward theirs as it arrives, before this applies. */
  arriveMs?: number;
  /** For the rest of a body after the response. */
  lingerMs?: typeof LINGER_MS;
}

/** After a response, the rest of the request's body has a while to arrive: many clients read only after they have sent. */
export function closeUnfinished(request: Pick<SurfaceRequest, "raw" | "trace">, lingerMs = LINGER_MS): void {
  if (!isUnfinished(request)) return;
  const { raw, trace } = request;
  const timer = setTimeout(
    () => {
      if (isUnfinished(request)) raw.socket.destroy();
    },
    trace.workspaceId === null ? lingerMs.stranger : lingerMs.caller,
  );
  timer.unref();
  raw.once("close", () => clearTimeout(timer));
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
