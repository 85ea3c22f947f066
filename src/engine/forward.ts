import type { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { Fault } from "../contracts/fault.ts";
import type { CallTrace } from "../contracts/telemetry.ts";
import type { ConnectionContext } from "./connection/connection-context.ts";
import type { TokenKeeper } from "./connection/token-refresh.ts";
import type { CallWithRetries } from "./http/attempts.ts";
import type { Cancellation } from "./http/cancellation.ts";
import type { ConfinedPath } from "./http/confined-path.ts";
import { createForwardedBody } from "./http/forwarded-body.ts";
import { requestHeaders } from "./http/forwarded-headers.ts";
import { redactResponse } from "./http/redact.ts";
import { retryAfter } from "./http/retry.ts";
import { discard, type StreamedResponse } from "./http/stream-response.ts";
import type { ForwardedRequest, Transport, TransportRequest } from "./http/transport.ts";

/** A client's request, to be forwarded with the connection's credentials. */
export interface ForwardRequest {
  connection: ConnectionContext;
  /** Which of the provider's addresses it goes to. */
  to: string;
  method: string;
  /** Appended to that address. */
  path: ConfinedPath;
  /** Unchanged, without the question mark; undefined if there is none. */
  query: string | undefined;
  /** Names in lower case. */
  headers: Record<string, string | string[] | undefined>;
  /** Prefix of our own headers, in lower case; these are not forwarded. */
  ownPrefix: string;
  body: Readable | undefined;
  /** How often a request that changes nothing may be retried. */
  maxRetries: number;
  /** Canceled when the client disconnects. */
  client: Cancellation;
  /** Gets the calls to the provider, for the request log. */
  trace?: CallTrace;
}

export interface Forwarded {
  status: number;
  /** As the provider sent them: `responseHeaders` are those for the client. */
  headers: StreamedResponse["headers"];
  /** Pipes the body. It has no time limit, however slowly the client reads or the provider sends. */
  pipeTo: StreamedResponse["pipeTo"];
  /** The request's body, if it was sent whole and is small. */
  sentBody?(): Buffer | undefined;
}

const REPEATABLE = new Set(["GET", "HEAD", "OPTIONS"]);

/** A manifest's headers are meant for the provider's API, not for its MCP server. */
const NO_DEFAULTS = {};

function parameterName(parameter: string): string {
  const [name = ""] = parameter.split("=", 1);
  try {
    return decodeURIComponent(name.replaceAll("+", " ")).toLowerCase();
  } catch {
    return name.toLowerCase();
  }
}

/** The client's query unchanged, except that the connection's credentials replace its own. */
function withCredentials(query: string | undefined, { authorization, credentialPlaces }: ConnectionContext) {
  const places = credentialPlaces.query;
  if (places.length === 0) return query;
  const kept = query ? query.split("&").filter((parameter) => !places.includes(parameterName(parameter))) : [];
  if (authorization.query) kept.push(new URLSearchParams(authorization.query).toString());
  return kept.length > 0 ? kept.join("&") : undefined;
}

/** A provider whose addresses have a key in them writes it into links. */
function withoutSecrets(response: StreamedResponse, { pathSecrets }: ConnectionContext): StreamedResponse {
  const { "content-encoding": encoding = "identity" } = response.headers;
  if (pathSecrets.length === 0 || encoding === "identity") return redactResponse(response, pathSecrets);
  discard(response);
  throw new Fault("upstream_malformed", "the provider compressed its response, which may contain the key");
}

/** Forwards requests to a provider and returns its responses, streaming in both directions. */
export function createForwarder(transport: Transport, callWithRetries: CallWithRetries, tokens: TokenKeeper) {
  function prepare(
    request: ForwardRequest,
    connection: ConnectionContext,
    body: TransportRequest["body"],
  ): ForwardedRequest {
    const { origin, path } = connection.address(request.to);
    const query = withCredentials(request.query, connection);
    const { authorization, pathSecrets } = connection;
    const defaults = request.to === "mcp" ? NO_DEFAULTS : connection.defaults;
    const hasLength = request.headers["content-length"] !== undefined;
    let clientHeaders =
      request.body || !hasLength ? request.headers : { ...request.headers, "content-length": undefined };
    // A secret cannot be found in a compressed body.
    if (pathSecrets.length > 0) clientHeaders = { ...clientHeaders, "accept-encoding": "identity" };
    const headers = requestHeaders(
      clientHeaders,
      request.ownPrefix,
      defaults,
      authorization.headers ?? {},
      connection.credentialPlaces.headers,
    );
    return {
      origin,
      path: (path + (authorization.path ?? "") + request.path || "/") + (query === undefined ? "" : `?${query}`),
      method: request.method as Dispatcher.HttpMethod,
      headers,
      body,
      pathSecrets,
    };
  }

  return async function forward(request: ForwardRequest): Promise<Forwarded> {
    const { manifest } = request.connection.provider;
    const forwardedBody = request.body && createForwardedBody(request.body, transport.countStreamedBytes);
    const repeatable = !forwardedBody && REPEATABLE.has(request.method);
    let attempt: { restartTimeout(): void } | undefined;
    const send = (connection: ConnectionContext, body: TransportRequest["body"]) =>
      callWithRetries({
        provider: manifest.id,
        send: transport.stream,
        request: prepare(request, connection, body),
        retries: repeatable ? request.maxRetries : 0,
        repeatable,
        client: request.client,
        trace: request.trace,
        onAttempt(begun) {
          attempt = begun;
        },
        interpret: (response) => ({
          status: response.statusCode,
          waitSeconds: () =>
            retryAfter(response) ??
            manifest.retryAfter?.({ status: response.statusCode, headers: response.headers, body: null }),
          value: response,
        }),
        discard: (response) => discard(response),
      });

    let response = await send(
      request.connection,
      forwardedBody?.read(() => attempt?.restartTimeout()),
    );
    const statusIsConclusive = response.statusCode >= 300 || request.to === "mcp" || !manifest.refusesWithSuccess;
    const noted = statusIsConclusive && tokens.noteStatus(request.connection, response.statusCode);
    if (noted) await noted;
    // An MCP server may take other tokens than the API: only the API says whether a token has to be refreshed.
    const isRefused = () => request.to !== "mcp" || tokens.isRefusedByApi(request.connection);
    if (response.statusCode === 401 && tokens.isRefreshable(request.connection) && (await isRefused())) {
      // Even if this request cannot be sent again: the client's next one uses the new token.
      const refreshed = await tokens.refreshRefusedToken(request.connection).catch((error: unknown) => {
        discard(response);
        throw error;
      });
      const body = forwardedBody?.again();
      if (refreshed && (!forwardedBody || body)) {
        discard(response);
        response = await send(refreshed, body);
        if (response.statusCode === 401) tokens.refusedAgain(refreshed);
      }
    }
    const { statusCode: status, headers, pipeTo } = withoutSecrets(response, request.connection);
    return { status, headers, pipeTo, sentBody: () => forwardedBody?.again() };
  };
}
