import type { Blow, Target } from "./plan.ts";

interface Outage extends Pick<Blow, "target" | "kind"> {
  from: number;
  until: number;
}

/** What really happened, and when. */
export function createTimeline() {
  const outages: Outage[] = [];
  return {
    begin(target: Target, kind: Blow["kind"]): { end(): void } {
      const outage: Outage = { target, kind, from: Date.now(), until: Number.POSITIVE_INFINITY };
      outages.push(outage);
      return {
        end() {
          outage.until = Date.now();
        },
      };
    },
    /** Whether nothing befell it from one moment to another. */
    wasUp: (target: Target, from: number, until: number) =>
      !outages.some((outage) => outage.target === target && outage.from <= until && outage.until >= from),
    wasPaused: (target: Target, from: number, until: number) =>
      outages.some(
        (outage) => outage.target === target && outage.kind === "pause" && outage.from <= until && outage.until >= from,
      ),
    count: () => outages.length,
  };
}

export type Timeline = ReturnType<typeof createTimeline>;
