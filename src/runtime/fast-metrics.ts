// Counters and histograms for what every call counts. The library's own put all labels into a text, sorted and checked,
// at each count; these hand their figures over to it when somebody looks.
import { Counter, type Metric, type Registry } from "prom-client";

interface Description {
  name: string;
  help: string;
  registry: Registry;
}

/** Counts of what one label tells apart, or of all that it does not. */
class Node {
  count = 0;
  readonly branches = new Map<string | number, Node>();

  branch(value: string | number): Node {
    let found = this.branches.get(value);
    if (!found) {
      found = new Node();
      this.branches.set(value, found);
    }
    return found;
  }
}

/** Counts by labels. */
export function createTally({ registry, ...description }: Description, labelNames: readonly string[]) {
  const root = new Node();

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

interface Row {
  /** How many were no longer than each bound, and longer than the one before; the last is for all others. */
  buckets: number[];
  sum: number;
}

/** Times by one label, in buckets. */
export function createDurations({ registry, ...description }: Description, label: string, bounds: readonly number[]) {
  const rows = new Map<string, Row>();
  const { name } = description;

  function valuesOf(key: string, { buckets, sum }: Row) {
    const labels = { [label]: key };
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
      values: [...rows].flatMap(([key, row]) => valuesOf(key, row)),
    }),
  };
  registry.registerMetric(metric as unknown as Metric);

  return (key: string, seconds: number): void => {
    let row = rows.get(key);
    if (!row) {
      row = { buckets: new Array(bounds.length + 1).fill(0), sum: 0 };
      rows.set(key, row);
    }
    let index = 0;
    while (index < bounds.length && seconds > bounds[index]!) index++;
    row.buckets[index]!++;
    row.sum += seconds;
  };
}
