import { ProviderFailure } from "../../contracts/fault.ts";
import type { CallTrace } from "../../contracts/telemetry.ts";
import type { Answer, Query, UpstreamRequest } from "../../contracts/upstream.ts";
import type { ConnectionContext } from "../connection/connection-context.ts";
import type { TokenKeeper } from "../connection/token-refresh.ts";
import { assertStatus, type CallWithRetries, type Interpretation } from "../http/attempts.ts";
import type { BufferedResponse } from "../http/buffer-response.ts";
import type { Cancellation } from "../http/cancellation.ts";
import { redactBytes, redactHeaders } from "../http/redact.ts";
import { parseLocation } from "../http/redirect.ts";
import type { Transport, TransportRequest } from "../http/transport.ts";
import type { DryRun } from "./dry-run.ts";
import { interpretAnswer } from "./interpret-answer.ts";
import { parseBody } from "./parse-body.ts";
import { type Given, prepareRequest } from "./prepare-request.ts";

/** Knows how far a write has come. */
export interface WriteGuard {
  /** Runs before each call that changes something. */
  beforeSending(): Promise<void>;
  /** A call that changes something has succeeded. */
  carriedOut: boolean;
}

/** Whether a call may change something at the provider. */
const changesSomething = ({ method, readOnly }: UpstreamRequest) => method !== "GET" && !readOnly;

/** One client request while it is served. Its connection changes when the token is refreshed meanwhile. */
export interface OperationRun {
  connection: ConnectionContext;
  given?: Given;
  maxRetries: number;
  /** Whether the provider's calls may be made twice. */
  repeatable: boolean;
  /** Calls made so far, retries not counted, and the bytes of their responses. */
  calls: number;
  bytes: number;
  /** Set if the operation changes something at the provider. */
  write?: WriteGuard | undefined;
  /** Set if nothing may be sent: collects what would be. */
  dryRun?: DryRun | undefined;
  /** Collects the parsed bodies, if they are wanted. */
  bodies?: unknown[];
  /** Canceled when the client disconnects. */
  client?: Cancellation | undefined;
  /** Gets the calls, for the request log. */
  trace?: CallTrace | undefined;
}

interface Outcome {
  received: BufferedResponse;
  answer: Answer;
  /** The status that counts, which may differ from the one on the wire. */
  status: number;
  waitSeconds(): number | undefined;
  /** What to send next, if it is a redirect that can be followed. */
  next: TransportRequest | undefined;
}

/** Same-origin redirects that one call follows, such as a renamed repository's. */
const MAX_REDIRECTS = 3;
const isRedirect = (status: number) => status === 301 || status === 302 || status === 307 || status === 308;

/** Where a redirect leads, if it stays on the origin; credentials never go anywhere else. */
function redirectTarget(request: TransportRequest, { status, headers }: Answer): TransportRequest | undefined {
  const { location } = headers;
  if (!isRedirect(status) || typeof location !== "string" || request.method !== "GET") return undefined;
  const target = parseLocation(location, request);
  return target.origin === request.origin ? { ...request, path: target.pathname + target.search } : undefined;
}

export function createUpstream(
  transport: Pick<Transport, "buffer">,
  callWithRetries: CallWithRetries,
  tokens: Pick<TokenKeeper, "noteStatus" | "isRefreshable" | "refreshRefusedToken" | "refusedAgain">,
) {
  function send(run: OperationRun, request: TransportRequest, repeatable: boolean): Promise<Outcome> {
    const { manifest } = run.connection.provider;
    return callWithRetries({
      provider: manifest.id,
      request,
      retries: run.maxRetries,
      repeatable,
      client: run.client,
      trace: run.trace,
      send: transport.buffer,
      interpret(received): Interpretation<Outcome> {
        assertStatus(received);
        const { statusCode, headers } = received;
        const answer: Answer = { status: statusCode, headers, body: parseBody(received) };
        const { status, waitSeconds } = interpretAnswer(manifest, answer);
        const next = redirectTarget(request, { ...answer, status });
        return { status, waitSeconds, value: { received, answer, status, waitSeconds, next } };
      },
    });
  }

  async function follow(run: OperationRun, redirect: Outcome, repeatable: boolean): Promise<Outcome> {
    let outcome = redirect;
    for (let hops = 0; outcome.next && hops < MAX_REDIRECTS; hops++)
      outcome = await send(run, outcome.next, repeatable);
    return outcome;
  }

  /** Makes one call for a run. If the token is refused and can be refreshed, the call is repeated once. */
  return async function call<Body = unknown>(
    run: OperationRun,
    request: UpstreamRequest,
    passthrough?: Query,
  ): Promise<Answer<Body>> {
    if (run.dryRun) throw run.dryRun.stopAt(run.connection, request, passthrough, run.given);
    const writes = changesSomething(request);
    if (writes) await run.write?.beforeSending();
    // Reads that belong to a write may be repeated in any case.
    const repeatable = run.repeatable || !writes;
    run.calls++;
    let outcome = await send(run, prepareRequest(run.connection, request, passthrough, run.given), repeatable);
    if (outcome.next) outcome = await follow(run, outcome, repeatable);
    const noted = tokens.noteStatus(run.connection, outcome.status);
    if (noted) await noted;
    if (outcome.status === 401 && tokens.isRefreshable(run.connection)) {
      const refreshed = await tokens.refreshRefusedToken(run.connection);
      if (refreshed) {
        run.connection = refreshed;
        outcome = await send(run, prepareRequest(run.connection, request, passthrough, run.given), repeatable);
        if (outcome.next) outcome = await follow(run, outcome, repeatable);
        if (outcome.status === 401) tokens.refusedAgain(refreshed);
      }
    }
    const { status, answer, received } = outcome;
    const { pathSecrets } = run.connection;
    if (status >= 300)
      throw new ProviderFailure(
        status,
        redactHeaders(answer.headers, pathSecrets),
        redactBytes(received.bytes, pathSecrets),
        outcome.waitSeconds(),
      );
    if (writes && run.write) run.write.carriedOut = true;
    run.bytes += received.bytes.length;
    received.release();
    run.bodies?.push(answer.body);
    return answer as Answer<Body>;
  };
}

export type UpstreamCaller = ReturnType<typeof createUpstream>;
