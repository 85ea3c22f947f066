// deploy/prometheus-rules.yml and deploy/grafana-dashboard.json: every metric and label that they use exists.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testRedis } from "../support/redis.ts";
import { startService, type TestService } from "../support/service.ts";

const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
}
interface Panel {
  id: number;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets: { expr: string }[];
}

const rules = (load(read("deploy/prometheus-rules.yml")) as any).groups.flatMap(
  (group: { rules: Rule[] }) => group.rules,
) as Rule[];
const dashboard = JSON.parse(read("deploy/grafana-dashboard.json"));
const panels = dashboard.panels as Panel[];

/** Added by Prometheus itself. */
const EXTERNAL_LABELS = ["instance", "job"];
/** What is left of an expression without strings, windows and the labels in braces and after `by`. */
const withoutLabels = (expression: string) =>
  expression
    .replaceAll(/"[^"]*"/g, "")
    .replaceAll(/\[[^\]]*\]/g, "")
    .replaceAll(/\{[^}]*\}/g, "")
    .replaceAll(/\bby \([^)]*\)/g, "");
const metricsIn = (expression: string) => [
  ...new Set(
    withoutLabels(expression)
      .match(/\b[a-z_]\w*\b(?! *\()/g)
      ?.filter((name) => !["by", "or", "sum"].includes(name)),
  ),
];
const labelsIn = (expression: string) => [
  ...new Set([
    ...[...expression.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label]) => label!),
    ...[...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels]) => labels!.split(/, */)),
  ]),
];

describe("monitoring", () => {
  let service: TestService | undefined;
  /** Labels by the name of a metric, as the started service has them. */
  const known = new Map<string, Set<string>>();
  beforeAll(async () => {
    const redis = await testRedis();
    if (!redis) return;
    service = await startService({ env: { REDIS_URL: redis.url } });
    const { url, apiKey, connections, sandbox: _ } = service;
    const call = () =>
      fetch(`${url}/unified/v1/git/repos?limit=1`, {
        headers: { authorization: `Bearer ${apiKey}`, "SVC-Connection-ID": connections.github! },
      });
    // A refused token is refreshed, so that every counter has labels.
    await fetch(`${url}/sandbox/_faults`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ provider: "github", expire_tokens: true, times: 1 }),
    });
    expect((await call()).status).toBe(200);
    const text = await (await fetch(`${url}/metrics`)).text();
    for (const [, name] of text.matchAll(/^# TYPE (\w+) /gm)) known.set(name!, new Set());
    for (const [, name, labels = ""] of text.matchAll(/^(\w+)(?:\{([^}]*)\})? /gm)) {
      const all = known.get(name!) ?? new Set();
      for (const [, label] of labels.matchAll(/(\w+)="/g)) all.add(label!);
      known.set(name!, all);
    }
  });
  afterAll(() => service?.close());

  const expressions: [string, string][] = [
    ...rules.map(({ alert, expr }): [string, string] => [`the alert ${alert}`, expr]),
    ...panels.flatMap(({ title, targets }) =>
      targets.map(({ expr }): [string, string] => [`the panel ${title}`, expr]),
    ),
  ];

  it.each(expressions)("%s uses metrics and labels that exist", (_, expression) => {
    // Without Redis, which CI has, some metrics do not exist.
    if (!service) return;
    const metrics = metricsIn(expression);
    expect(metrics.length).toBeGreaterThan(0);
    const labels = labelsIn(expression).filter((label) => !EXTERNAL_LABELS.includes(label));
    for (const metric of metrics) {
      expect(known.has(metric), metric).toBe(true);
      expect(
        labels.filter((label) => !known.get(metric)!.has(label)),
        `labels of ${metric}`,
      ).toEqual([]);
    }
  });

  it("the rules have a name, a severity and a text each, and are those of docs/running.md", () => {
    for (const { alert, labels, annotations } of rules) {
      expect(alert).toMatch(/^Plugboard[A-Z]\w+$/);
      expect(["warning", "critical"]).toContain(labels.severity);
      expect(annotations.summary && annotations.description, alert).toBeTruthy();
    }
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    const [, table] = /## What to watch\n([\s\S]*?)\n## /.exec(read("docs/running.md"))!;
    const watched = new Set(table!.match(/\b(?:plugboard|nodejs)_\w+/g));
    expect(new Set(rules.flatMap(({ expr }) => metricsIn(expr)))).toEqual(watched);
  });

  it("the dashboard shows requests, errors, latency, providers, refreshes, database and Redis, and its panels fit", () => {
    const shown = new Set(panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsIn(expr))));
    for (const metric of [
      "plugboard_requests_total",
      "plugboard_request_duration_seconds_bucket",
      "plugboard_upstream_calls_total",
      "plugboard_upstream_call_duration_seconds_bucket",
      "plugboard_token_refreshes_total",
      "plugboard_store_up",
      "plugboard_redis_up",
    ])
      expect(shown).toContain(metric);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
    const variables = dashboard.templating.list.map(({ name }: { name: string }) => name);
    const used = JSON.stringify(panels)
      .match(/\$\{?(?!__)(\w+)/g)!
      .map((name) => name.replace(/\W/g, ""));
    expect(used.filter((name) => !variables.includes(name))).toEqual([]);
  });

  it("the search for metrics leaves out functions, labels, strings and windows", () => {
    const expression = 'sum by (le, surface) (rate(some_total{status=~"5..", a!="b_c"}[5m])) / other_total > 0.1';
    expect(metricsIn(expression)).toEqual(["some_total", "other_total"]);
    expect(labelsIn(expression)).toEqual(["status", "a", "le", "surface"]);
  });
});
