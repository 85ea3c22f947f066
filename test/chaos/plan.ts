import { createRandom } from "./random.ts";

export const targets = ["first", "second", "redis", "postgres"] as const;
export type Target = (typeof targets)[number];

/** `kill` and `pause`: SIGKILL, and SIGSTOP with SIGCONT. `restart`: SIGTERM, as a service manager would. */
export interface Blow {
  /** Milliseconds since the beginning. */
  at: number;
  target: Target;
  kind: "kill" | "pause" | "restart";
  /** Milliseconds until it is started again or goes on. */
  lasts: number;
}

/**
 * What happens to whom and when. Nothing lasts longer than a lock on a refresh: beyond that a token may be asked for
 * twice, which nobody can help.
 */
export function makePlan(seed: number, milliseconds: number): Blow[] {
  const random = createRandom(seed);
  const longest = Math.min(4000, milliseconds / 6);
  const plan: Blow[] = [];
  for (const target of targets) {
    const kinds = target === "redis" || target === "postgres" ? (["kill", "pause"] as const) : KINDS;
    let at = random.between(0, milliseconds / 4);
    while (at < milliseconds) {
      const blow = { at, target, kind: random.pick(kinds), lasts: random.between(100, longest) };
      plan.push(blow);
      at += blow.lasts + random.between(milliseconds / 20, milliseconds / 4);
    }
  }
  return plan.sort((one, other) => one.at - other.at);
}

const KINDS = ["kill", "pause", "restart"] as const;

export const describeBlow = ({ at, target, kind, lasts }: Blow) =>
  `${(at / 1000).toFixed(1).padStart(6)} s  ${kind.padEnd(7)} ${target.padEnd(8)} for ${(lasts / 1000).toFixed(1)} s`;
