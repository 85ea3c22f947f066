import Type, { type Static } from "typebox";

const FaultRequest = Type.Object(
  {
    provider: Type.String(),
    path: Type.Optional(Type.String({ minLength: 1 })),
    status: Type.Optional(Type.Integer({ minimum: 400, maximum: 599 })),
    delay_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
    drop: Type.Optional(Type.Boolean()),
    retry_after: Type.Optional(Type.Number({ minimum: 0 })),
    truncate: Type.Optional(Type.Boolean()),
    expire_tokens: Type.Optional(Type.Boolean()),
    token_lifetime: Type.Optional(Type.Integer({ minimum: 1 })),
    times: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false },
);

/** What a client of the sandbox asks for: see the documentation of each field there. */
export type FaultRequest = Static<typeof FaultRequest>;

const effects = ["status", "delay_ms", "drop", "retry_after", "truncate", "expire_tokens", "token_lifetime"] as const;

/** One trouble waiting for the requests that it fits. */
export interface PlannedFault {
  fits(path: string): boolean;
  status: number | undefined;
  delayMs: number;
  drop: boolean;
  retryAfter: number | undefined;
  truncate: boolean;
  left: number;
}

/** Reads a request for a fault, or says all that is wrong with it. */
export async function readFault(
  body: unknown,
  providers: readonly string[],
): Promise<FaultRequest | { problems: string[] }> {
  // Loaded with the first fault: most starts never see one.
  const { Compile } = await import("typebox/compile");
  const faultRequest = Compile(FaultRequest);
  if (!faultRequest.Check(body)) {
    const problems = [...faultRequest.Errors(body)].flatMap((error) => {
      if (error.keyword === "boolean") return [`${error.instancePath.slice(1)} is not a field of a fault`];
      if (error.keyword === "additionalProperties") return [];
      return [`${error.instancePath.slice(1) || "the body"} ${error.message}`];
    });
    return { problems };
  }
  const problems: string[] = [];
  if (!providers.includes(body.provider)) problems.push(`provider must be one of ${providers.join(", ")}`);
  if (!effects.some((effect) => body[effect] !== undefined && body[effect] !== false))
    problems.push(`one of ${effects.join(", ")} must be given`);
  return problems.length > 0 ? { problems } : body;
}

/** `*` stands for anything; else the pattern may be any part of the path. */
function fitting(pattern: string | undefined): (path: string) => boolean {
  if (pattern === undefined) return () => true;
  const expression = new RegExp(pattern.split("*").map(RegExp.escape).join(".*"));
  return (path) => expression.test(path);
}

/** The faults of one provider, in the order in which they were asked for. */
export function createFaults() {
  let planned: PlannedFault[] = [];
  return {
    /** A request that only touches tokens leaves nothing to wait for. */
    plan(request: FaultRequest): void {
      const { status, delay_ms = 0, drop = false, retry_after, truncate = false, times = 1 } = request;
      if (status === undefined && delay_ms === 0 && !drop && retry_after === undefined && !truncate) return;
      planned.push({
        fits: fitting(request.path),
        status: status ?? (retry_after === undefined ? undefined : 429),
        delayMs: delay_ms,
        drop,
        retryAfter: retry_after,
        truncate,
        left: times,
      });
    },

    /** The first fault that fits, one use of it spent. */
    take(path: string): PlannedFault | undefined {
      if (planned.length === 0) return undefined;
      const fault = planned.find((candidate) => candidate.fits(path));
      if (fault && --fault.left === 0) planned = planned.filter((other) => other !== fault);
      return fault;
    },

    clear(): void {
      planned = [];
    },
  };
}
