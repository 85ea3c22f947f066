import { describe, expect, it } from "vitest";
import { makePlan } from "./plan.ts";
import { runChaos } from "./run.ts";

/** Fixed, so that every run has the same plan. `npm run chaos` uses a random seed. */
const DEFAULT_SEED = 2;
const MILLISECONDS = 9000;
const seed = Number(process.env.CHAOS_SEED || DEFAULT_SEED);

describe("two processes under outages of everything they depend on", () => {
  it(`two processes keep every promise while they, their databases and providers fail (CHAOS_SEED=${seed})`, {
    timeout: 240_000,
  }, async ({ skip }) => {
    const lines: string[] = [];
    const report = await runChaos({
      seed,
      milliseconds: MILLISECONDS,
      connections: 8,
      writes: 150,
      upstreamTimeoutMs: 3000,
      tokenSeconds: 4,
      log: (line) => lines.push(line),
    });
    if (!report) return skip("no Postgres or no Redis is installed");
    expect(report.problems, lines.join("\n")).toEqual([]);
    // Without outages and successful calls the result would mean nothing.
    expect(report.outages).toBeGreaterThan(3);
    expect(report.keyedWrites.written).toBeGreaterThan(50);
    expect(report.keyedWrites.repeated).toBeGreaterThan(0);
    for (const what of ["lists", "forwarded", "emulated", "created"])
      expect(report.counts[`${what}: right`], what).toBeGreaterThan(0);
  });

  it("the same seed gives the same plan", () => {
    expect(makePlan(7, 60_000)).toEqual(makePlan(7, 60_000));
    expect(makePlan(7, 60_000)).not.toEqual(makePlan(8, 60_000));
  });

  it("the plan of the default seed has every kind of outage for every target", () => {
    const outages = new Set(makePlan(DEFAULT_SEED, MILLISECONDS).map(({ target, kind }) => `${kind} ${target}`));
    expect([...outages].sort()).toEqual([
      ...["kill first", "kill postgres", "kill redis", "kill second"],
      ...["pause first", "pause postgres", "pause redis", "pause second"],
      ...["restart first", "restart second"],
    ]);
  });
});
