import type { Query, UpstreamRequest } from "../../contracts/upstream.ts";
import type { ConnectionContext } from "../connection/connection-context.ts";
import { REDACTED } from "../http/redact.ts";
import { type Given, prepareRequest } from "./prepare-request.ts";

/** A call that would be made, without credentials. */
export interface PlannedCall {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: unknown;
}

/** What a dry run found out. */
export interface DryRunResult {
  requests: PlannedCall[];
  /** False if further calls follow that depend on the provider's answer to this one. */
  complete: boolean;
}

/** The scheme stays: `Bearer [redacted]`. */
const redact = (values: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const [scheme, secret] = value.split(" ", 2);
      return [name, secret === undefined ? REDACTED : `${scheme} ${REDACTED}`];
    }),
  );

/** The same connection without its secrets. */
function withoutCredentials(connection: ConnectionContext): ConnectionContext {
  const { authorization } = connection;
  const headers = redact(authorization.headers);
  return {
    ...connection,
    authorization: {
      headers,
      ...(authorization.query ? { query: redact(authorization.query) } : {}),
      ...(authorization.path ? { path: `/${REDACTED}` } : {}),
    },
    headers: { ...connection.headers, ...headers },
  };
}

/** Ends a run that may not send anything. */
export class DryRunStopped extends Error {}

/** Notes the first call of a run, and ends the run there: what follows would depend on the answer. */
export class DryRun {
  readonly requests: PlannedCall[] = [];
  /** Set before a call whose answer the operation needs for further calls. */
  isPreparing = false;

  stopAt(connection: ConnectionContext, request: UpstreamRequest, passthrough?: Query, given?: Given): Error {
    const { method, origin, path, headers, body } = prepareRequest(
      withoutCredentials(connection),
      request,
      passthrough,
      given,
    );
    this.requests.push({
      method,
      url: origin + path,
      headers: headers as Record<string, string>,
      body: typeof body === "string" ? JSON.parse(body) : null,
    });
    return new DryRunStopped();
  }

  /** Runs work up to its first call. */
  async record(work: () => Promise<unknown>): Promise<DryRunResult> {
    await work().catch((error: unknown) => {
      if (!(error instanceof DryRunStopped)) throw error;
    });
    return { requests: this.requests, complete: !this.isPreparing };
  }
}
