import { describe, expect, it } from "vitest";
import { runChanges } from "./changes.ts";

/** Fixed, so that every run has the same outages. `npm run chaos:changes` uses a random seed, and 10,000 changes. */
const seed = Number(process.env.CHAOS_SEED || 5);

describe("changes that webhooks announce", () => {
  it(`every change is reported once, while webhooks are lost, doubled, late, forged and out of order (CHAOS_SEED=${seed})`, {
    timeout: 240_000,
  }, async ({ skip }) => {
    const lines: string[] = [];
    const report = await runChanges({
      database: "postgres",
      seed,
      changes: 80,
      batch: 80,
      hooks: true,
      runsAfterMs: 8_000,
      awaitsFullWalk: false,
      calmMs: 2_000,
      outages: { min: 2, max: 3 },
      log: (line) => lines.push(line),
    });
    if (!report) return skip("no Postgres is installed");
    expect(report.problems, lines.join("\n")).toEqual([]);
    expect(report.events).toBe(report.changes);
    expect([report.hookFaults > 0, report.hinted > 0]).toEqual([true, true]);
  });
});
