import { createRandom } from "./random.ts";

export const targets = ["first", "second", "redis", "postgres"] as const;
export type Target = (typeof targets)[number];

/** `kill` and `pause`: SIGKILL, and SIGSTOP with SIGCONT. `restart`: SIGTERM, as a service manager would. */
export interface PlannedOutage {
  /** Milliseconds since the start. */
  at: number;
  target: Target;
  kind: "kill" | "pause" | "restart";
  /** Milliseconds until it is started again or resumed. */
  lasts: number;
}

/**
 * Which target fails when, and how. No outage lasts longer than the lock on a refresh: after that, two processes may
 * request a token at the same time, which cannot be prevented.
 */
export function makePlan(seed: number, milliseconds: number): PlannedOutage[] {
  const random = createRandom(seed);
  const maxDuration = Math.min(4000, milliseconds / 6);
  const plan: PlannedOutage[] = [];
  for (const target of targets) {
    const kinds = target === "redis" || target === "postgres" ? (["kill", "pause"] as const) : KINDS;
    let at = random.between(0, milliseconds / 4);
    while (at < milliseconds) {
      const outage = { at, target, kind: random.pick(kinds), lasts: random.between(100, maxDuration) };
      plan.push(outage);
      at += outage.lasts + random.between(milliseconds / 20, milliseconds / 4);
    }
  }
  return plan.sort((one, other) => one.at - other.at);
}

const KINDS = ["kill", "pause", "restart"] as const;

export const describeOutage = ({ at, target, kind, lasts }: PlannedOutage) =>
  `${(at / 1000).toFixed(1).padStart(6)} s  ${kind.padEnd(7)} ${target.padEnd(8)} for ${(lasts / 1000).toFixed(1)} s`;
