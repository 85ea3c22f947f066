// Counters and histograms for the hot path. The library's own build, sort and check a string of all labels at each
// count; these pass their numbers to the library only when the metrics are read.
import { Counter, type Metric, type Registry } from "prom-client";

interface MetricOptions {
  name: string;
  help: string;
  registry: Registry;
}

/** A node in a tree with one level per label. Leaves hold the counts. */
class CountNode {
  count = 0;
  readonly branches = new Map<string | number, CountNode>();

  branch(value: string | number): CountNode {
    let found = this.branches.get(value);
    if (!found) {
      found = new CountNode();
      this.branches.set(value, found);
    }
    return found;
  }
}

/** Returns a function that counts by label values, given in the order of `labelNames`. */
export function createFastCounter({ registry, ...description }: MetricOptions, labelNames: readonly string[]) {
  const root = new CountNode();

  function* leaves(
    node = root,
    labels: Record<string, string | number> = {},
    depth = 0,
  ): Generator<[typeof labels, number]> {
    if (depth === labelNames.length) yield [labels, node.count];
    for (const [value, next] of node.branches)
      yield* leaves(next, { ...labels, [labelNames[depth]!]: value }, depth + 1);
  }

  new Counter({
    ...description,
    labelNames,
    registers: [registry],
    collect() {
      this.reset();
      for (const [labels, count] of leaves()) this.inc(labels, count);
    },
  });
  return (...values: (string | number)[]): void => {
    let node = root;
    for (let depth = 0; depth < values.length; depth++) node = node.branch(values[depth]!);
    node.count++;
  };
}

interface Histogram {
  /** Counts per bucket, not cumulative; the last one has no upper bound. */
  buckets: number[];
  sum: number;
}

/** Returns a function that adds a duration to the histogram of a label value. */
export function createFastHistogram(
  { registry, ...description }: MetricOptions,
  label: string,
  bounds: readonly number[],
) {
  const histograms = new Map<string, Histogram>();
  const { name } = description;

  function valuesOf(labelValue: string, { buckets, sum }: Histogram) {
    const labels = { [label]: labelValue };
    let count = 0;
    const cumulative = [...bounds, "+Inf"].map((le, index) => {
      count += buckets[index]!;
      return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count };
    });
    return [
      ...cumulative,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }

  const metric = {
    ...description,
    get: async () => ({
      ...description,
      type: "histogram",
      aggregator: "sum",
      values: [...histograms].flatMap(([labelValue, histogram]) => valuesOf(labelValue, histogram)),
    }),
  };
  registry.registerMetric(metric as unknown as Metric);

  return (labelValue: string, seconds: number): void => {
    let histogram = histograms.get(labelValue);
    if (!histogram) {
      histogram = { buckets: new Array(bounds.length + 1).fill(0), sum: 0 };
      histograms.set(labelValue, histogram);
    }
    let index = 0;
    while (index < bounds.length && seconds > bounds[index]!) index++;
    histogram.buckets[index]!++;
    histogram.sum += seconds;
  };
}
