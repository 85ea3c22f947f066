import { expect, it } from "vitest";
import { Fault, type FaultKind, ProviderFailure } from "../../contracts/fault.ts";
import { EndlessList, interruptionBy } from "./outcome.ts";

const answered = (status: number, waitSeconds?: number) =>
  new ProviderFailure(status, {}, Buffer.alloc(0), waitSeconds);
const fault = (kind: FaultKind, retryAfter?: number) =>
  new Fault(kind, "why", retryAfter === undefined ? {} : { retryAfter });

it.each([
  [fault("rate_limited"), 1],
  [fault("overloaded"), 1],
  [fault("rate_limited", 7), 7],
  [answered(429), 30],
  [answered(429, 12), 12],
  [answered(429, 0), 30],
  [answered(429, -5), 30],
  [answered(429, Number.NaN), 30],
  [answered(429, 999_999), 3_600],
])("a run waits for a limit as long as that asks for, within bounds: %s", (error, seconds) => {
  expect(interruptionBy(error, false)).toEqual({ kind: "waiting", seconds });
});

it("only a later page that is refused ends the walk, and only a first page that is refused is permanent", () => {
  const failed = (error: Error, hasCursor: boolean) => {
    const { permanent, endsWalk } = interruptionBy(error, hasCursor) as { permanent: boolean; endsWalk: boolean };
    return { permanent, endsWalk };
  };
  for (const refused of [fault("invalid_input"), answered(400), answered(404), answered(499)]) {
    expect(failed(refused, false)).toEqual({ permanent: true, endsWalk: false });
    expect(failed(refused, true)).toEqual({ permanent: false, endsWalk: true });
  }
  for (const passing of [fault("upstream_timeout"), answered(401), answered(408), answered(500), answered(301)])
    for (const hasCursor of [false, true])
      expect(failed(passing, hasCursor)).toEqual({ permanent: false, endsWalk: false });
  for (const hasCursor of [false, true]) {
    expect(failed(fault("operation_unsupported"), hasCursor)).toEqual({ permanent: true, endsWalk: false });
    expect(failed(new EndlessList("no end"), hasCursor)).toEqual({ permanent: true, endsWalk: true });
  }
});

it("a subscription sleeps while the user has to connect again, and errors that are not about it are left to others", () => {
  for (const kind of ["refresh_failed", "credentials_unreadable"] as const)
    expect(interruptionBy(fault(kind), true)).toEqual({ kind: "sleeping", reason: "why" });
  for (const kind of ["store_unavailable", "connection_missing", "internal"] as const)
    expect(interruptionBy(fault(kind), true)).toBeUndefined();
  expect(interruptionBy(new TypeError("a mistake"), true)).toBeUndefined();
});
