import type { PlannedOutage, Target } from "./plan.ts";

interface Outage extends Pick<PlannedOutage, "target" | "kind"> {
  from: number;
  until: number;
}

/** The outages as they happened. */
export function createTimeline() {
  const outages: Outage[] = [];
  return {
    begin(target: Target, kind: PlannedOutage["kind"]): { end(): void } {
      const outage: Outage = { target, kind, from: Date.now(), until: Number.POSITIVE_INFINITY };
      outages.push(outage);
      return {
        end() {
          outage.until = Date.now();
        },
      };
    },
    /** Whether the target had no outage in a period. */
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
