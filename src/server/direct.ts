import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Caller } from "../contracts/caller.ts";
import { createTurnQueue } from "../runtime/end-of-turn.ts";
import { errorSourceOf } from "../surfaces/shared/error-source.ts";
import { clientCancellation } from "../surfaces/shared/relay.ts";
import type { DirectSurface, Serve, SurfaceReply, SurfaceRequest } from "../surfaces/shared/surface-types.ts";
import { newTrace } from "../surfaces/shared/trace.ts";

export class DirectRequest implements SurfaceRequest {
  readonly raw: IncomingMessage;
  readonly id: string;
  readonly log: SurfaceRequest["log"];
  readonly trace = newTrace();
  caller!: Caller;

  constructor(raw: IncomingMessage, id: string, log: SurfaceRequest["log"]) {
    this.raw = raw;
    this.id = id;
    this.log = log;
  }

  get headers() {
    return this.raw.headers;
  }

  get method() {
    return this.raw.method!;
  }

  get url() {
    return this.raw.url!;
  }
}

export class DirectReply implements SurfaceReply {
  readonly raw: ServerResponse;
  readonly #errorSourceHeader: string;
  readonly #request: DirectRequest;
  readonly #headers: Record<string, string | number>;

  constructor(raw: ServerResponse, request: DirectRequest, errorSourceHeader: string) {
    this.raw = raw;
    this.#request = request;
    this.#errorSourceHeader = errorSourceHeader;
    this.#headers = { "x-request-id": request.id };
  }

  header(name: string, value: string | number): void {
    this.#headers[name] = value;
  }

  getHeaders() {
    return this.#headers;
  }

  code(status: number): void {
    this.raw.statusCode = status;
  }

  type(contentType: string): void {
    this.#headers["content-type"] = contentType;
  }

  send(body: object | string | Buffer = ""): void {
    const { raw } = this;
    const headers = this.#headers;
    const isObject = typeof body === "object" && !Buffer.isBuffer(body);
    if (isObject) this.type("application/json; charset=utf-8");
    else if (Buffer.isBuffer(body)) headers["content-type"] ??= "application/octet-stream";
    const sent = isObject ? JSON.stringify(body) : (body as string | Buffer);
    headers["content-length"] = Buffer.byteLength(sent);
    const source = errorSourceOf(raw.statusCode, this.#request.trace);
    if (source) headers[this.#errorSourceHeader] = source;
    raw.writeHead(raw.statusCode, headers);
    raw.end(sent);
  }

  hijack(): void {}
}

export interface DirectOptions {
  /** By name, with which their paths begin. */
  surfaces: Readonly<Record<string, DirectSurface>>;
  log: SurfaceRequest["log"];
  errorSourceHeader: string;
  requestId(request: IncomingMessage): string;
  /** The URL with the surface in its path, if a surface has a host of its own. */
  rewriteUrl?: ((request: IncomingMessage) => string) | undefined;
  /** Whether requests have to be served by Fastify at the moment. */
  isOff(): boolean;
  /** Called for each request before it is served, to count and log it when it has ended. */
  observe(surface: string, request: DirectRequest, response: ServerResponse): void;
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Serves requests that need none of Fastify's features; everything else goes to Fastify. This is the only place that
 * decides which way a request takes; the code that serves it is the same.
 */
export function serveDirectly(server: Server, options: DirectOptions): void {
  const [serveByFastify] = server.listeners("request") as Listener[];
  const surfaces = Object.entries(options.surfaces).map(([name, surface]) => ({ name, prefix: `/${name}/`, surface }));
  const atEndOfTurn = createTurnQueue();

  function serveOne(
    name: string,
    serve: Serve,
    sendError: DirectSurface["sendError"],
    incoming: IncomingMessage,
    raw: ServerResponse,
  ): void {
    const request = new DirectRequest(incoming, options.requestId(incoming), options.log);
    const reply = new DirectReply(raw, request, options.errorSourceHeader);
    const client = clientCancellation(reply);
    options.observe(name, request, raw);
    function fail(error: unknown): void {
      try {
        // If the client disconnected, there is nobody to send an error to.
        if (!client.cancelled) sendError(error, request, reply);
      } catch (failure) {
        options.log.error({ err: failure, request_id: request.id }, "could not send an error");
        raw.destroy();
      }
    }
    atEndOfTurn(() => void serve(request, reply, client).catch(fail));
  }

  server.removeAllListeners("request");
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    if (!options.isOff()) {
      const url = options.rewriteUrl ? options.rewriteUrl(request) : request.url!;
      for (const { name, prefix, surface } of surfaces) {
        if (!url.startsWith(prefix)) continue;
        const serve = surface.find(url, request);
        if (!serve) break;
        request.url = url;
        return serveOne(name, serve, surface.sendError, request, response);
      }
    }
    serveByFastify!(request, response);
  });
}
