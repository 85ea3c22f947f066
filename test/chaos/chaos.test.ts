import { describe, expect, it } from "vitest";
import { makePlan } from "./plan.ts";
import { runChaos } from "./run.ts";

const seed = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 2 ** 31));

describe("two processes whose database, Redis and providers fail, and who are killed themselves", () => {
  it(`keep every promise (CHAOS_SEED=${seed} repeats the plan)`, { timeout: 240_000 }, async ({ skip }) => {
    const lines: string[] = [];
    const report = await runChaos({
      seed,
      milliseconds: 9000,
      connections: 8,
      upstreamTimeoutMs: 3000,
      tokenSeconds: 4,
      log: (line) => lines.push(line),
    });
    if (!report) return skip("no Postgres or no Redis is installed");
    expect(report.problems, lines.join("\n")).toEqual([]);
    // It would keep them, too, if nothing had happened.
    expect(report.blows).toBeGreaterThan(3);
    for (const what of ["lists", "forwarded", "emulated", "made"])
      expect(report.counts[`${what}: right`], what).toBeGreaterThan(0);
  });

  it("follow a plan that its seed repeats", () => {
    expect(makePlan(7, 60_000)).toEqual(makePlan(7, 60_000));
    expect(makePlan(7, 60_000)).not.toEqual(makePlan(8, 60_000));
  });
});
