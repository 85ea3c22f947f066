import Type, { type Static } from "typebox";
import { controlBody } from "./control-body.ts";

const InjectedFaultRequest = Type.Object(
  {
    provider: Type.String(),
    path: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
    status: Type.Optional(Type.Integer({ minimum: 400, maximum: 599 })),
    delay_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
    drop: Type.Optional(Type.Boolean()),
    retry_after: Type.Optional(Type.Number({ minimum: 0 })),
    truncate: Type.Optional(Type.Boolean()),
    expire_tokens: Type.Optional(Type.Boolean()),
    revoke_tokens: Type.Optional(Type.Boolean()),
    token_lifetime: Type.Optional(Type.Integer({ minimum: 1 })),
    times: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false },
);

/** The body of `POST /_faults`. */
export type InjectedFaultRequest = Static<typeof InjectedFaultRequest>;

const effects = [
  "status",
  "delay_ms",
  "drop",
  "retry_after",
  "truncate",
  "expire_tokens",
  "revoke_tokens",
  "token_lifetime",
] as const;

/** A failure that waits for matching requests. */
export interface InjectedFault {
  path: string | undefined;
  matches(path: string): boolean;
  status: number | undefined;
  delayMs: number;
  drop: boolean;
  retryAfter: number | undefined;
  truncate: boolean;
  timesLeft: number;
}

const parse = controlBody(InjectedFaultRequest);

/** Parses a request for an injected fault, or returns everything that is wrong with it. */
export async function parseInjectedFault(
  body: unknown,
  providers: readonly string[],
): Promise<InjectedFaultRequest | { problems: string[] }> {
  const fault = await parse(body);
  if ("problems" in fault) return fault;
  const problems: string[] = [];
  if (!providers.includes(fault.provider)) problems.push(`provider must be one of ${providers.join(", ")}`);
  if (!effects.some((effect) => fault[effect] !== undefined && fault[effect] !== false))
    problems.push(`at least one of ${effects.join(", ")} is required`);
  return problems.length > 0 ? { problems } : fault;
}

/**
 * The pattern may match any part of the path; `*` matches anything. Each part is searched for after the one before, which
 * takes linear time; a regular expression with several stars would not.
 */
function pathMatcher(pattern: string | undefined): (path: string) => boolean {
  if (pattern === undefined) return () => true;
  const parts = pattern.split("*");
  return (path) => {
    let end = 0;
    for (const part of parts) {
      const start = path.indexOf(part, end);
      if (start < 0) return false;
      end = start + part.length;
    }
    return true;
  };
}

const MAX_FAULTS = 1_000;

/** A fault as `GET /_faults` shows it. */
interface WaitingFault {
  path: string | null;
  status: number | null;
  delay_ms: number;
  drop: boolean;
  retry_after: number | null;
  truncate: boolean;
  /** How many requests it still waits for. */
  times: number;
}

/** The injected faults of one provider, in the order in which they were requested. */
export function createInjectedFaults() {
  let faults: InjectedFault[] = [];
  return {
    /** A request that only affects tokens adds nothing. False if there are too many faults already. */
    add(request: InjectedFaultRequest): boolean {
      if (faults.length >= MAX_FAULTS) return false;
      const { status, delay_ms = 0, drop = false, retry_after, truncate = false, times = 1 } = request;
      if (status === undefined && delay_ms === 0 && !drop && retry_after === undefined && !truncate) return true;
      faults.push({
        path: request.path,
        matches: pathMatcher(request.path),
        status: status ?? (retry_after === undefined ? undefined : 429),
        delayMs: delay_ms,
        drop,
        retryAfter: retry_after,
        truncate,
        timesLeft: times,
      });
      return true;
    },

    /** Returns the first matching fault and uses it up once. */
    take(path: string): InjectedFault | undefined {
      if (faults.length === 0) return undefined;
      const fault = faults.find((candidate) => candidate.matches(path));
      if (fault && --fault.timesLeft === 0) faults = faults.filter((other) => other !== fault);
      return fault;
    },

    /** Those that still wait for requests, the next one first. */
    list: (): WaitingFault[] =>
      faults.map(({ path = null, status = null, delayMs, drop, retryAfter = null, truncate, timesLeft }) => ({
        path,
        status,
        delay_ms: delayMs,
        drop,
        retry_after: retryAfter,
        truncate,
        times: timesLeft,
      })),

    clear(): void {
      faults = [];
    },
  };
}
