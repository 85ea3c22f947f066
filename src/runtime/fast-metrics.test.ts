import { Counter, Histogram, Registry } from "prom-client";
import { expect, it } from "vitest";
import { createFastCounter, createFastHistogram } from "./fast-metrics.ts";

it("the fast counters and histograms render exactly what the library's own would", async () => {
  const [ours, theirs] = [new Registry(), new Registry()];
  const bounds = [0.1, 0.5, 1];
  const counter = { name: "calls_total", help: "Calls" };
  const histogram = { name: "call_seconds", help: "Time" };
  const count = createFastCounter({ ...counter, registry: ours }, ["surface", "status"]);
  const time = createFastHistogram({ ...histogram, registry: ours }, "surface", bounds);
  const calls = new Counter({ ...counter, labelNames: ["surface", "status"], registers: [theirs] });
  const times = new Histogram({ ...histogram, labelNames: ["surface"], buckets: bounds, registers: [theirs] });

  for (let n = 0; n < 60; n++) {
    const surface = ["unified", "proxy"][n % 2]!;
    const status = [200, 404, "timeout"][n % 3]!;
    const seconds = [0.05, 0.1, 0.10001, 0.5, 0.7, 1, 3][n % 7]!;
    count(surface, status);
    time(surface, seconds);
    calls.inc({ surface, status });
    times.observe({ surface }, seconds);
  }
  const lines = async (registry: Registry) => (await registry.metrics()).split("\n").sort();
  expect(await lines(ours)).toEqual(await lines(theirs));
  // Reading again gives the same: nothing is counted twice.
  expect(await lines(ours)).toEqual(await lines(theirs));
});
