import { Fault, type FaultKind, ProviderFailure, rateLimitWait } from "../../contracts/fault.ts";

/** Why a run ended before the end of the list. */
export type Interruption =
  /** A rate limit was reached: the run continues when it is over. */
  | { kind: "waiting"; seconds: number }
  /** The user has to connect again. */
  | { kind: "sleeping"; reason: string }
  | {
      kind: "failed";
      reason: string;
      /** Trying again unchanged will most likely not help. */
      permanent: boolean;
      /** The walk cannot continue from its position in the list: the next run starts it again. */
      endsWalk: boolean;
    };

const MAX_WAIT_SECONDS = 3_600;

const SLEEPS: FaultKind[] = ["refresh_failed", "credentials_unreadable"];
const PERMANENT: FaultKind[] = [
  "integration_missing",
  "operation_unsupported",
  "record_missing",
  "invalid_input",
  "upstream_forbidden",
];
/** Not about the subscription: our own database, a deleted connection, or an internal error. */
const OURS: FaultKind[] = ["store_unavailable", "connection_missing", "internal"];

/** The list does not come to an end. */
export class EndlessList extends Error {}

function ofFault(fault: Fault, hasCursor: boolean): Interruption | undefined {
  const { kind, message } = fault;
  if (OURS.includes(kind)) return undefined;
  if (kind === "rate_limited" || kind === "overloaded") return { kind: "waiting", seconds: fault.retryAfter ?? 1 };
  if (SLEEPS.includes(kind)) return { kind: "sleeping", reason: message };
  const endsWalk = hasCursor && kind === "invalid_input";
  return { kind: "failed", reason: message, permanent: PERMANENT.includes(kind) && !endsWalk, endsWalk };
}

function ofProvider(failure: ProviderFailure, hasCursor: boolean): Interruption {
  const { status } = failure;
  if (status === 429) return { kind: "waiting", seconds: rateLimitWait(failure, MAX_WAIT_SECONDS) };
  const isRefusal = status >= 400 && status < 500 && status !== 401 && status !== 408;
  return {
    kind: "failed",
    reason: `the provider answered ${status}`,
    permanent: isRefusal && !hasCursor,
    endsWalk: isRefusal && hasCursor,
  };
}

/** `hasCursor`: the failed call asked for a later page. Undefined if the error is not about this subscription. */
export function interruptionBy(error: unknown, hasCursor: boolean): Interruption | undefined {
  if (error instanceof Fault) return ofFault(error, hasCursor);
  if (error instanceof EndlessList) return { kind: "failed", reason: error.message, permanent: true, endsWalk: true };
  return error instanceof ProviderFailure ? ofProvider(error, hasCursor) : undefined;
}
