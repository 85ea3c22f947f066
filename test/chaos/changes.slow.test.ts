import { describe, expect, it } from "vitest";
import { runChanges } from "./changes.ts";

/** Fixed, so that every run has the same outages. `npm run chaos:changes` uses a random seed, and 10,000 changes. */
const seed = Number(process.env.CHAOS_SEED || 5);

describe.concurrent.each(["sqlite", "postgres"] as const)(
  "changes at providers, with two processes on %s",
  (database) => {
    it(`every change is reported once and delivered on ${database}, while everything fails (CHAOS_SEED=${seed})`, {
      timeout: 240_000,
    }, async ({ skip }) => {
      const lines: string[] = [];
      const report = await runChanges({
        database,
        seed,
        changes: 80,
        batch: 40,
        awaitsFullWalk: false,
        calmMs: 500,
        outages: { min: 4, max: 6 },
        log: (line) => lines.push(line),
      });
      if (!report) return skip("no Postgres is installed");
      expect(report.problems, lines.join("\n")).toEqual([]);
      expect(report.events).toBe(report.changes);
      expect(report.delivered).toBeGreaterThanOrEqual(report.events);
      // Without failures the result would mean nothing.
      expect(report.faults).toBeGreaterThan(0);
      expect(report.kills + report.pauses).toBeGreaterThanOrEqual(4);
    });
  },
);
