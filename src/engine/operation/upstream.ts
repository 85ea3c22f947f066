import { Fault, ProviderFailure } from "../../contracts/fault.ts";
import type { Answer, Query, UpstreamRequest } from "../../contracts/upstream.ts";
import type { ConnectionContext } from "../connection/connection-context.ts";
import type { TokenKeeper } from "../connection/token-refresh.ts";
import type { CallWithRetries, Interpretation } from "../http/attempts.ts";
import type { BufferedResponse } from "../http/buffer-response.ts";
import type { Cancellation } from "../http/cancellation.ts";
import { retryAfter } from "../http/retry.ts";
import type { Transport, TransportRequest } from "../http/transport.ts";
import { prepareRequest } from "./prepare-request.ts";

/** One client request while it is served. Its connection changes when the token is refreshed meanwhile. */
export interface Run {
  connection: ConnectionContext;
  maxRetries: number;
  /** Whether the provider's calls may be made twice. */
  repeatable: boolean;
  /** Calls made so far, retries not counted. */
  calls: number;
  /** Collects the parsed bodies, if they are wanted. */
  bodies?: unknown[];
  /** Cancelled when the client disconnects. */
  client?: Cancellation | undefined;
}

interface Outcome {
  received: BufferedResponse;
  answer: Answer;
  /** The status that counts, which may differ from the one on the wire. */
  status: number;
}

/** Same-origin redirects that one call follows, such as a renamed repository's. */
const MAX_REDIRECTS = 3;
const isRedirect = (status: number) => status === 301 || status === 302 || status === 307 || status === 308;

function parse({ bytes, statusCode }: BufferedResponse): unknown {
  if (bytes.length === 0) return null;
  try {
    return JSON.parse(bytes.toString());
  } catch {
    // A failure may well be plain text, and is passed to the client unchanged.
    if (statusCode >= 300) return null;
    throw new Fault("upstream_malformed", "the provider's response is not JSON");
  }
}

/** Where a redirect leads, if it stays on the origin; credentials never go anywhere else. */
function redirectTarget(request: TransportRequest, { status, answer }: Outcome): TransportRequest | undefined {
  const { location } = answer.headers;
  if (!isRedirect(status) || typeof location !== "string" || request.method !== "GET") return undefined;
  const target = new URL(location, request.origin + request.path);
  return target.origin === request.origin ? { ...request, path: target.pathname + target.search } : undefined;
}

export function createUpstream(
  transport: Pick<Transport, "buffer">,
  callWithRetries: CallWithRetries,
  tokens: Pick<TokenKeeper, "accepted" | "isRefreshable" | "refreshRefusedToken" | "refusedAgain">,
) {
  function send(run: Run, request: TransportRequest): Promise<Outcome> {
    const { manifest } = run.connection.provider;
    return callWithRetries({
      provider: manifest.id,
      request,
      retries: run.maxRetries,
      // Reads that belong to a write may be repeated in any case.
      repeatable: run.repeatable || request.method === "GET",
      client: run.client,
      send: transport.buffer,
      interpret(received): Interpretation<Outcome> {
        const { statusCode, headers } = received;
        const answer: Answer = { status: statusCode, headers, body: parse(received) };
        const status = manifest.failed?.(answer) ?? statusCode;
        return {
          status,
          waitSeconds: () => retryAfter(answer) ?? manifest.retryAfter?.(answer),
          value: { received, answer, status },
        };
      },
    });
  }

  async function sendAndFollow(run: Run, request: TransportRequest): Promise<Outcome> {
    let outcome = await send(run, request);
    let target = redirectTarget(request, outcome);
    for (let hops = 0; target && hops < MAX_REDIRECTS; hops++) {
      outcome = await send(run, target);
      target = redirectTarget(target, outcome);
    }
    return outcome;
  }

  /** Makes one call for a run. If the token is refused and can be refreshed, the call is repeated once. */
  return async function call<Body = unknown>(
    run: Run,
    request: UpstreamRequest,
    passthrough?: Query,
  ): Promise<Answer<Body>> {
    run.calls++;
    let outcome = await sendAndFollow(run, prepareRequest(run.connection, request, passthrough));
    if (outcome.status < 300) tokens.accepted(run.connection);
    if (outcome.status === 401 && tokens.isRefreshable(run.connection)) {
      const refreshed = await tokens.refreshRefusedToken(run.connection).catch(() => undefined);
      if (refreshed) {
        run.connection = refreshed;
        outcome = await sendAndFollow(run, prepareRequest(run.connection, request, passthrough));
        if (outcome.status === 401) tokens.refusedAgain(refreshed);
      }
    }
    const { status, answer, received } = outcome;
    if (status >= 300) throw new ProviderFailure(status, answer.headers, received.bytes);
    received.release();
    run.bodies?.push(answer.body);
    return answer as Answer<Body>;
  };
}

export type UpstreamCaller = ReturnType<typeof createUpstream>;
