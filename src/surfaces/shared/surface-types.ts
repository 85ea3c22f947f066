import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Caller } from "../../contracts/caller.ts";
import type { Cancellation } from "../../engine/index.ts";
import type { Trace } from "./trace.ts";

type Log = (details: object, message: string) => void;

/** What a surface on the direct path needs of a request. Fastify's request has it too, so the same code serves both. */
export interface SurfaceRequest {
  readonly raw: IncomingMessage;
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly method: string;
  readonly log: { warn: Log; error: Log };
  trace: Trace;
  /** Set by `authenticate`. */
  caller: Caller;
}

/** What such a surface needs of a reply: the same for Fastify's. */
export interface SurfaceReply {
  readonly raw: ServerResponse;
  header(name: string, value: string | number): unknown;
  /** The headers that were set so far, names in lower case. */
  getHeaders(): Record<string, unknown>;
  code(status: number): unknown;
  type(contentType: string): unknown;
  /** Sends an object as JSON, text and bytes as they are. */
  send(body?: object | string | Buffer): unknown;
  /** Says that the surface itself writes to `raw`. */
  hijack(): unknown;
}

/** Serves a request before its body is read. `client` is canceled if the client disconnects. */
export type Serve = (request: SurfaceRequest, reply: SurfaceReply, client: Cancellation) => Promise<void>;

/** A surface that can be served without Fastify. */
export interface DirectSurface {
  /** What serves a request; undefined if it is left to Fastify. */
  find(url: string, request: IncomingMessage): Serve | undefined;
  sendError(error: unknown, request: SurfaceRequest, reply: SurfaceReply): unknown;
}
