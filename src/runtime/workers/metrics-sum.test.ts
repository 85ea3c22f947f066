import { Counter, Gauge, Registry } from "prom-client";
import { expect, it, vi } from "vitest";
import { createFastCounter, createFastHistogram } from "../fast-metrics.ts";
import { collectProcessMetrics } from "../process-metrics.ts";
import { createMetricsSum } from "./metrics-sum.ts";

/** A worker with metrics of every kind, which reports when it is asked unless it hangs. */
function createWorker(sum: ReturnType<typeof createMetricsSum>) {
  const registry = new Registry();
  const registers = [registry];
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const worker = {
    hangs: false,
    count: createFastCounter({ name: "fast_total", help: "x", registry }, ["surface"]),
    time: createFastHistogram({ name: "seconds", help: "x", registry }, "surface", [1]),
    calls: new Counter({ name: "calls_total", help: "x", labelNames: ["outcome"], registers }),
    memory: new Gauge({ name: "memory", help: "x", registers }),
    up: new Gauge({ name: "up", help: "x", aggregator: "min", registers }),
    /** Its last report is sent before it ends, unless it is killed. */
    async stop() {
      await report();
      end();
    },
    async kill() {
      end();
    },
  };
  // As between processes: as JSON.
  const report = async () => received(JSON.parse(JSON.stringify(await registry.getMetricsAsJSON())));
  const received = sum.add({
    ask() {
      if (!worker.hangs) void report();
    },
    ended,
  });
  worker.up.set(1);
  return worker;
}

async function createWorld() {
  const own = new Registry();
  const timeouts = new Counter({ name: "timeouts_total", help: "x", registers: [own] });
  const sum = createMetricsSum({ own: () => own.getMetricsAsJSON(), timedOut: () => timeouts.inc() });
  const workers = [createWorker(sum), createWorker(sum)] as const;
  const values = async () =>
    Object.fromEntries(
      (await sum.render())
        .split("\n")
        .filter((line) => line && !line.startsWith("#"))
        .map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]),
    );
  return { sum, workers, values };
}

it("counters, histograms and memory are added up, and a state is that of the worst worker", async () => {
  const { workers, values } = await createWorld();
  for (const [index, { count, time, calls, memory }] of workers.entries()) {
    count("proxy");
    time("proxy", index + 0.5);
    calls.inc({ outcome: "failed" }, 3);
    memory.set(100);
  }
  workers[1].count("unified");
  workers[1].up.set(0);
  expect(await values()).toEqual({
    'fast_total{surface="proxy"}': 2,
    'fast_total{surface="unified"}': 1,
    'seconds_bucket{le="1",surface="proxy"}': 1,
    'seconds_bucket{le="+Inf",surface="proxy"}': 2,
    'seconds_sum{surface="proxy"}': 2,
    'seconds_count{surface="proxy"}': 2,
    'calls_total{outcome="failed"}': 6,
    memory: 200,
    up: 0,
    timeouts_total: 0,
  });
});

it("counters never decrease: those of a worker that stopped or was killed stay part of the sum", async () => {
  const { sum, workers, values } = await createWorld();
  const [first, second] = workers;
  first.count("proxy");
  second.count("proxy");
  second.memory.set(100);
  expect(await values()).toMatchObject({ 'fast_total{surface="proxy"}': 2, memory: 100 });
  // What was counted after the last report is only known if a worker can still send it.
  first.count("proxy");
  await first.stop();
  await second.kill();
  expect(await values()).toMatchObject({ 'fast_total{surface="proxy"}': 3 });
  createWorker(sum).count("proxy");
  expect(await values()).toMatchObject({ 'fast_total{surface="proxy"}': 4, memory: 0, timeouts_total: 0 });
});

it("only the last counts of a worker that does not answer are used, and the timeout is counted", async () => {
  const { workers, values } = await createWorld();
  const [, second] = workers;
  second.count("proxy");
  second.memory.set(100);
  await values();
  second.hangs = true;
  vi.useFakeTimers();
  const read = values();
  await vi.runAllTimersAsync();
  vi.useRealTimers();
  expect(await read).toMatchObject({ 'fast_total{surface="proxy"}': 1, memory: 0, up: 1, timeouts_total: 1 });
  second.hangs = false;
  expect(await values()).toMatchObject({ memory: 100, timeouts_total: 1 });
});

it("a worker that ends while it is asked holds up nobody and is no timeout", async () => {
  const { workers, values } = await createWorld();
  workers[1].hangs = true;
  const read = values();
  await workers[1].kill();
  expect(await read).toMatchObject({ up: 1, timeouts_total: 0 });
});

it("the delay of the event loop is that of the slowest process, and the start that of the first", async () => {
  const reports = await Promise.all(
    [1, 2].map(async (value) => {
      const registry = new Registry();
      collectProcessMetrics(registry);
      const report = await registry.getMetricsAsJSON();
      for (const { values } of report) for (const entry of values) entry.value = value;
      return report;
    }),
  );
  const sum = createMetricsSum({ own: async () => reports[0]!, timedOut: () => {} });
  const received = sum.add({ ask: () => received(reports[1]!), ended: new Promise(() => {}) });
  const text = await sum.render();
  expect(text).toContain("\nnodejs_eventloop_lag_p99_seconds 2\n");
  expect(text).toContain("\nnodejs_eventloop_lag_seconds 2\n");
  expect(text).toContain("\nnodejs_eventloop_lag_min_seconds 1\n");
  expect(text).toContain("\nprocess_start_time_seconds 1\n");
  expect(text).toContain("\nprocess_resident_memory_bytes 3\n");
});
