import type { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import type { ConnectionContext } from "./connection/connection-context.ts";
import type { TokenKeeper } from "./connection/token-refresh.ts";
import type { CallWithRetries } from "./http/attempts.ts";
import type { Cancellation } from "./http/cancellation.ts";
import type { ConfinedPath } from "./http/confined-path.ts";
import { requestHeaders, responseHeaders } from "./http/forwarded-headers.ts";
import { retryAfter } from "./http/retry.ts";
import { discard, type StreamedResponse } from "./http/stream-response.ts";
import type { Transport, TransportRequest } from "./http/transport.ts";

/** A client's request as it came, to be sent on with the connection's credentials. */
export interface ForwardRequest {
  connection: ConnectionContext;
  /** Which of the provider's addresses it goes to. */
  to: "api" | "mcp";
  method: string;
  /** Appended to that address. */
  path: ConfinedPath;
  /** Without its question mark, as it came; undefined where there is none. */
  query: string | undefined;
  /** Names in lower case. */
  headers: Record<string, string | string[] | undefined>;
  /** What our own headers begin with, in lower case. */
  ownPrefix: string;
  body: Readable | undefined;
  /** How often a request is made again that asks for something and changes nothing. */
  maxRetries: number;
  /** Ends the call when they go away. */
  client: Cancellation;
}

export interface Forwarded {
  status: number;
  headers: Record<string, string | string[]>;
  /** Takes the body. It has no time limit: the client may read as slowly, and the provider go on for as long, as it likes. */
  pipeTo: StreamedResponse["pipeTo"];
  /** Calls made, retries not counted. */
  calls: number;
}

const REPEATABLE = new Set(["GET", "HEAD", "OPTIONS"]);
/** A body up to this size is kept while it passes, so that it can be sent again with a new token. */
const KEPT_BODY = 64 * 1024;
const ignore = () => {};

/** Passes a client's body on as it is read by the provider, and no faster. */
function createPassage(source: Readable, countBytes: (bytes: number) => void) {
  let kept: Buffer[] | undefined = [];
  let size = 0;
  let whole = false;

  async function* read(onProgress: () => void): AsyncGenerator<Buffer> {
    try {
      // Without closing it on the way out: an answer may come before the body has, and goes over the same connection.
      for await (const chunk of source.iterator({ destroyOnReturn: false })) {
        onProgress();
        countBytes(chunk.length);
        size += chunk.length;
        if (size > KEPT_BODY) kept = undefined;
        kept?.push(chunk);
        yield chunk;
      }
      whole = true;
    } finally {
      // What the provider did not want is read and dropped, so that the client gets to the answer.
      source.resume();
    }
  }

  return { read, again: () => (whole && kept ? Buffer.concat(kept) : undefined) };
}

/** What a manifest wants is meant for its API, not for an MCP server. */
const NO_DEFAULTS = {};

function parameterName(parameter: string): string {
  const [name = ""] = parameter.split("=", 1);
  try {
    return decodeURIComponent(name.replaceAll("+", " ")).toLowerCase();
  } catch {
    return name.toLowerCase();
  }
}

/** The client's query to the letter, with the credentials that travel in it in the place of any such of the client. */
function withCredentials(query: string | undefined, credentials: Record<string, string> | undefined) {
  if (!credentials) return query;
  const ours = new Set(Object.keys(credentials).map((name) => name.toLowerCase()));
  const kept = query ? query.split("&").filter((parameter) => !ours.has(parameterName(parameter))) : [];
  return [...kept, new URLSearchParams(credentials).toString()].join("&");
}

/** Sends requests on to a provider and hands its answers back, streaming both ways. */
export function createForwarder(transport: Transport, callWithRetries: CallWithRetries, tokens: TokenKeeper) {
  function prepare(
    request: ForwardRequest,
    connection: ConnectionContext,
    body: TransportRequest["body"],
  ): TransportRequest {
    const { origin, path } = connection.address(request.to);
    const query = withCredentials(request.query, connection.authorization.query);
    const defaults = request.to === "api" ? connection.defaults : NO_DEFAULTS;
    const headers = Object.assign(
      requestHeaders(request.headers, request.ownPrefix, defaults),
      connection.authorization.headers,
    );
    if (!request.body && headers["content-length"] !== undefined) delete headers["content-length"];
    return {
      origin,
      path: (path + request.path || "/") + (query === undefined ? "" : `?${query}`),
      method: request.method as Dispatcher.HttpMethod,
      headers,
      body,
    };
  }

  return async function forward(request: ForwardRequest): Promise<Forwarded> {
    const { manifest } = request.connection.provider;
    const passage = request.body && createPassage(request.body, transport.countStreamedBytes);
    const repeatable = !passage && REPEATABLE.has(request.method);
    let restart = ignore;

    const send = (connection: ConnectionContext, body: TransportRequest["body"]) =>
      callWithRetries({
        provider: manifest.id,
        send: transport.stream,
        request: prepare(request, connection, body),
        retries: repeatable ? request.maxRetries : 0,
        repeatable,
        client: request.client,
        onAttempt(restartTimeout) {
          restart = restartTimeout;
        },
        interpret: (response) => ({
          status: response.statusCode,
          waitSeconds: () =>
            retryAfter(response) ??
            manifest.retryAfter?.({ status: response.statusCode, headers: response.headers, body: null }),
          value: response,
        }),
        discard,
      });

    let response = await send(
      request.connection,
      passage?.read(() => restart()),
    );
    let calls = 1;
    if (response.statusCode < 300) tokens.accepted(request.connection);
    if (response.statusCode === 401 && tokens.isRefreshable(request.connection)) {
      // Also where the request cannot be made again: the client's next one gets the new token.
      const renewed = await tokens.renew(request.connection).catch(ignore);
      const body = passage?.again();
      if (renewed && (!passage || body)) {
        discard(response);
        response = await send(renewed, body);
        calls++;
        if (response.statusCode === 401) tokens.refusedAgain(renewed);
      }
    }
    return { status: response.statusCode, headers: responseHeaders(response.headers), pipeTo: response.pipeTo, calls };
  };
}
