import { Fault, ProviderFailure } from "../../contracts/fault.ts";
import type { Answer, Query, UpstreamRequest } from "../../contracts/upstream.ts";
import type { LiveConnection } from "../connection/connection-context.ts";
import type { CredentialKeeper } from "../connection/token-refresh.ts";
import type { Exchanger } from "../http/attempts.ts";
import type { WholeResponse } from "../http/buffer-response.ts";
import type { Ending } from "../http/cancellation.ts";
import { queryString } from "../http/query-string.ts";
import { retryAfter } from "../http/retry.ts";
import type { Transport, TransportRequest } from "../http/transport.ts";

/** One client's request as it goes on: the connection may change under it when its token is renewed. */
export interface Run {
  live: LiveConnection;
  maxRetries: number;
  /** Whether the provider's calls may be made twice. */
  repeatable: boolean;
  /** Calls made so far, retries not counted. */
  calls: number;
  /** Whoever waits for it. */
  client?: Ending | undefined;
}

interface Outcome {
  received: WholeResponse;
  answer: Answer;
  /** The status that the answer really has. */
  status: number;
}

/** Same-origin redirects that one call follows, such as a renamed repository's. */
const REDIRECTS = 3;
const isRedirect = (status: number) => status === 301 || status === 302 || status === 307 || status === 308;

/** Puts a client's own parameters where the provider expects them; what is fixed wins over them. */
function withParams(request: UpstreamRequest, params: Query | undefined) {
  const { body, fixed } = request;
  if (request.paramsIn === "query") return { query: { ...request.query, ...params, ...fixed }, body };
  if (request.paramsIn === "body") return { query: request.query, body: { ...body, ...params, ...fixed } };
  return { query: request.query, body: { ...body, variables: { ...body?.variables, ...params, ...fixed } } };
}

/** A path that a server could read as leading out of the base address is never sent. */
const hasDotSegment = (path: string) => /(^|[/\\]|%2f|%5c)(\.|%2e){1,2}([/\\?#]|%2f|%5c|$)/i.test(path);

function parse({ bytes, statusCode }: WholeResponse): unknown {
  if (bytes.length === 0) return null;
  try {
    return JSON.parse(bytes.toString());
  } catch {
    // A failure may well be plain text, and goes to the client as it is.
    if (statusCode >= 300) return null;
    throw new Fault("upstream_malformed", "the provider's answer is not JSON");
  }
}

export function createUpstream(transport: Transport, exchange: Exchanger, credentials: CredentialKeeper) {
  function address(live: LiveConnection, request: UpstreamRequest, params: Query | undefined): TransportRequest {
    const { origin, path } = live.address(request.to);
    const { query, body } = withParams(request, params);
    if (hasDotSegment(request.path)) throw new Fault("upstream_forbidden", "the path leads out of the provider's API");
    let { headers } = live;
    if (body !== undefined) headers = { "content-type": "application/json; charset=utf-8", ...headers };
    // Credentials win over whatever else is sent.
    if (request.headers) headers = { ...headers, ...request.headers, ...live.authorization.headers };
    return {
      origin,
      path: `${path}${request.path}${queryString(query, live.authorization.query)}` || "/",
      method: request.method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
  }

  const send = (run: Run, request: TransportRequest): Promise<Outcome> => {
    const { manifest } = run.live.provider;
    return exchange({
      provider: manifest.id,
      request,
      retries: run.maxRetries,
      repeatable: run.repeatable,
      client: run.client,
      call: transport.collect,
      consume(response) {
        const { statusCode, headers } = response;
        const answer: Answer = { status: statusCode, headers, body: parse(response) };
        return { received: response, answer, status: manifest.failed?.(answer) ?? statusCode };
      },
      statusOf: (outcome) => outcome.status,
      waitOf: ({ answer }) => retryAfter(answer) ?? manifest.retryAfter?.(answer),
    });
  };

  /** Where a redirect leads that stays on the origin; credentials never go anywhere else. */
  function redirected(request: TransportRequest, { status, answer }: Outcome): TransportRequest | undefined {
    const { location } = answer.headers;
    if (!isRedirect(status) || typeof location !== "string" || request.method !== "GET") return undefined;
    const target = new URL(location, request.origin + request.path);
    return target.origin === request.origin ? { ...request, path: target.pathname + target.search } : undefined;
  }

  async function follow(run: Run, first: TransportRequest, outcome: Outcome): Promise<Outcome> {
    let request = redirected(first, outcome);
    for (let hops = 0; request && hops < REDIRECTS; hops++) {
      outcome = await send(run, request);
      request = redirected(request, outcome);
    }
    return outcome;
  }

  /** Makes one call for a run. A refused token is renewed and the call made once more, if it can be. */
  return async function call(run: Run, request: UpstreamRequest, params?: Query): Promise<Answer> {
    run.calls++;
    const addressed = address(run.live, request, params);
    let outcome = await send(run, addressed);
    if (isRedirect(outcome.status)) outcome = await follow(run, addressed, outcome);
    if (outcome.status < 300) credentials.accepted(run.live);
    if (outcome.status === 401 && credentials.isRefreshable(run.live)) {
      const renewed = await credentials.renew(run.live).catch(() => undefined);
      if (renewed) {
        run.live = renewed;
        const again = address(run.live, request, params);
        outcome = await follow(run, again, await send(run, again));
        if (outcome.status === 401) credentials.refusedAgain(renewed);
      }
    }
    const { status, answer, received } = outcome;
    if (status >= 300) throw new ProviderFailure(status, answer.headers, received.bytes);
    received.release();
    return answer;
  };
}

export type UpstreamCaller = ReturnType<typeof createUpstream>;
